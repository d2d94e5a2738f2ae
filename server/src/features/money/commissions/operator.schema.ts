import { closed, FreeText, Id } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { VOID_REASONS } from "./model.ts";

/** Far above any payment, and hundreds of them still sum up exactly. */
const ADJUSTMENT_MAX = 10 ** 13;

export const AdjustmentCreate = Type.Object(
  {
    amount_cents: Type.Union(
      [Type.Integer({ minimum: 1, maximum: ADJUSTMENT_MAX }), Type.Integer({ minimum: -ADJUSTMENT_MAX, maximum: -1 })],
      { description: "Positive to add to the balance, negative to take from it; not 0", examples: [5000] },
    ),
    currency: Currency,
    reason_code: Type.Enum(["bonus", "correction", "goodwill", "clawback", "write_off", "payout_returned", "other"], {
      description:
        "Why. write_off forgives a negative balance: it is no expense; payout_returned puts back what the bank returned",
      examples: ["bonus"],
    }),
    reference: FreeText(200, "Your id of the adjustment, unique within the partner", "ADJ-2026-11-07"),
    description: Type.Optional(FreeText(500, "Shown to the partner", "Bonus for the launch")),
    commission_id: Type.Optional(Type.String({ ...Id("commission"), description: "The commission that it is about" })),
  },
  { ...closed, title: "AdjustmentCreate" },
);
export type AdjustmentCreate = Type.Static<typeof AdjustmentCreate>;

export const HoldBody = Type.Object(
  { reason: FreeText(500, "Why it is held; shown to the partner", "Invoice disputed") },
  { ...closed, title: "CommissionHold" },
);

export const VoidBody = Type.Object(
  {
    reason_code: Type.Enum([...VOID_REASONS], {
      description: "Why it is taken back",
      examples: ["duplicate"],
    }),
  },
  { ...closed, title: "CommissionVoid" },
);
