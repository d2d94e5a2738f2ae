import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { ClientListQuery } from "../../accounts/clients/index.ts";
import { PlanCounts, POLICIES } from "../deployments/index.ts";
import { FAILURE_PERCENT_DEFAULT, MEMBER_STATUSES, STATUSES } from "./model.ts";

const CLIENT_IDS_MAX = 5_000;
export const MINUTES_MAX = 60;

const { limit: _, cursor: __, sort: ___, include_house: ____, ...filters } = ClientListQuery.properties;

const ClientIds = Type.Array(Id("client"), { minItems: 1, maxItems: CLIENT_IDS_MAX, uniqueItems: true });

const Target = Type.Union(
  [
    Type.Enum(["all", "installed"], {
      type: "string",
      description: "all: every active client; installed: the clients that run the snapshot",
      examples: ["all"],
    }),
    Type.Object({ client_ids: ClientIds }, closed),
    Type.Object(
      { filter: Type.Object(filters, { ...closed, description: "The clients that match, as GET /clients would list them" }) },
      closed,
    ),
  ],
  { description: "The clients that it is deployed to, as they are now: later ones do not join", examples: ["all"] },
);

const Canary = Type.Union(
  [
    Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100_000, examples: [5] }) }, closed),
    Type.Object({ percent: Type.Integer({ minimum: 1, maximum: 100 }) }, closed),
    Type.Object({ client_ids: ClientIds }, closed),
  ],
  { description: "The clients that come first. The others follow only if few enough of these failed" },
);

const FailurePercent = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: `It halts when more than this percentage of a phase, the canary or the others, has failed. Default: ${FAILURE_PERCENT_DEFAULT}`,
  examples: [FAILURE_PERCENT_DEFAULT],
});

const ConflictPolicy = Type.Enum([...POLICIES], {
  type: "string",
  description:
    "What happens to what a client has changed: merge keeps it and takes the rest; skip leaves the whole asset; overwrite replaces it; fail refuses the client",
  examples: ["merge"],
});

const SnapshotVersion = Type.Integer({ minimum: 1, maximum: 1_000, description: "The version of the snapshot", examples: [1] });

export const RolloutCreate = Type.Object(
  {
    version: Type.Optional(Type.Integer({ ...SnapshotVersion, description: "The version of the snapshot. Default: the latest" })),
    target: Target,
    conflict_policy: Type.Optional(ConflictPolicy),
    canary: Type.Optional(
      Type.Union([Canary, Type.Null()], {
        description: "Default: one client of a hundred, 1 to 50, and none for fewer than ten clients. null: none",
        examples: [null],
      }),
    ),
    max_failure_percent: Type.Optional(FailurePercent),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Whether to plan for every client and change nothing", examples: [false] }),
    ),
    plan_of: Type.Optional(
      nullable(
        Type.String({
          ...Id("rollout"),
          description: "A dry run of the same: clients whose plan is no longer the one that it found fail with plan_stale",
        }),
      ),
    ),
  },
  { ...closed, title: "RolloutCreate" },
);
export type RolloutCreate = Type.Static<typeof RolloutCreate>;

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });

const Counts = Type.Object(
  {
    queued: Count("Waiting"),
    succeeded: Count("Deployed as planned"),
    partial: Count("Deployed, with conflicts"),
    unchanged: Count("Nothing to change"),
    skipped: Count("Left out: suspended, closed or superseded meanwhile"),
    failed: Count("Failed: nothing changed"),
    cancelled: Count("Not reached before it was cancelled"),
    planned: Count("Planned by a dry run"),
    rolled_back: Count("Rolled back"),
  },
  { ...closed, description: "Clients by the status of their deployment. They sum to total" },
);

const Plan = Type.Object(
  {
    plan_hash: Type.String({ examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"] }),
    clients: Count("The clients that the plan is for"),
    conflicts: Count("Its conflicts"),
    counts: Type.Optional(nullable(PlanCounts)),
    deployment_id: Type.String({ ...Id("deployment"), description: "One of the deployments, which shows the plan" }),
  },
  closed,
);

export const Rollout = Type.Object(
  {
    id: Id("rollout"),
    snapshot_id: Id("snapshot"),
    version: SnapshotVersion,
    target: Target,
    conflict_policy: ConflictPolicy,
    dry_run: Type.Boolean(),
    plan_of: nullable(Id("rollout")),
    canary: nullable(Canary),
    canary_members: Count("The clients of the canary"),
    max_failure_percent: FailurePercent,
    status: Type.Enum([...STATUSES], { type: "string", examples: ["running"] }),
    status_reason: nullable(
      Type.String({
        description:
          "Why it is halted: too_many_failures, or the error of the key or user that it works for. Resuming takes over the work",
        examples: ["too_many_failures"],
      }),
    ),
    total: Count("The clients of the rollout"),
    counts: Counts,
    canary_counts: Type.Object(Counts.properties, { ...closed, description: "The same of the clients of the canary alone" }),
    plans: nullable(
      Type.Array(Plan, { description: "Of a dry run that has ended: its plans, those of most clients first, at most 100" }),
    ),
    created_by: Type.String({
      description: "The key or user that created the rollout",
      examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    created_at: Time,
    updated_at: Time,
    finished_at: nullable(Time),
  },
  { ...closed, title: "Rollout" },
);

export const RolloutPace = Type.Object(
  {
    rollout_id: Id("rollout"),
    canary_done_at: Type.Union([Time, Type.Null()], { description: "When the last client of the canary so far was done" }),
    minutes: Type.Array(
      Type.Object(
        { at: Time, clients: Count("Clients that were done in this minute"), failed: Count("Those of them that failed") },
        closed,
      ),
      { maxItems: MINUTES_MAX, description: `The last ${MINUTES_MAX} minutes in which clients were done, the oldest first` },
    ),
  },
  { ...closed, title: "RolloutPace" },
);

const anyStatus = <const Values extends readonly string[]>(values: Values) =>
  Type.Optional(
    Type.Array(Type.Enum([...values], { type: "string" }), {
      minItems: 1,
      maxItems: values.length,
      uniqueItems: true,
      description: "Any of these",
    }),
  );

export const RolloutListQuery = Type.Object(
  { ...page, snapshot_id: Type.Optional(Id("snapshot")), status: anyStatus(STATUSES) },
  closed,
);
export type RolloutListQuery = Type.Static<typeof RolloutListQuery>;

export const RolloutList = listOf(Rollout, "RolloutList");

export const RolloutDeployment = Type.Object(
  {
    id: Id("deployment"),
    client_id: Id("client"),
    company: Type.String({ examples: ["Harbour Cafe"] }),
    canary: Type.Boolean({ description: "Whether the client is one of the canary" }),
    status: Type.Enum([...MEMBER_STATUSES], { type: "string", examples: ["succeeded"] }),
    previous_version: nullable(Type.Integer({ description: "The version that the client ran before", examples: [3] })),
    plan_hash: nullable(Type.String({ description: "What was done: the same for clients in the same state" })),
    conflicts: Count("The conflicts of the plan; the deployment lists them"),
    failure: nullable(
      Type.Object(
        { code: Type.String({ examples: ["client_inactive"] }), detail: Type.String({ examples: ["The client is suspended."] }) },
        { description: "Why it failed or was skipped, or why it could not be rolled back" },
      ),
    ),
    finished_at: nullable(Time),
  },
  { ...closed, title: "RolloutDeployment" },
);

export const RolloutDeploymentsQuery = Type.Object({ ...page, status: anyStatus(MEMBER_STATUSES) }, closed);
export type RolloutDeploymentsQuery = Type.Static<typeof RolloutDeploymentsQuery>;

export const RolloutDeploymentList = listOf(RolloutDeployment, "RolloutDeploymentList");

export const ResumeBody = Type.Object({ max_failure_percent: Type.Optional(FailurePercent) }, closed);
export type ResumeBody = Type.Static<typeof ResumeBody>;

export const RetryBody = Type.Object(
  {
    include_skipped: Type.Optional(
      Type.Boolean({ description: "Whether to queue the skipped ones again, too. Default: false", examples: [false] }),
    ),
  },
  closed,
);
export type RetryBody = Type.Static<typeof RetryBody>;
