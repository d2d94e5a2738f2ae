import { CentsByCurrency, closed, FreeText, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "\\S",
  description: "1 to 100 characters, not whitespace only",
  examples: ["Back office"],
});

export const OperatorKeyCreate = Type.Object({ name: Name }, { ...closed, title: "OperatorKeyCreate" });
export type OperatorKeyCreate = Type.Static<typeof OperatorKeyCreate>;

const keyFields = {
  id: Id("key"),
  name: Name,
  hint: Type.String({ description: "The last four characters of the key", examples: ["x7Qa"] }),
  created_by: Type.String({
    description: "The operator key or user that created it",
    examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
  }),
  created_at: Time,
  revoked_at: nullable(Time),
  version: Version,
};

export const OperatorKey = Type.Object(keyFields, {
  ...closed,
  title: "OperatorKey",
  description: "A key of the company that runs the programme. It has access to everything under /v1/admin, and to nothing else.",
});
export type OperatorKey = Type.Static<typeof OperatorKey>;

export const OperatorKeyCreated = Type.Object(
  {
    ...keyFields,
    api_key: Type.String({
      pattern: "^trb_[0-9A-Za-z]{38}$",
      description: "The secret. It is shown only once.",
      examples: ["trb_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef"],
    }),
  },
  { ...closed, title: "OperatorKeyCreated" },
);

export const OperatorKeyListQuery = Type.Object(page, closed);
export type OperatorKeyListQuery = Type.Static<typeof OperatorKeyListQuery>;

export const OperatorKeyList = listOf(OperatorKey, "OperatorKeyList");

const ProgrammeName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Tributary partner programme"],
});
const Currency = Type.String({
  format: "currency",
  description: "An ISO 4217 code in lower case, such as usd",
  examples: ["usd"],
});
const SupportEmail = nullable(
  Type.String({
    format: "email",
    maxLength: 254,
    description: "The e-mail address of the support for partners",
    examples: ["partners@tributary.example"],
  }),
);

const registrations = {
  registration_review: Type.Enum(["auto", "review"], {
    description: "Whether registered sales are approved automatically (auto) or by the operator (review)",
    examples: ["auto"],
  }),
  protection_days: Type.Integer({
    minimum: 1,
    maximum: 3650,
    description: "For how many days a registered company is protected for the partner",
    examples: [90],
  }),
  open_registrations_max: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: "How many open registrations a partner may have",
    examples: [100],
  }),
};

const Days = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({ minimum, maximum, description, examples: [example] });
const Bps = Type.Integer({ minimum: 0, maximum: 10_000, examples: [300] });

const commissions = {
  hold_days: Days(0, 365, "For how many days after its charge a commission is held before it is approved", 30),
  first_charge_days: Days(
    1,
    3650,
    "For how many days a won sale may wait for its first charge before its commission is void",
    180,
  ),
  override_bps: Type.Array(Bps, {
    maxItems: 3,
    description: "What the partners above the seller earn, in basis points: the nearest first, up to three levels",
    examples: [[300, 200, 100]],
  }),
  override_gate: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "How many active clients of its own a partner needs to earn from the sales of partners below it",
    examples: [1],
  }),
  total_cap_bps: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description:
      "How much all levels together may earn of a charge, in basis points. The farthest level is cut first, the seller never",
    examples: [5000],
  }),
  tier_grace_days: Days(0, 365, "For how many days a partner keeps a grade whose requirements it no longer meets", 30),
  sub_partner_invites: Type.Enum(["on", "off"], {
    description: "Whether partners may add partners below them",
    examples: ["on"],
  }),
};

const payouts = {
  payout_cron: nullable(
    Type.String({
      maxLength: 100,
      description:
        "When partners are paid: a cron expression of five fields in payout_time_zone, at most once an hour; L is the last day of the month. null: only when the operator starts a run",
      examples: ["0 6 15 * *"],
    }),
  ),
  payout_time_zone: Type.String({
    maxLength: 100,
    description: "The time zone of payout_cron, from the IANA database",
    examples: ["Europe/Berlin"],
  }),
  payout_minimums: CentsByCurrency("The least amount that is paid in a currency; 5000 where none is set. Replaced as a whole"),
  payout_debtor: nullable(
    Type.Object(
      {
        name: FreeText(70, "The holder of the account", "Tributary GmbH"),
        iban: Type.String({ maxLength: 50, description: "Stored without spaces", examples: ["DE89370400440532013000"] }),
        bic: Type.Optional(Type.String({ maxLength: 20, examples: ["COBADEFFXXX"] })),
      },
      { ...closed, description: "The account that bank files pay from" },
    ),
  ),
};

const links = {
  link_hosts: Type.Array(
    Type.String({
      maxLength: 253,
      pattern: "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$",
      description: "A host name in lower case, such as shop.example",
      examples: ["shop.example"],
    }),
    {
      maxItems: 100,
      uniqueItems: true,
      description: "The hosts that affiliate links may lead to, their subdomains included. Empty: any host",
      examples: [["shop.example"]],
    },
  ),
  link_window_days: Days(
    1,
    365,
    "For how many days after a click a lead or a deal counts as made by the link, for new links",
    90,
  ),
};

const marketplace = {
  marketplace_review: Type.Boolean({
    description: "Whether each version of a snapshot that a partner lists waits for the operator before others see it",
    examples: [true],
  }),
  marketplace_share_bps: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description:
      "What the seller of a snapshot gets of its price, in basis points, rounded down. The rest is the operator's. For later purchases",
    examples: [8000],
  }),
};

const settings = {
  name: ProgrammeName,
  default_currency: Currency,
  support_email: SupportEmail,
  ...registrations,
  ...commissions,
  ...payouts,
  ...links,
  ...marketplace,
};

/** The columns of the update, and what its audit entry compares. */
export const PROGRAMME_FIELDS = Object.keys(settings) as (keyof typeof settings)[];

export const ProgrammePatch = Type.Partial(Type.Object(settings), { ...closed, title: "ProgrammePatch", minProperties: 1 });
export type ProgrammePatch = Type.Static<typeof ProgrammePatch>;

export const Programme = Type.Object(
  { ...settings, first_run_at: Time, updated_at: Time, version: Version },
  { ...closed, title: "Programme", description: "The programme that this installation runs." },
);
export type Programme = Type.Static<typeof Programme>;

const Seconds = Type.Number({ minimum: 0, examples: [0.4] });
const Count = Type.Integer({ minimum: 0, examples: [0] });

const JobRun = Type.Object(
  {
    name: Type.String({ examples: ["retention"] }),
    runs: Count,
    failures: Count,
    started_at: Time,
    finished_at: nullable(Time),
    duration_ms: nullable(Count),
    outcome: nullable(Type.String({ description: "The result of the last run", examples: ["1 partition dropped"] })),
    last_error: nullable(Type.String({ examples: ["canceling statement due to lock timeout"] })),
    last_error_at: nullable(Time),
  },
  { ...closed, title: "JobRun", description: "The last run of a scheduled job." },
);

export const SystemHealth = Type.Object(
  {
    readiness: Type.Enum(["starting", "ready", "draining"]),
    process: Type.Object(
      {
        version: Type.String({ examples: ["0.1.0"] }),
        node: Type.String({ examples: ["24.11.0"] }),
        uptime_seconds: Seconds,
        memory_bytes: Count,
      },
      { ...closed, description: "The process that replied; behind a load balancer, one of several" },
    ),
    database: Type.Object(
      {
        version: Type.String({ examples: ["18.4"] }),
        size_bytes: Count,
        connections: Count,
        connections_max: Count,
        oldest_transaction_seconds: Seconds,
      },
      closed,
    ),
    cluster: nullable(
      Type.Array(
        Type.Object(
          {
            address: Type.String({ examples: ["10.0.0.5:5432"] }),
            role: Type.Enum(["coordinator", "worker"]),
            active: Type.Boolean(),
            shards: Type.Integer({ minimum: 0, description: "How many parts of tables it has", examples: [32] }),
          },
          closed,
        ),
        { description: "The nodes of the cluster; null where the database is on one node" },
      ),
    ),
    migrations: Type.Object(
      { applied: Count, newest: Type.String({ examples: ["0003_operators.sql"] }), applied_at: Time },
      closed,
    ),
    feed: Type.Object(
      { waiting_events: Count, oldest_waiting_seconds: Seconds },
      {
        ...closed,
        description: "Events that the sequencer has not assigned a position yet. Counted up to 100,000.",
      },
    ),
    deliveries: Type.Object(
      {
        workers: Count,
        endpoints_held: Count,
        endpoints_degraded: Count,
        pending: Count,
        oldest_pending_seconds: Seconds,
      },
      {
        ...closed,
        description:
          "Webhook deliveries: active workers, endpoints that a worker holds, degraded endpoints, and the backlog including parked deliveries. Counted up to 100,000.",
      },
    ),
    jobs: Type.Array(JobRun),
  },
  { ...closed, title: "SystemHealth" },
);
