import { type Route, route, uploadRoute } from "../../../platform/http/route.ts";
import { cancelImport, followImport, getImport, listImports, revertImport } from "./commands.ts";
import { createImport } from "./create.commands.ts";
import { failedRowsFile, listErrors } from "./errors.commands.ts";
import { BYTES_MAX } from "./model.ts";
import { Import, ImportErrorList, ImportErrorsQuery, ImportList, ImportListQuery, ImportOptions } from "./schema.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "import" } } as const;
const FURTHER = "Imports of other records than contacts also need the scope of those records.";

export const importRoutes: Route[] = [
  uploadRoute({
    operation: "imports.create",
    method: "POST",
    path: "/imports",
    summary: "Import records from a CSV file",
    description: `The body is the file itself. It is read through before it is accepted; its rows are then taken in one after another. ${FURTHER}`,
    scope: "contacts:write",
    ...none,
    upload: { type: "text/csv", bytes_max: BYTES_MAX },
    query: ImportOptions,
    errors: ["invalid_csv", "import_limit_reached", "client_inactive", "account_required"],
    reply: { status: 202, schema: Import, location: (id) => `/imports/${id}` },
    handle: (ctx, { query, body }) => createImport(ctx, query, body),
  }),
  route({
    operation: "imports.list",
    method: "GET",
    path: "/imports",
    summary: "List imports",
    description: "Shows those of the records that the key may read.",
    scope: "contacts:read",
    ...none,
    query: ImportListQuery,
    reply: { status: 200, schema: ImportList },
    handle: (ctx, { query }) => listImports(ctx, query),
  }),
  route({
    operation: "imports.get",
    method: "GET",
    path: "/imports/{id}",
    summary: "Get an import and how far it is",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: Import },
    handle: async (ctx, { params }) => ({ json: (await getImport(ctx, params.id)).json }),
  }),
  route({
    operation: "imports.follow",
    method: "GET",
    path: "/imports/{id}/events",
    summary: "Follow an import until it is through",
    description: "A stream of server-sent events: `progress` with the import whenever it has come further, and `ended` at last.",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, stream: "events" },
    handle: (ctx, { params }) => followImport(ctx, params.id),
  }),
  route({
    operation: "imports.list_errors",
    method: "GET",
    path: "/imports/{id}/errors",
    summary: "List what was wrong with the rows of an import",
    scope: "contacts:read",
    ...one,
    query: ImportErrorsQuery,
    exportable: true,
    reply: { status: 200, schema: ImportErrorList },
    handle: (ctx, { params, query }) => listErrors(ctx, params.id, query),
  }),
  route({
    operation: "imports.failed_rows",
    method: "GET",
    path: "/imports/{id}/failed-rows",
    summary: "Get the rows that failed as a CSV file, to mend them and send them again",
    description: "The columns of the file that was sent, and `error`, which is not taken in when the file is sent again.",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, stream: "csv" },
    handle: (ctx, { params }) => failedRowsFile(ctx, params.id),
  }),
  route({
    operation: "imports.cancel",
    method: "POST",
    path: "/imports/{id}/cancel",
    summary: "Cancel an import",
    description: "What it has done stays, and can be reverted. One that is over stays as it is.",
    scope: "contacts:write",
    ...one,
    unversioned: true,
    reply: { status: 200, schema: Import },
    handle: async (ctx, { params }) => ({ json: (await cancelImport(ctx, params.id)).json }),
  }),
  route({
    operation: "imports.revert",
    method: "POST",
    path: "/imports/{id}/revert",
    summary: "Take back what an import did",
    description:
      "Records it made are deleted, records it changed get their values back, both only where nobody has touched them since. For 30 days.",
    scope: "contacts:write",
    ...one,
    unversioned: true,
    errors: ["invalid_state_transition", "import_not_revertible", "client_inactive"],
    reply: { status: 202, schema: Import },
    handle: async (ctx, { params }) => ({ json: (await revertImport(ctx, params.id)).json }),
  }),
];
