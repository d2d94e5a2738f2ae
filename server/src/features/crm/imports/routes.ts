import { type Route, route, uploadRoute } from "../../../platform/http/route.ts";
import { cancelImport, followImport, getImport, importFields, listImports, revertImport } from "./commands.ts";
import { createImport } from "./create.commands.ts";
import { failedRowsFile, listErrors } from "./errors.commands.ts";
import { BYTES_MAX } from "./model.ts";
import {
  Import,
  ImportErrorList,
  ImportErrorsQuery,
  ImportFields,
  ImportFieldsQuery,
  ImportList,
  ImportListQuery,
  ImportOptions,
} from "./schema.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "import" } } as const;
const FURTHER = "Imports of leads and deals also need the scope of that resource.";

export const importRoutes: Route[] = [
  uploadRoute({
    operation: "imports.create",
    method: "POST",
    path: "/imports",
    summary: "Import records from a CSV file",
    description: `The body is the file. It is parsed before the import is accepted; its rows are then imported in the background. ${FURTHER}`,
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
    description: "Imports of the resources that the key may read.",
    scope: "contacts:read",
    ...none,
    query: ImportListQuery,
    reply: { status: 200, schema: ImportList },
    handle: (ctx, { query }) => listImports(ctx, query),
  }),
  route({
    operation: "imports.fields",
    method: "GET",
    path: "/imports/fields",
    summary: "List the fields that columns can be mapped to",
    description: "The same for every account; its custom fields are added as `custom.<key>`.",
    scope: "contacts:read",
    ...none,
    query: ImportFieldsQuery,
    reply: { status: 200, schema: ImportFields },
    handle: async (_ctx, { query }) => importFields(query),
  }),
  route({
    operation: "imports.get",
    method: "GET",
    path: "/imports/{id}",
    summary: "Get an import",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: Import },
    handle: async (ctx, { params }) => ({ json: (await getImport(ctx, params.id)).json }),
  }),
  route({
    operation: "imports.follow",
    method: "GET",
    path: "/imports/{id}/events",
    summary: "Follow an import",
    description:
      "A stream of server-sent events: `progress` with the import whenever it has changed, and `ended` when it has ended.",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, stream: "events" },
    handle: (ctx, { params }) => followImport(ctx, params.id),
  }),
  route({
    operation: "imports.list_errors",
    method: "GET",
    path: "/imports/{id}/errors",
    summary: "List the errors of an import",
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
    summary: "Export the failed rows of an import",
    description:
      "A CSV file with the columns of the original and a column `error`, which is ignored when the corrected file is imported.",
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
    description: "Rows that were processed stay, and can be reverted. An import that has ended is not changed.",
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
    summary: "Revert an import",
    description:
      "Deletes the records that the import created and restores those that it updated, unless they were changed since. Possible for 30 days.",
    scope: "contacts:write",
    ...one,
    unversioned: true,
    errors: ["invalid_state_transition", "import_not_revertible", "client_inactive"],
    reply: { status: 202, schema: Import },
    handle: async (ctx, { params }) => ({ json: (await revertImport(ctx, params.id)).json }),
  }),
];
