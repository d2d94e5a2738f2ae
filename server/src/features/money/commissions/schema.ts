import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { KINDS, STATUSES } from "./model.ts";

export const Kind = Type.Enum([...KINDS]);
export const Status = Type.Enum([...STATUSES]);
export const Level = Type.Integer({
  minimum: 0,
  maximum: 3,
  description: "0 for the partner's own sales, else how far below the seller is",
  examples: [0],
});

const Cents = (description: string, example: number) =>
  Type.Integer({ minimum: -CENTS_MAX, maximum: CENTS_MAX, description, examples: [example] });
const optional = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });

const Rule = Type.Object(
  { id: Id("rule"), version: Version, name: Type.String({ examples: ["Silver"] }) },
  { ...closed, title: "AppliedRule" },
);

export const Commission = Type.Object(
  {
    id: Id("commission"),
    kind: Kind,
    level: Level,
    deal_id: nullable(Id("deal")),
    client_id: nullable(Id("client")),
    client_company: optional(Type.String({ examples: ["Harbour Dental"] }), "Company of the client"),
    charge_id: nullable(Id("charge")),
    refund_id: nullable(Id("refund")),
    root_id: optional(Id("commission"), "The commission that this one corrects; both have the same status"),
    source_commission_id: nullable(Id("commission")),
    source_partner_id: optional(Id("partner"), "For overrides: the direct sub-partner that it came through"),
    source_company: optional(Type.String({ examples: ["Northwind Agency"] }), "Company of that sub-partner"),
    base_cents: Cents("What the share was taken of, in minor units", 49_950),
    rate_bps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "The share in basis points; 0 for fixed amounts and adjustments by hand",
      examples: [1500],
    }),
    amount_cents: Cents("Positive where it was earned, negative where it was taken back", 7493),
    currency: Currency,
    grade: Type.String({ description: "Grade of the partner at the time", examples: ["silver"] }),
    rule: optional(Rule, "The commission rule that applied, by its version"),
    reason_code: optional(Type.String({ examples: ["first_charge"] }), "Why it was adjusted or reversed"),
    accrued_at: Time,
    status: Status,
    hold_until: optional(Time, "When it is approved; null until the client has paid for the first time"),
    hold_reason: optional(Type.String({ examples: ["Invoice disputed"] }), "Why the operator holds it"),
    payout_id: nullable(Id("payout")),
    version: Version,
  },
  { ...closed, title: "Commission" },
);

const Step = Type.Object(
  {
    step: Type.String({ examples: ["rate"] }),
    input: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String()]), {
      examples: [{ base_cents: 49_950, bps: 1500 }],
    }),
    rule: nullable(Type.String({ examples: ["Silver, version 1"] })),
    result: Type.Integer({ examples: [7493] }),
  },
  { ...closed, title: "CalculationStep" },
);

const detail = {
  calculation: Type.Array(Step, { description: "How the amount was calculated, step by step" }),
  related: Type.Array(Commission, { description: "The other rows of the same root, oldest first" }),
};

export const CommissionDetail = Type.Object({ ...Commission.properties, ...detail }, { ...closed, title: "CommissionDetail" });

/** What the operator sees beyond the partner. */
const operator = {
  id: Id("commission"),
  partner_id: Id("partner"),
  partner_company: Type.String({ description: "Company of the partner", examples: ["Test Agency"] }),
  origin_partner_id: optional(Id("partner"), "For overrides: the partner that made the sale"),
  origin_commission_id: optional(Id("commission"), "For overrides: the commission of that partner"),
};

export const OperatorCommission = Type.Object(
  { ...operator, ...Commission.properties },
  { ...closed, title: "OperatorCommission" },
);

export const OperatorCommissionDetail = Type.Object(
  { ...OperatorCommission.properties, ...detail, related: Type.Array(OperatorCommission) },
  { ...closed, title: "OperatorCommissionDetail" },
);
