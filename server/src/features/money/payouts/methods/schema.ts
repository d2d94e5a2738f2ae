import { closed, FreeText, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Currency } from "../../../programme/tiers/index.ts";
import { METHOD_KINDS } from "./model.ts";

const Kind = Type.Enum([...METHOD_KINDS], {
  description: "sepa: a euro transfer to an IBAN; manual: paid by hand, as the instructions say",
  examples: ["sepa"],
});
const Holder = Type.String({
  ...FreeText(70, "The holder of the account, up to 70 characters", "Northwind Agency GmbH"),
  pattern: "^[^\\u0000\\n]*\\S[^\\u0000\\n]*$",
});
const currencies = (description: string, example: string[]) =>
  Type.Array(Currency, { minItems: 1, maxItems: 50, uniqueItems: true, description, examples: [example] });

export const PayoutMethodPut = Type.Object(
  {
    kind: Kind,
    holder: Holder,
    iban: Type.Optional(
      Type.String({
        maxLength: 50,
        description: "For sepa: the account, within SEPA. Spaces are ignored",
        examples: ["DE89 3704 0044 0532 0130 00"],
      }),
    ),
    bic: Type.Optional(
      nullable(
        Type.String({
          maxLength: 20,
          description: "For sepa: the BIC of the bank, if it asks for one",
          examples: ["COBADEFFXXX"],
        }),
      ),
    ),
    instructions: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        pattern: "\\S",
        description: "For manual: what the operator needs to pay, such as an account number and the bank",
        examples: ["Account 12345678, sort code 12-34-56"],
      }),
    ),
    currencies: Type.Optional(currencies("For manual: what can be paid this way. With sepa it is the euro", ["usd", "gbp"])),
  },
  { ...closed, title: "PayoutMethodPut" },
);

export const PayoutMethod = Type.Object(
  {
    id: Id("payout_method"),
    kind: Kind,
    holder: Holder,
    currencies: currencies("What can be paid this way", ["eur"]),
    hint: Type.String({ description: "What the account is recognised by", examples: ["DE89 … 3000"] }),
    created_at: Time,
    created_by: Type.String({
      description: "The user who set it; the operator's key or user where the operator did",
      examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
  },
  {
    ...closed,
    title: "PayoutMethod",
    description: "Where a partner is paid. The account number and the instructions are stored encrypted and never shown again.",
  },
);
