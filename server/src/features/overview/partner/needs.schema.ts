import type { Kind } from "../../../kernel/ids.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { closed, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../platform/http/type.ts";

/** How many of a kind an overview shows. */
export const SHOWN_MAX = 5;

const Count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });
const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const Company = text("Company", "Harbour Dental");
const Currency = text("ISO 4217 code in lower case", "usd");
const Cents = nullable(Type.Integer({ minimum: 0, examples: [49_900] }));
const Reason = nullable(text("Reason that was given", "Invoice overdue"));

const Registration = {
  name: Company,
  protected_until: Time,
  reason: Reason,
  plan: nullable(text("Plan", "Growth")),
  mrr_cents: Cents,
  currency: Currency,
};

type Need = { scope: Scope; subject: Kind; since: string; facts: Record<string, TSchema> };

/** The kinds of things that need attention: who may see them, what their id and their time are of, and their facts. */
export const NEEDS = {
  webhook_failing: {
    scope: "webhooks:read",
    subject: "endpoint",
    since: "it has failed, or is disabled",
    facts: {
      name: text("URL of the endpoint", "https://hooks.northwind.example/tributary"),
      state: Type.Enum(["degraded", "disabled"]),
      disabled_reason: nullable(Type.Enum(["gone", "failing"])),
      last_status: nullable(Type.Integer({ description: "Status of the last reply; null if there was none", examples: [500] })),
      parked: Count("Deliveries that wait for it, counted up to 10,000", 12),
    },
  },
  import_failed: {
    scope: "contacts:read",
    subject: "import",
    since: "it failed, within 30 days",
    facts: {
      name: text("Company of the account", "Harbour Dental"),
      account_id: Id("client"),
      resource: Type.Enum(["contact", "lead", "deal"]),
      code: nullable(text("Code of the error", "client_inactive")),
      processed: Count("Rows that were processed", 1200),
      total: Count("Rows of the file", 5000),
    },
  },
  approval_pending: {
    scope: "agents:read",
    subject: "approval",
    since: "the agent waits for it",
    facts: {
      name: text("Name of the agent", "Nora"),
      account_id: Id("client"),
      company: text("Company of the account", "Harbour Dental"),
      tool: text("What the agent wants to use", "create_deal"),
      expires_at: Time,
    },
  },
  registration_rejected: { scope: "deals:read", subject: "deal", since: "it was rejected, within 30 days", facts: Registration },
  registration_needs_info: { scope: "deals:read", subject: "deal", since: "information was requested", facts: Registration },
  registration_ending: {
    scope: "deals:read",
    subject: "deal",
    since: "its protection ends in less than 14 days",
    facts: Registration,
  },
  deal_over_target: {
    scope: "deals:read",
    subject: "deal",
    since: "it has been in its stage for longer than the target",
    facts: {
      name: text("Company, or the name of the deal", "Harbour Dental"),
      stage_id: Id("stage"),
      stage: text("Name of the stage", "Proposal"),
      target_days: Count("Target of the stage", 14),
      days_in_stage: Count("Whole days in the stage", 17),
      mrr_cents: Cents,
      amount_cents: Cents,
      currency: Currency,
      owner: nullable(text("Name of the owner", "Nora Lindqvist")),
    },
  },
  key_expiring: {
    scope: "keys:read",
    subject: "key",
    since: "it expires in less than 14 days",
    facts: { name: text("Name of the key", "Back office"), hint: text("Last four characters", "x7Qa"), expires_at: Time },
  },
  listing_refused: {
    scope: "snapshots:read",
    subject: "snapshot",
    since: "the operator refused it or took it off the marketplace, within 30 days",
    facts: {
      name: text("Name of the snapshot as it was submitted", "Dental practice"),
      version: Type.Integer({ minimum: 1, description: "Version that was submitted", examples: [2] }),
      listed_version: nullable(Type.Integer({ minimum: 1, description: "Version that is still listed", examples: [1] })),
      reason: Reason,
    },
  },
  client_suspended: {
    scope: "clients:read",
    subject: "client",
    since: "it is suspended",
    facts: { name: Company, reason: Reason, mrr_cents: Type.Integer({ minimum: 0, examples: [49_900] }), currency: Currency },
  },
  registration_submitted: { scope: "deals:read", subject: "deal", since: "it waits for review", facts: Registration },
  user_invited: {
    scope: "account:read",
    subject: "user",
    since: "the invitation waits",
    facts: {
      name: text("Name of the user", "Teo Marsh"),
      email: text("E-mail address", "teo@northwind.example"),
      role: Type.Enum(["owner", "admin", "member", "read_only"]),
    },
  },
} as const satisfies Record<string, Need>;

export type NeedKind = keyof typeof NEEDS;

const titleOf = (kind: string) => `Need${kind.replaceAll(/(^|_)([a-z])/g, (_, _mark, letter: string) => letter.toUpperCase())}`;

const items = (Object.entries(NEEDS) as [NeedKind, Need][]).map(([kind, { subject, since, facts }]) =>
  Type.Object(
    {
      kind: Type.Literal(kind),
      id: Id(subject),
      since: Type.String({ ...Time, description: `Since when ${since}` }),
      facts: Type.Object(facts, closed),
    },
    { ...closed, title: titleOf(kind) },
  ),
);

export const Needs = Type.Object(
  {
    counts: Type.Object(
      Object.fromEntries(Object.keys(NEEDS).map((kind) => [kind, Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))])),
      { ...closed, description: "How many there are of each kind, counted up to 100; absent where there are none" },
    ),
    items: Type.Array(Type.Union(items), {
      description: `Of each kind up to ${SHOWN_MAX}, those that have waited longest first`,
    }),
  },
  { ...closed, title: "Needs", description: "What needs attention" },
);
