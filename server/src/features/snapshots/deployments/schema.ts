import { CreatedWithin, closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { CONFLICTS } from "./merge/conflict.model.ts";
import { ACTIONS, POLICIES } from "./plan/model.ts";

const Version = Type.Integer({ minimum: 1, maximum: 999_999_999, description: "Version of the snapshot", examples: [2] });
const PreviousVersion = nullable(
  Type.Integer({ minimum: 1, description: "Version that ran in the account before; null for none", examples: [1] }),
);
const Policy = Type.Enum([...POLICIES], {
  description:
    "What happens where the account was changed: merge keeps its changes field by field, skip leaves the whole asset, overwrite takes the snapshot's, fail deploys nothing. Default: merge",
  examples: ["merge"],
});
const PlanHash = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "Hash of the plan",
  examples: ["5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"],
});

const STATUSES = [
  "queued",
  "succeeded",
  "partial",
  "unchanged",
  "skipped",
  "failed",
  "cancelled",
  "planned",
  "rolled_back",
] as const;
const Status = Type.Enum([...STATUSES], {
  description: "partial: something was kept as the client has it, see conflicts; planned: a dry run",
  examples: ["succeeded"],
});

export const DeploymentCreate = Type.Object(
  {
    snapshot_id: Id("snapshot"),
    version: Type.Optional(Type.Integer({ ...Version, description: "Version of the snapshot. Default: the latest" })),
    conflict_policy: Type.Optional(Policy),
    dry_run: Type.Optional(Type.Boolean({ description: "Whether only the plan is made. Default: false", examples: [false] })),
    plan_hash: Type.Optional(
      Type.String({
        ...PlanHash,
        description: "Hash of the plan to apply: if the account has another plan by now, nothing is deployed",
      }),
    ),
  },
  { ...closed, title: "DeploymentCreate" },
);
export type DeploymentCreate = Type.Static<typeof DeploymentCreate>;

const code = Type.Enum([...CONFLICTS], { description: "Kind of the conflict", examples: ["both_changed"] });
const path = Type.String({
  description: "Path of the field within the asset; empty for the whole",
  examples: ["/stages/offer/probability"],
});
const detail = Type.String({ description: "What was kept, and why", examples: ["The client has changed it, too."] });
const asset = {
  type: Type.String({ description: "Type of the asset", examples: ["pipeline"] }),
  key: Type.String({ description: "Key of the asset in the snapshot", examples: ["sales"] }),
};

const Conflict = Type.Object({ ...asset, code, path, detail }, { ...closed, title: "DeploymentConflict" });

const Failure = nullable(
  Type.Object(
    {
      code: Type.String({ description: "Error code", examples: ["snapshot_conflict"] }),
      detail: Type.String({ examples: ["The account conflicts with the snapshot in 2 places."] }),
      reason: Type.Optional(Type.String({ description: "The reason, for programs" })),
    },
    closed,
  ),
);

const shown = {
  id: Id("deployment"),
  client_id: Id("client"),
  snapshot_id: Id("snapshot"),
  version: Version,
  previous_version: PreviousVersion,
  rollout_id: nullable(Id("rollout")),
  conflict_policy: Policy,
  status: Status,
  plan_hash: nullable(PlanHash),
  conflicts: Type.Array(Conflict, {
    description: "What is kept as the client has it; after a rollback, what the rollback kept",
  }),
  failure: Failure,
  created_by: Type.String({ description: "Key or user that asked for it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  finished_at: nullable(Time),
};

export const Deployment = Type.Object(shown, { ...closed, title: "Deployment" });
export type Deployment = Type.Static<typeof Deployment>;

export const DeploymentList = listOf(Deployment, "DeploymentList");

const value = (description: string) => Type.Unknown({ description });
const Step = Type.Object(
  {
    ...asset,
    name: Type.Optional(
      nullable(
        Type.String({ description: "What people call it; null for what has no name, such as lead scoring", examples: ["Sales"] }),
      ),
    ),
    action: Type.Enum([...ACTIONS], { description: "What is done to the record", examples: ["update"] }),
    fields: Type.Array(
      Type.Object(
        {
          path,
          base: value("Value of the version that the account had"),
          client: value("Value in the account"),
          snapshot: value("Value of the snapshot"),
          result: value("Value after the deployment"),
        },
        { ...closed, title: "DeploymentField" },
      ),
      { description: "Fields that change or are in conflict; null is what is not there" },
    ),
    conflicts: Type.Array(Type.Object({ code, path, detail }, closed)),
  },
  { ...closed, title: "DeploymentStep" },
);

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [1] });
export const PlanCounts = Type.Object(
  {
    create: count("Records that are created"),
    update: count("Records that change"),
    remove: count("Records that are removed"),
    unchanged: count("Records that stay as they are"),
    conflict: count("Conflicts"),
  },
  closed,
);

export const DeploymentDetail = Type.Object(
  {
    ...shown,
    id: nullable(Type.String({ ...Id("deployment"), description: "Id of the deployment; null for a dry run" })),
    counts: nullable(PlanCounts),
    steps: nullable(Type.Array(Step, { description: "The plan; null before there is one, and 30 days after its last use" })),
  },
  { ...closed, title: "DeploymentDetail" },
);

export const DeploymentListQuery = Type.Object(
  {
    ...page,
    client_id: Type.Optional(Id("client")),
    snapshot_id: Type.Optional(Id("snapshot")),
    rollout_id: Type.Optional(Id("rollout")),
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: STATUSES.length, description: "Any of these" })),
    ...CreatedWithin,
  },
  closed,
);
export type DeploymentListQuery = Type.Static<typeof DeploymentListQuery>;

const Drift = Type.Enum(["none", "modified", "missing"], {
  description: "Whether the client has changed records of the snapshot, or deleted some",
  examples: ["none"],
});

export const Installed = Type.Object(
  {
    client_id: Id("client"),
    company: Type.String({ description: "Company of the client", examples: ["Harbour Dental"] }),
    snapshot_id: Id("snapshot"),
    name: Type.String({ description: "Name of the snapshot", examples: ["Dental practice"] }),
    version: Version,
    latest_version: Type.Integer({ minimum: 1, description: "Latest version of the snapshot", examples: [3] }),
    drift: Drift,
    differences: Type.Array(Type.Object({ ...asset, drift: Type.Enum(["modified", "missing"]) }, closed), {
      description: "The assets that the client has changed or deleted",
    }),
    deployment_id: nullable(Type.String({ ...Id("deployment"), description: "The deployment that it runs from" })),
    updated_at: Time,
  },
  { ...closed, title: "SnapshotInstall" },
);
export type InstalledShown = Type.Static<typeof Installed>;

export const InstallList = listOf(Installed, "SnapshotInstallList");

export const InstallListQuery = Type.Object(
  { ...page, version: Type.Optional(Type.Integer({ ...Version, description: "Only clients that run this version" })) },
  closed,
);
export type InstallListQuery = Type.Static<typeof InstallListQuery>;
