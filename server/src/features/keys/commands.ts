import { type Fault, fail, notFound } from "../../kernel/errors.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../kernel/page.ts";
import { actorOf } from "../../kernel/principal.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../platform/crypto/api-key.ts";
import { type Context, record, requireVersion } from "../../platform/record/context.ts";
import { excludeWriters } from "./admission.ts";
import { insertKey, keyOrNull, keysPage, saveRevocation, unknownClients } from "./queries.ts";
import type { KeyCreate, KeyListQuery } from "./schema.ts";

/** Makes a key that can do at most what its maker can. The secret is in the reply and nowhere else. */
export async function createKey(ctx: Context, input: KeyCreate) {
  refuseMoreThanOwn(ctx, input);
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    if (input.clients !== "all") refuseUnknownClients(input.clients, await unknownClients(tx, ctx.scope, input.clients));
    const key = await insertKey(tx, {
      ...input,
      partner_id: ctx.scope.partner_id,
      hash: hashApiKey(api_key),
      hint: apiKeyHint(api_key),
      created_by: actorOf(ctx.principal).id,
    });
    record(tx, [], {
      action: "keys.create",
      target: key.id,
      client_id: null,
      changes: { scopes: { from: null, to: input.scopes }, clients: { from: null, to: input.clients } },
    });
    return { ...key, json: JSON.stringify({ ...(JSON.parse(key.json) as object), api_key }) };
  });
}

export async function getKey(ctx: Context, id: string) {
  return (await keyOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listKeys(ctx: Context, { limit = LIMIT_DEFAULT, cursor }: KeyListQuery): Promise<{ json: string }> {
  const list = listIdentity("keys", {});
  const after = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await keysPage(ctx.db, ctx.scope, after, limit);
  return { json: pageJson(rows, limit, ({ id }) => encodeCursor(list, [id])) };
}

/** Revokes a key: when this has returned, nothing admits it any more and none of its writes commits. */
export function revokeKey(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const key = (await keyOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, key);
    await excludeWriters(tx, id);
    if (await saveRevocation(tx, ctx.scope, id)) record(tx, [], { action: "keys.revoke", target: id, client_id: null });
  });
}

function refuseMoreThanOwn(ctx: Context, { scopes, clients }: KeyCreate): void {
  if (ctx.principal.type !== "key") return;
  const own = ctx.principal.scopes;
  const missing = scopes.filter((scope) => !own.has(scope));
  if (missing.length > 0) {
    fail("insufficient_scope", {
      detail: `A key can grant only scopes that it has itself. This one lacks ${missing.join(", ")}.`,
      meta: { required_scope: missing[0], missing_scopes: missing },
    });
  }
  if (clients === "all" && ctx.scope.clients !== "all") fail("partner_wide_key_required");
}

function refuseUnknownClients(asked: readonly string[], unknown: string[]): void {
  if (unknown.length === 0) return;
  const faults: Fault[] = unknown.slice(0, 50).map((id) => ({
    in: "body",
    pointer: `#/clients/${asked.indexOf(id)}`,
    code: "unknown_client",
    detail: `There is no ${id} here.`,
  }));
  fail("validation_failed", { detail: "Some of the clients do not exist.", faults });
}
