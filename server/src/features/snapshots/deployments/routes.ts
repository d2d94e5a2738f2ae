import { type Route, route } from "../../../platform/http/route.ts";
import { deployToClient, getDeployment, listDeployments } from "./commands.ts";
import { listInstalled, listInstalls } from "./installs.commands.ts";
import { retryDeployment } from "./retry.commands.ts";
import { rollbackDeployment } from "./rollback.commands.ts";
import {
  DeploymentCreate,
  DeploymentDetail,
  DeploymentList,
  DeploymentListQuery,
  InstallList,
  InstallListQuery,
} from "./schema.ts";

const reads = { method: "GET", scope: "snapshots:read", partner_wide: false } as const;
const deploys = { method: "POST", scope: "snapshots:deploy", partner_wide: false, unversioned: true } as const;
const ofClient = { path: "/clients/{id}/snapshots", params: { id: "client" }, client_param: "id" } as const;

export const deploymentRoutes: Route[] = [
  route({
    ...reads,
    ...ofClient,
    operation: "deployments.installed",
    summary: "List the snapshots of a client",
    description: "What runs in the account, in which version, and what the client has changed of it.",
    reply: { status: 200, schema: InstallList },
    handle: (ctx, { params }) => listInstalled(ctx, params.id),
  }),
  route({
    ...deploys,
    ...ofClient,
    operation: "deployments.create",
    summary: "Deploy a snapshot to a client",
    description:
      "Brings the account to a version of the snapshot, all or nothing. Changes of the client are kept unless `conflict_policy` says otherwise, and listed in `conflicts`. `dry_run` answers with the plan and its `plan_hash`; sent back, nothing but that plan is applied. 200 for a dry run, and with the deployment that stands where there is nothing to change.",
    body: DeploymentCreate,
    errors: ["client_inactive", "snapshot_conflict", "plan_stale", "snapshot_not_deployable"],
    reply: { status: 200, or_created: true, schema: DeploymentDetail, location: (id) => `/deployments/${id}` },
    handle: (ctx, { params, body }) => deployToClient(ctx, params.id, body),
  }),
  route({
    ...reads,
    operation: "deployments.installs",
    path: "/snapshots/{id}/installs",
    summary: "List the clients that run a snapshot",
    description: "Those furthest behind first, each with what the client has changed of it.",
    params: { id: "snapshot" },
    query: InstallListQuery,
    reply: { status: 200, schema: InstallList },
    handle: (ctx, { params, query }) => listInstalls(ctx, params.id, query),
  }),
  route({
    ...reads,
    operation: "deployments.list",
    path: "/deployments",
    summary: "List deployments",
    description: "Of single clients and of rollouts, newest first.",
    params: {},
    query: DeploymentListQuery,
    reply: { status: 200, schema: DeploymentList },
    handle: (ctx, { query }) => listDeployments(ctx, query),
  }),
  route({
    ...reads,
    operation: "deployments.get",
    path: "/deployments/{id}",
    summary: "Get a deployment",
    description: "With the steps of its plan, which are kept for 30 days.",
    params: { id: "deployment" },
    reply: { status: 200, schema: DeploymentDetail },
    handle: (ctx, { params }) => getDeployment(ctx, params.id),
  }),
  route({
    ...deploys,
    operation: "deployments.rollback",
    path: "/deployments/{id}/rollback",
    summary: "Roll back a deployment",
    description:
      "Brings the account back to what the deployment found, within 30 days, if it is the newest of its snapshot there. What the client has changed since is kept and listed in `conflicts`. To repeat it changes nothing.",
    params: { id: "deployment" },
    errors: ["client_inactive", "deployment_not_revertible"],
    reply: { status: 200, schema: DeploymentDetail },
    handle: (ctx, { params }) => rollbackDeployment(ctx, params.id),
  }),
  route({
    ...deploys,
    operation: "deployments.retry",
    path: "/deployments/{id}/retry",
    summary: "Retry a deployment",
    description:
      "Queues one again that has failed or was skipped: a snapshot of a new client that was deployed after its creation. It is skipped again if another deployment of the snapshot came meanwhile. Members of a rollout are retried with it. To repeat it changes nothing.",
    params: { id: "deployment" },
    errors: ["client_inactive", "invalid_state_transition"],
    reply: { status: 200, schema: DeploymentDetail },
    handle: (ctx, { params }) => retryDeployment(ctx, params.id),
  }),
];
