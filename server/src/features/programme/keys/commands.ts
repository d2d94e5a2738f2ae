import { isDeepStrictEqual } from "node:util";
import { type Explanation, fail, notFound } from "../../../kernel/errors.ts";
import { actorOf, type ClientAccess, hasScope, within } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../../platform/crypto/api-key.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { requireKnownClients } from "../../accounts/clients/index.ts";
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

/** Creates a key with at most the permissions and limits of the caller. The secret is in the reply and nowhere else. */
export function createKey(ctx: Context, input: KeyCreate) {
  requireOwnScopes(ctx, input.scopes);
  requireOwnClients(ctx, input.clients);
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    if (input.clients !== "all") await requireKnownClients(tx, ctx.scope, input.clients, "#/clients");
    const limits = await grantedLimits(ctx, tx, parseTimes(tx, input));
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

/** Changes a key to one that the caller could create. Once this has returned, no write commits that the key no longer allows. */
export function updateKey(ctx: Context, id: string, patch: KeyPatch): Promise<Key> {
  return ctx.tx(async (tx) => {
    const before = await lockUsableKey(ctx, tx, id);
    const after = { ...before, ...parseTimes(tx, patch) };
    await refuseEscalation(ctx, tx, after);
    if (Array.isArray(patch.clients)) await requireKnownClients(tx, ctx.scope, patch.clients, "#/clients");
    const changes = changesBetween(before, after, KEY_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "keys.update", target: id, client_id: null, changes });
    return updateFields(tx, ctx.scope, after, loses(before, after));
  });
}

/** Replaces the secret of a key. The previous one is valid until the overlap ends; without an overlap it is refused once this has returned. */
export function rotateKey(ctx: Context, id: string, { overlap_hours = 0 }: KeyRotation) {
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    const before = await lockUsableKey(ctx, tx, id);
    await refuseEscalation(ctx, tx, before);
    const previous_until = overlap_hours === 0 ? null : new Date(tx.now.getTime() + overlap_hours * HOUR_MS);
    const key = await saveSecret(tx, ctx.scope, id, { hash: hashApiKey(api_key), hint: apiKeyHint(api_key), previous_until });
    const changes = changesBetween(before, key, ["hint", "previous_hash_until"]);
    record(tx, ctx.scope, [], { action: "keys.rotate", target: id, client_id: null, changes });
    return withSecret(key, api_key);
  });
}

/** Revokes a key. Once this has returned, no request is admitted with it and none of its writes commits. */
export function revokeKey(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await lockKey(ctx, tx, id);
    if (await saveRevocation(tx, ctx.scope, id))
      record(tx, ctx.scope, [], { action: "keys.revoke", target: id, client_id: null });
  });
}

/** Whether a change takes anything from a key: a scope, a client, time, or networks, of which any change counts but that to all. */
function loses(before: Key, after: Key): boolean {
  const expiryOf = ({ expires_at }: Key) => expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
  return (
    before.scopes.some((scope) => !after.scopes.includes(scope)) ||
    !within(before.clients, after.clients) ||
    expiryOf(after) < expiryOf(before) ||
    (after.allowed_cidrs !== null && !isDeepStrictEqual(before.allowed_cidrs, after.allowed_cidrs))
  );
}

/** Locks a key for a change, after its concurrent writes have ended. Writes of other keys are not waited for. */
async function lockKey(ctx: Context, tx: Tx, id: string): Promise<Key> {
  if ((await keyOrNull(tx, ctx.scope, id)) === null) notFound(id);
  await excludeWriters(tx, id);
  const key = (await keyForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, key);
  return key;
}

/** The same of a key that was not revoked. */
async function lockUsableKey(ctx: Context, tx: Tx, id: string): Promise<Key> {
  const key = await lockKey(ctx, tx, id);
  if (key.revoked_at === null) return key;
  fail("invalid_state_transition", {
    detail: "A revoked key cannot be changed. Create another key instead.",
    meta: { from: "revoked", allowed: [] },
  });
}

/** The fields of an input with its time parsed. */
function parseTimes<Fields extends { expires_at?: string | null }>(tx: Tx, { expires_at, ...fields }: Fields) {
  if (expires_at === undefined) return fields;
  if (expires_at !== null && Date.parse(expires_at) <= tx.now.getTime()) {
    const detail = "expires_at must be in the future.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/expires_at", code: "not_in_future", detail }] });
  }
  return { ...fields, expires_at: expires_at === null ? null : new Date(expires_at) };
}

/** Refuses a key that the caller could not create, which would escalate its privileges. */
async function refuseEscalation(ctx: Context, tx: Tx, key: Key): Promise<void> {
  requireOwnScopes(ctx, key.scopes);
  requireOwnClients(ctx, key.clients);
  await grantedLimits(ctx, tx, key);
}

function requireOwnScopes({ principal }: Context, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !hasScope(principal, scope));
  if (missing.length === 0) return;
  fail("insufficient_scope", {
    detail: `Nobody can grant scopes that they lack. The caller lacks ${missing.join(", ")}.`,
    meta: { required_scope: missing[0], missing_scopes: missing },
  });
}

function requireOwnClients({ scope }: Context, clients: ClientAccess): void {
  if (clients === "all" && scope.clients !== "all") fail("partner_wide_key_required");
}

/** The limits of a key: the requested ones, which must be within the caller's own, or by default the caller's own. */
async function grantedLimits(ctx: Context, tx: Tx, requested: Partial<KeyLimits>): Promise<KeyLimits> {
  const { principal } = ctx;
  switch (principal.type) {
    case "key":
      return withinOwn(await ownLimits(tx, principal.key_id, requested.allowed_cidrs ?? []), requested);
    // A person has no such limits.
    case "user":
    case "operator":
    case "system":
      return { expires_at: null, allowed_cidrs: null, ...requested };
  }
}

function withinOwn(own: KeyLimits & { contains: boolean }, requested: Partial<KeyLimits>): KeyLimits {
  const { expires_at = own.expires_at, allowed_cidrs = own.allowed_cidrs } = requested;
  const refuse = (detail: string, meta: NonNullable<Explanation["meta"]>): never => fail("key_limits_exceeded", { detail, meta });
  if (own.expires_at !== null && (expires_at === null || expires_at > own.expires_at)) {
    refuse("expires_at must not be later than the expiry of the calling key.", { expires_at: own.expires_at.toISOString() });
  }
  if (own.allowed_cidrs !== null && (allowed_cidrs === null || !own.contains)) {
    refuse("allowed_cidrs must be within the networks of the calling key.", {
      allowed_cidrs: own.allowed_cidrs,
    });
  }
  return { expires_at, allowed_cidrs };
}

function withSecret(key: Key, api_key: string): Key {
  return { ...key, json: JSON.stringify({ ...(JSON.parse(key.json) as object), api_key }) };
}
