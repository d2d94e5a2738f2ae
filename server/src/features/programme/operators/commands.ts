import { fail, notFound } from "../../../kernel/errors.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { apiKeyHint, hashApiKey, newApiKey } from "../../../platform/crypto/api-key.ts";
import { SERVICE_VERSION } from "../../../platform/observe/version.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { activeOperatorKeysForUpdate, excludeWriters, insertKey, saveOperatorRevocation } from "../keys/index.ts";
import { checkedPayouts } from "./model.ts";
import {
  operatorKeyOrNull,
  operatorKeysPage,
  programme,
  programmeForUpdate,
  restartSchedule,
  saveProgramme,
  systemState,
} from "./queries.ts";
import { type OperatorKeyCreate, type OperatorKeyListQuery, PROGRAMME_FIELDS, type ProgrammePatch } from "./schema.ts";

/** Creates an operator key. The secret is in the reply and nowhere else. */
export function createOperatorKey(ctx: Context, { name }: OperatorKeyCreate) {
  const api_key = newApiKey();
  return ctx.tx(async (tx) => {
    const { id } = await insertKey(tx, {
      partner_id: null,
      name,
      hash: hashApiKey(api_key),
      hint: apiKeyHint(api_key),
      scopes: [],
      clients: "all",
      created_by: actorOf(ctx.principal).id,
    });
    const key = (await operatorKeyOrNull(tx, id)) ?? notFound(id);
    record(tx, ctx.scope, [], { action: "operator_keys.create", target: id, client_id: null });
    return { ...key, json: JSON.stringify({ ...(JSON.parse(key.json) as object), api_key }) };
  });
}

export async function getOperatorKey(ctx: Context, id: string) {
  return (await operatorKeyOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listOperatorKeys(ctx: Context, query: OperatorKeyListQuery): Promise<{ json: string }> {
  return operatorKeysPage(ctx.db, query);
}

/** Revokes an operator key, except the last active one: without it, nobody could administer the programme. */
export function revokeOperatorKey(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    // The key is read after the lock, as whoever had it left it.
    const [active, found] = await Promise.all([activeOperatorKeysForUpdate(tx), operatorKeyOrNull(tx, id)]);
    const key = found ?? notFound(id);
    requireVersion(ctx, key);
    if (key.revoked_at !== null) return;
    if (active.every((other) => other === id)) {
      fail("resource_in_use", { detail: "The last active operator key cannot be revoked. Create another one first." });
    }
    await excludeWriters(tx, id);
    if (await saveOperatorRevocation(tx, id))
      record(tx, ctx.scope, [], { action: "operator_keys.revoke", target: id, client_id: null });
  });
}

export function getProgramme(ctx: Context) {
  return programme(ctx.db.byKey);
}

/** The account that payouts come from stays out of the audit log. */
const REDACTED = new Set(["payout_debtor"]);

export function updateProgramme(ctx: Context, patch: ProgrammePatch) {
  const checked = checkedPayouts(patch);
  return ctx.tx(async (tx) => {
    const before = await programmeForUpdate(tx);
    requireVersion(ctx, before);
    const after = { ...before, ...checked };
    const changes = changesBetween(before, after, PROGRAMME_FIELDS, REDACTED);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "programme.update", target: null, client_id: null, changes });
    if ("payout_cron" in changes || "payout_time_zone" in changes) await restartSchedule(tx);
    return saveProgramme(tx, after);
  });
}

/** The health of the installation: this process, its database, the event feed, webhook deliveries and scheduled jobs. */
export async function getHealth(ctx: Context): Promise<{ json: string }> {
  const { waiting, deliveries, ...state } = await systemState(ctx.db);
  const { oldest, ...counts } = deliveries;
  const ageSeconds = (id: string | null) => (id === null ? 0 : Math.max(ctx.clock.now().getTime() - timeOfId(id), 0) / 1000);
  const health = {
    readiness: ctx.readiness(),
    process: {
      version: SERVICE_VERSION,
      node: process.versions.node,
      uptime_seconds: Math.round(process.uptime() * 10) / 10,
      memory_bytes: process.memoryUsage.rss(),
    },
    ...state,
    feed: { waiting_events: waiting.count, oldest_waiting_seconds: ageSeconds(waiting.oldest) },
    deliveries: { ...counts, oldest_pending_seconds: ageSeconds(oldest) },
  };
  return { json: JSON.stringify(health) };
}
