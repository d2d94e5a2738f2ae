import type { RecordKind } from "../../../kernel/changes.ts";
import { fail } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { isPhoneCountry } from "../../../kernel/phone.ts";
import { actorOf } from "../../../kernel/principal.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { accountForNew, mayAccess, scopeOf } from "../../accounts/custom-fields/index.ts";
import { recordAction } from "./commands.ts";
import { storeFile } from "./file/commands.ts";
import { deleteChunks } from "./file/queries.ts";
import { importableOf } from "./importables.model.ts";
import { mapColumns, requireColumns } from "./mapping.model.ts";
import { ACTIVE_MAX, type Mapping, parseObject } from "./model.ts";
import { countActive, countActiveLocked, insertImport } from "./queries.ts";
import type { ImportOptions } from "./schema.ts";

/**
 * Creates an import from an uploaded file. The file is stored outside of a transaction, so that a slow upload holds no locks; the
 * import is created once the upload is complete.
 */
export async function createImport(ctx: Context, options: ImportOptions, source: AsyncIterable<Buffer>): Promise<Result> {
  const { resource = "contact", mode = "create", dry_run = false, default_country = null } = options;
  requireScope(ctx, resource);
  const requested = parseMapping(options.mapping);
  const kind = importableOf(resource);
  refuseUnknownCountry(default_country);
  // Once before the file is read, unless it may have been imported already, and again where the count is certain.
  if (!ctx.repeatable) requireCapacity(await countActive(ctx.db, ctx.scope));
  const id = newId("import", ctx.clock.now().getTime());
  const file = { partner_id: ctx.scope.partner_id, import_id: id };
  try {
    const { delimiter, columns, ...stored } = await storeFile(ctx.db, file, untilDraining(ctx, source));
    return await ctx.tx(async (tx) => {
      const account = await accountForNew(ctx, tx, resource, options.account_id);
      const mapping = mapColumns(kind, account.fields, columns, requested);
      requireColumns(kind, mode, mapping);
      requireCapacity(await countActiveLocked(tx, ctx.scope));
      const plan = { delimiter, columns, mapping, default_country };
      const created_by = actorOf(ctx.principal).id;
      const { partner_id } = ctx.scope;
      const fields = { id, account_id: account.id, resource, mode, dry_run, plan, created_by, worked_for: created_by, ...stored };
      const created = await insertImport(tx, ctx.scope, fields);
      recordAction(tx, "create", { partner_id, id, account_id: account.id }, { resource, mode, dry_run, total: stored.total });
      return created;
    });
  } catch (error) {
    await deleteChunks(ctx.db, file);
    throw error;
  }
}

/** Ends an upload when the process stops: the rest of the file may take longer than the process has. */
async function* untilDraining(ctx: Context, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const piece of source) {
    if (ctx.readiness() === "draining")
      fail("service_unavailable", {
        detail: "The service is stopping. Nothing was imported: send the file again.",
        headers: { "retry-after": "1", connection: "close" },
      });
    yield piece;
  }
}

function requireCapacity(active: number): void {
  if (active < ACTIVE_MAX) return;
  const detail = `${ACTIVE_MAX} imports are queued or running already. Wait until one has ended, or cancel one.`;
  fail("import_limit_reached", { detail, meta: { limit: ACTIVE_MAX } });
}

function requireScope(ctx: Context, resource: RecordKind): void {
  if (mayAccess(ctx, resource, "write")) return;
  const required_scope = scopeOf(resource, "write");
  fail("insufficient_scope", {
    detail: `An import of ${resource}s needs the scope ${required_scope}.`,
    meta: { required_scope },
  });
}

function refuseParameter(name: string, code: string, detail: string): never {
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: `#/${name}`, code, detail }] });
}

function refuseUnknownCountry(code: string | null): void {
  if (code === null || isPhoneCountry(code)) return;
  refuseParameter("default_country", "unknown_country", `default_country must be an ISO 3166 country code; ${code} is not one.`);
}

function parseMapping(text: string | undefined): Mapping | undefined {
  if (text === undefined) return undefined;
  const mapping = parseObject(text);
  if (mapping !== null && Object.values(mapping).every((field) => field === null || typeof field === "string"))
    return mapping as Mapping;
  refuseParameter(
    "mapping",
    "not_a_mapping",
    'mapping must be a JSON object of columns and fields, such as {"Mobile": "phone"}.',
  );
}
