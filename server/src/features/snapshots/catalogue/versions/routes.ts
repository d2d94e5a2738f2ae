import { type Route, route } from "../../../../platform/http/route.ts";
import { createVersion, diffVersions, getVersion, listVersions } from "./commands.ts";
import {
  DiffQuery,
  MANIFEST_BODY_BYTES_MAX,
  SnapshotDiff,
  SnapshotVersionContent,
  SnapshotVersionCreated,
  SnapshotVersionList,
  VersionCreate,
  VersionListQuery,
} from "./schema.ts";

const reads = { method: "GET", scope: "snapshots:read", partner_wide: false } as const;
const one = { id: "snapshot" } as const;

export const versionRoutes: Route[] = [
  route({
    ...reads,
    operation: "snapshots.list_versions",
    path: "/snapshots/{id}/versions",
    summary: "List the versions of a snapshot",
    description: "The latest first.",
    params: one,
    query: VersionListQuery,
    reply: { status: 200, schema: SnapshotVersionList },
    handle: (ctx, { params, query }) => listVersions(ctx, params.id, query),
  }),
  route({
    operation: "snapshots.create_version",
    method: "POST",
    path: "/snapshots/{id}/versions",
    summary: "Add a version to a snapshot",
    description:
      "From a `manifest` or from the account of `source_client_id`. If the content is that of the latest version, that one is returned with 200, and nothing is added. `If-Match` has the ETag of the snapshot.",
    scope: "snapshots:write",
    partner_wide: true,
    params: one,
    body: VersionCreate,
    body_bytes_max: MANIFEST_BODY_BYTES_MAX,
    errors: ["invalid_state_transition", "snapshot_bought"],
    reply: {
      status: 200,
      or_created: true,
      schema: SnapshotVersionCreated,
      location: (version, { id }) => `/snapshots/${id}/versions/${version}`,
    },
    handle: (ctx, { params, body }) => createVersion(ctx, params.id, body),
  }),
  route({
    ...reads,
    operation: "snapshots.get_version",
    path: "/snapshots/{id}/versions/{version}",
    summary: "Get a version of a snapshot, with its manifest",
    description: "The manifest is complete: every member has its value, and assets are in the order in which they are applied.",
    params: { ...one, version: "version_number" },
    reply: { status: 200, schema: SnapshotVersionContent },
    handle: (ctx, { params }) => getVersion(ctx, params.id, Number(params.version)),
  }),
  route({
    ...reads,
    operation: "snapshots.diff",
    path: "/snapshots/{id}/diff",
    summary: "Compare two versions of a snapshot",
    params: one,
    query: DiffQuery,
    reply: { status: 200, schema: SnapshotDiff },
    handle: (ctx, { params, query }) => diffVersions(ctx, params.id, query),
  }),
];
