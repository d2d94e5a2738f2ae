import type { EventType } from "../../../kernel/events.ts";
import { idPattern, type Kind } from "../../../kernel/ids.ts";
import { type TSchema, Type } from "../../../platform/http/type.ts";

const id = (kind: Kind) => Type.String({ pattern: idPattern(kind) });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const text = (example: string) => Type.String({ examples: [example] });
const integer = (example: number) => Type.Integer({ examples: [example] });
const closed = (fields: Record<string, TSchema>) => Type.Object(fields, { additionalProperties: false });

const partner_id = id("partner");
const company = text("Harbour Dental");
const currency = text("usd");
const plan = nullable(text("Growth"));
const reason = nullable(text("Invoice overdue"));
const time = Type.String({ format: "date-time", examples: ["2026-11-02T09:30:00.000Z"] });
const clientStatus = Type.Enum(["pending", "active", "suspended", "churned"]);
const aboutClient = { client_id: id("client"), partner_id, company };
const aboutDeal = { deal_id: id("deal"), partner_id };
const counts = nullable(
  closed({
    succeeded: integer(118),
    partial: integer(2),
    failed: integer(0),
    unchanged: integer(3),
    skipped: integer(1),
    cancelled: integer(0),
    queued: integer(0),
    rolled_back: integer(0),
  }),
);

export type EventDescription = { summary: string; data: TSchema };

/** The payload of each event and when it is emitted. Payloads are flat: ids and amounts. */
export const EVENT_CATALOGUE: Record<EventType, EventDescription> = {
  "client.created": {
    summary: "A client account was created, by the API or by a won deal.",
    data: closed({
      ...aboutClient,
      plan,
      mrr_cents: integer(49900),
      currency,
      status: clientStatus,
      external_id: nullable(text("crm-4711")),
      snapshots: Type.Array(text("snap_01jd3k5y5cf7m8n9p0q1r2s3t4")),
      deal_id: nullable(id("deal")),
    }),
  },
  "client.activated": {
    summary: "A client account became active, from any state.",
    data: closed({ ...aboutClient, plan, mrr_cents: integer(49900), previous_status: clientStatus, reactivated: Type.Boolean() }),
  },
  "client.suspended": {
    summary: "A client account was suspended.",
    data: closed({
      ...aboutClient,
      reason,
      suspended_by: Type.Enum(["partner", "operator", "billing"]),
      mrr_at_risk_cents: integer(49900),
    }),
  },
  "client.churned": {
    summary: "A client account was closed.",
    data: closed({ ...aboutClient, reason, lost_mrr_cents: integer(49900), lifetime_days: integer(412) }),
  },
  "deal.registered": {
    summary: "A partner sale was registered, by either API.",
    data: closed({
      ...aboutDeal,
      client_id: nullable(id("client")),
      company,
      plan,
      mrr_cents: integer(49900),
      pipeline_id: id("pipeline"),
      stage: text("Qualified"),
      registration_status: Type.Enum(["submitted", "approved", "rejected", "needs_info", "withdrawn", "expired"]),
      protected_until: nullable(time),
    }),
  },
  "deal.stage_changed": {
    summary: "A deal moved to another stage, or its registration was decided.",
    data: closed({
      ...aboutDeal,
      client_id: nullable(id("client")),
      pipeline_id: id("pipeline"),
      from_stage: nullable(text("Qualified")),
      from_stage_id: nullable(id("stage")),
      to_stage: text("Proposal"),
      to_stage_id: id("stage"),
      stage_type: Type.Enum(["open", "won", "lost"]),
      change: Type.Enum(["stage", "registration"]),
      changed_by: text("key_01jd3k5y5cf7m8n9p0q1r2s3t4"),
      days_in_stage: integer(6),
    }),
  },
  "deal.won": {
    summary: "A deal entered a won stage for the first time.",
    data: closed({
      deal_id: id("deal"),
      client_id: id("client"),
      company,
      plan: text("Growth"),
      mrr_cents: integer(49900),
      partner_id,
      first_commission_cents: integer(9980),
    }),
  },
  "commission.accrued": {
    summary: "A commission was accrued: first, recurring, an override, or a reversal with a negative amount.",
    data: closed({
      commission_id: id("commission"),
      partner_id,
      deal_id: nullable(id("deal")),
      client_id: nullable(id("client")),
      kind: Type.Enum(["first", "recurring", "override", "marketplace", "adjustment", "reversal"]),
      level: integer(0),
      base_cents: integer(49900),
      rate_bps: integer(2000),
      amount_cents: integer(9980),
      currency,
      status: Type.Enum(["pending", "approved", "scheduled", "paid", "held", "void"]),
      hold_until: nullable(time),
      grade: text("gold"),
      rule: text("grade gold, version 3"),
      source_commission_id: nullable(id("commission")),
    }),
  },
  "payout.scheduled": {
    summary: "A payout was scheduled; emitted again with a higher attempt after a failure.",
    data: closed({
      payout_id: id("payout"),
      partner_id,
      net_cents: integer(182_340),
      gross_cents: integer(190_000),
      adjustments_cents: integer(-7660),
      carry_in_cents: integer(0),
      currency,
      commission_count: integer(37),
      period: text("2026-10-15/2026-11-15"),
      scheduled_for: time,
      attempt: integer(1),
    }),
  },
  "payout.paid": {
    summary: "A payout was paid.",
    data: closed({
      payout_id: id("payout"),
      partner_id,
      net_cents: integer(182_340),
      currency,
      paid_at: time,
      method: text("sepa"),
      reference: nullable(text("TRB-2026-10-0001")),
    }),
  },
  "snapshot.deployed": {
    summary:
      "A version of a snapshot was deployed to a client, fully or partially, or rolled back; emitted once more when a rollout ends or halts.",
    data: closed({
      deployment_id: nullable(id("deployment")),
      rollout_id: nullable(id("rollout")),
      snapshot_id: id("snapshot"),
      client_id: nullable(id("client")),
      partner_id,
      version: integer(4),
      previous_version: nullable(integer(3)),
      status: Type.Enum(["succeeded", "partial", "failed", "halted", "cancelled", "rolled_back"]),
      scope: Type.Enum(["client", "rollout"]),
      counts,
    }),
  },
  "snapshot.purchased": {
    summary: "A snapshot was purchased; emitted for the seller and for the buyer.",
    data: closed({
      purchase_id: id("purchase"),
      snapshot_id: id("snapshot"),
      partner_id,
      version: integer(4),
      price_cents: integer(19_900),
      currency,
      seller_share_cents: integer(15_920),
      role: Type.Enum(["seller", "buyer"]),
    }),
  },
  "tier.changed": {
    summary: "A partner's grade changed, or a certification was granted or expired.",
    data: closed({
      partner_id,
      previous_grade: text("silver"),
      grade: text("gold"),
      direction: Type.Enum(["up", "down", "none"]),
      reason: Type.Enum(["metric", "certification", "manual"]),
      certification: nullable(text("crt_01jd3k5y5cf7m8n9p0q1r2s3t4")),
      effective_at: time,
    }),
  },
};
