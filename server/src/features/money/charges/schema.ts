import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { Commission } from "../commissions/index.ts";

const CHARGE_OUTCOMES = ["earned", "no_sale", "outside_window", "zero"] as const;

const Cents = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: CENTS_MAX, description, examples: [example] });

export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The id in the system that reports it, unique within the partner",
  examples: ["in_2026_11_0042"],
});

export const Outcome = Type.Enum([...CHARGE_OUTCOMES], {
  description:
    "earned: it earned commissions; no_sale: the client was not won by a sale; outside_window: after the months that the sale earns for; zero: nothing was paid",
});

export const Charge = Type.Object(
  {
    id: Id("charge"),
    partner_id: Id("partner"),
    external_id: ExternalId,
    client_id: Id("client"),
    client_company: Type.String({ description: "Company of the client", examples: ["Harbour Dental"] }),
    source: Type.Enum(["operator", "billing"], { description: "Who reported it" }),
    amount_cents: Cents("What the client paid, without tax, in minor units", 49_900),
    refunded_cents: Cents("How much of it the client got back", 0),
    currency: Currency,
    months: Type.Integer({ minimum: 1, maximum: 120, description: "The months that it pays for", examples: [1] }),
    plan: nullable(Type.String({ examples: ["Growth"] })),
    charged_at: Time,
    created_at: Time,
    deal_id: Type.Union([Id("deal"), Type.Null()], { description: "The sale that it earned for" }),
    outcome: Outcome,
  },
  { ...closed, title: "Charge" },
);

export const Refund = Type.Object(
  {
    id: Id("refund"),
    partner_id: Id("partner"),
    external_id: ExternalId,
    client_id: Id("client"),
    charge_id: Type.Union([Id("charge"), Type.Null()], { description: "Null while its charge is not known" }),
    charge_external_id: Type.String({ description: "The external_id of its charge", examples: ["in_2026_11_0042"] }),
    amount_cents: Cents("What the client got back, in minor units", 9_900),
    applied_cents: Cents("How much of it was taken off the charge; given back where the money did not reach the client", 9_900),
    reason: nullable(Type.String({ examples: ["Service credit"] })),
    refunded_at: Time,
    created_at: Time,
    status: Type.Enum(["waiting", "applied", "excess"], {
      description: "waiting: its charge is not known yet; applied; excess: more than its charge had left",
    }),
  },
  { ...closed, title: "Refund" },
);

export const ChargeDetail = Type.Object(
  {
    ...Charge.properties,
    refunds: Type.Array(Refund, { description: "Oldest first" }),
    commissions: Type.Array(Commission, { description: "What the partner of the client earned by it, oldest first" }),
  },
  { ...closed, title: "ChargeDetail" },
);
