import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, nullable } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

export const Currency = Type.String({
  format: "currency",
  description: "An ISO 4217 code in lower case, such as usd",
  examples: ["usd"],
});

export const Rate = Type.Union(
  [
    Type.Object(
      {
        bps: Type.Integer({ minimum: 0, maximum: 10_000, description: "Share in basis points: 1500 is 15 %", examples: [1500] }),
      },
      { ...closed, description: "A share of what the client pays" },
    ),
    Type.Object(
      {
        flat_cents: Type.Integer({ minimum: 0, maximum: CENTS_MAX, description: "Amount in minor units", examples: [5_000] }),
        currency: Currency,
      },
      { ...closed, description: "An amount, for sales in its currency alone" },
    ),
  ],
  { description: "A share in basis points, or an amount", examples: [{ bps: 1500 }] },
);

export const Months = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1200,
    description: "For how many months after the first charge a sale earns; null: without end",
    examples: [12],
  }),
);
