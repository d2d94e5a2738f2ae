import { type Route, route } from "../../../platform/http/route.ts";
import { archiveSnapshot, createSnapshot, getSnapshot, listSnapshots, updateSnapshot } from "./commands.ts";
import { Snapshot, SnapshotCreate, SnapshotCreated, SnapshotList, SnapshotListQuery, SnapshotPatch } from "./schema.ts";
import { MANIFEST_BODY_BYTES_MAX } from "./versions/schema.ts";

const reads = { method: "GET", scope: "snapshots:read", partner_wide: false } as const;
const writes = { scope: "snapshots:write", partner_wide: true } as const;
const one = { path: "/snapshots/{id}", params: { id: "snapshot" } } as const;

export const snapshotRoutes: Route[] = [
  route({
    ...reads,
    operation: "snapshots.list",
    path: "/snapshots",
    summary: "List snapshots",
    description: "The partner's own and those that it bought, newest first.",
    params: {},
    query: SnapshotListQuery,
    reply: { status: 200, schema: SnapshotList },
    handle: (ctx, { query }) => listSnapshots(ctx, query),
  }),
  route({
    ...writes,
    operation: "snapshots.create",
    method: "POST",
    path: "/snapshots",
    summary: "Create a snapshot",
    description:
      "With a `manifest`, or with a `source_client_id` whose account is captured, it has its first version and is published unless `status` says draft. Without either it is an empty draft. What cannot leave the account is listed in `left_out`.",
    params: {},
    body: SnapshotCreate,
    body_bytes_max: MANIFEST_BODY_BYTES_MAX,
    errors: ["duplicate_snapshot"],
    reply: { status: 201, schema: SnapshotCreated, location: (id) => `/snapshots/${id}` },
    handle: (ctx, { body }) => createSnapshot(ctx, body),
  }),
  route({
    ...reads,
    ...one,
    operation: "snapshots.get",
    summary: "Get a snapshot",
    reply: { status: 200, schema: Snapshot },
    handle: (ctx, { params }) => getSnapshot(ctx, params.id),
  }),
  route({
    ...writes,
    ...one,
    operation: "snapshots.update",
    method: "PATCH",
    summary: "Change a snapshot",
    description: "Its name, description or status. Accounts that run it keep what they have.",
    body: SnapshotPatch,
    errors: ["duplicate_snapshot", "invalid_state_transition", "resource_in_use", "snapshot_bought"],
    reply: { status: 200, schema: Snapshot },
    handle: (ctx, { params, body }) => updateSnapshot(ctx, params.id, body),
  }),
  route({
    ...writes,
    ...one,
    operation: "snapshots.archive",
    method: "DELETE",
    summary: "Archive a snapshot",
    description: "It is no longer deployed. Accounts that run it keep what they have. A default of the partner is not archived.",
    errors: ["resource_in_use", "snapshot_bought"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveSnapshot(ctx, params.id)),
  }),
];
