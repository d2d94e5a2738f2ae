import { type Explanation, fail, notFound } from "../../../kernel/errors.ts";
import { actorOf, type ClientAccess } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../../platform/crypto/api-key.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { refuseUnknownClients } from "../../accounts/clients/index.ts";
import { excludeWriters } from "./admission.ts";
import {
  insertKey,
  KEY_FIELDS,
  type Key,
  type KeyLimits,
  keyForUpdateOrNull,
  keyOrNull,
  keysPage,
  ownLimits,
  saveRevocation,
  saveSecret,
  updateFields,
} from "./queries.ts";
import type { KeyCreate, KeyListQuery, KeyPatch, KeyRotation } from "./schema.ts";

const HOUR_MS = 3_600_000;
const GRANTS = KEY_FIELDS.filter((field) => field !== "name");

/** Makes a key that can do at most what its maker can, for as long and from where at most. The secret is in the reply and nowhere else. */
export function createKey(ctx: Context, input: KeyCreate) {
  refuseMoreScopes(ctx, input.scopes);
  refuseMoreClients(ctx, input.clients);
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    if (input.clients !== "all") await refuseUnknownClients(tx, ctx.scope, input.clients, "#/clients");
    const limits = await grantedLimits(ctx, tx, timesOf(tx, input));
    const key = await insertKey(tx, {
      ...input,
      ...limits,
      partner_id: ctx.scope.partner_id,
      hash: hashApiKey(api_key),
      hint: apiKeyHint(api_key),
      created_by: actorOf(ctx.principal).id,
    });
    const changes = changesBetween<Partial<Key>>({}, key, GRANTS);
    record(tx, ctx.scope, [], { action: "keys.create", target: key.id, client_id: null, changes });
    return withSecret(key, api_key);
  });
}

export async function getKey(ctx: Context, id: string) {
  return (await keyOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listKeys(ctx: Context, query: KeyListQuery): Promise<{ json: string }> {
  return keysPage(ctx.db, ctx.scope, query);
}

/** Changes a key into one that the caller could have made. When this has returned, no write commits that it no longer allows. */
export function updateKey(ctx: Context, id: string, patch: KeyPatch): Promise<Key> {
  return ctx.tx(async (tx) => {
    const before = await lockKey(ctx, tx, id);
    const after = { ...before, ...timesOf(tx, patch) };
    await refuseMoreThanOwn(ctx, tx, after);
    if (Array.isArray(patch.clients)) await refuseUnknownClients(tx, ctx.scope, patch.clients, "#/clients");
    const changes = changesBetween(before, after, KEY_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "keys.update", target: id, client_id: null, changes });
    return updateFields(tx, ctx.scope, after);
  });
}

/** Gives a key another secret. The one it had works until the overlap ends; without one it is refused once this has returned. */
export function rotateKey(ctx: Context, id: string, { overlap_hours = 0 }: KeyRotation) {
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    const before = await lockKey(ctx, tx, id);
    await refuseMoreThanOwn(ctx, tx, before);
    const previous_until = overlap_hours === 0 ? null : new Date(tx.now.getTime() + overlap_hours * HOUR_MS);
    const key = await saveSecret(tx, ctx.scope, id, { hash: hashApiKey(api_key), hint: apiKeyHint(api_key), previous_until });
    const changes = changesBetween(before, key, ["hint", "previous_hash_until"]);
    record(tx, ctx.scope, [], { action: "keys.rotate", target: id, client_id: null, changes });
    return withSecret(key, api_key);
  });
}

/** Revokes a key: when this has returned, nothing admits it any more and none of its writes commits. */
export function revokeKey(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const key = (await keyOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, key);
    await excludeWriters(tx, id);
    if (await saveRevocation(tx, ctx.scope, id))
      record(tx, ctx.scope, [], { action: "keys.revoke", target: id, client_id: null });
  });
}

/** A key to change, once none of its writes is under way. Those of others are not waited for. */
async function lockKey(ctx: Context, tx: Tx, id: string): Promise<Key> {
  if ((await keyOrNull(tx, ctx.scope, id)) === null) notFound(id);
  await excludeWriters(tx, id);
  const key = (await keyForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, key);
  if (key.revoked_at === null) return key;
  fail("invalid_state_transition", { detail: "The key is revoked and stays so.", meta: { from: "revoked", allowed: [] } });
}

/** The fields that were given, with the time read. */
function timesOf<Fields extends { expires_at?: string | null }>(tx: Tx, { expires_at, ...fields }: Fields) {
  if (expires_at === undefined) return fields;
  if (expires_at !== null && Date.parse(expires_at) <= tx.now.getTime()) {
    const detail = "expires_at must be in the future.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/expires_at", code: "not_in_future", detail }] });
  }
  return { ...fields, expires_at: expires_at === null ? null : new Date(expires_at) };
}

/** Refuses a key that the caller could not have made, so that nobody gets at more by way of another key. */
async function refuseMoreThanOwn(ctx: Context, tx: Tx, key: Key): Promise<void> {
  refuseMoreScopes(ctx, key.scopes);
  refuseMoreClients(ctx, key.clients);
  await grantedLimits(ctx, tx, key);
}

function refuseMoreScopes({ principal }: Context, scopes: readonly Scope[]): void {
  if (principal.type !== "key") return;
  const missing = scopes.filter((scope) => !principal.scopes.has(scope));
  if (missing.length === 0) return;
  fail("insufficient_scope", {
    detail: `A key can grant only scopes that it has itself. This one lacks ${missing.join(", ")}.`,
    meta: { required_scope: missing[0], missing_scopes: missing },
  });
}

function refuseMoreClients({ scope }: Context, clients: ClientAccess): void {
  if (clients === "all" && scope.clients !== "all") fail("partner_wide_key_required");
}

/** The limits of a key: those asked for, which must lie within the caller's own, and the caller's own where none are. */
async function grantedLimits(ctx: Context, tx: Tx, asked: Partial<KeyLimits>): Promise<KeyLimits> {
  if (ctx.principal.type !== "key") return { expires_at: null, allowed_cidrs: null, ...asked };
  const own = await ownLimits(tx, ctx.principal.key_id, asked.allowed_cidrs ?? []);
  const { expires_at = own.expires_at, allowed_cidrs = own.allowed_cidrs } = asked;
  const refuse = (detail: string, meta: NonNullable<Explanation["meta"]>): never => fail("key_limits_exceeded", { detail, meta });
  if (own.expires_at !== null && (expires_at === null || expires_at > own.expires_at)) {
    refuse("The calling key expires, so the other may not expire later.", { expires_at: own.expires_at.toISOString() });
  }
  if (own.allowed_cidrs !== null && (allowed_cidrs === null || !own.contains)) {
    refuse("The calling key is bound to networks, so the other must be bound to some of them.", {
      allowed_cidrs: own.allowed_cidrs,
    });
  }
  return { expires_at, allowed_cidrs };
}

function withSecret(key: Key, api_key: string): Key {
  return { ...key, json: JSON.stringify({ ...(JSON.parse(key.json) as object), api_key }) };
}
