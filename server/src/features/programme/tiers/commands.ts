import { fail, notFound } from "../../../kernel/errors.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { checkTier, LOWEST_GRADE } from "./model.ts";
import {
  highestRank,
  insertTier,
  isGrade,
  removeTier,
  saveTier,
  type TierRow,
  tierForUpdateOrNull,
  tierOrNull,
  tiersJson,
  usesOf,
} from "./queries.ts";
import { TIER_FIELDS, type TierCreate, type TierPatch } from "./schema.ts";

/** Refuses a grade that is no tier's. The tier then stays until the transaction ends. */
export async function requireGrade(tx: Tx, grade: string, member = "grade"): Promise<void> {
  if (await isGrade(tx, grade)) return;
  const detail = `There is no grade ${grade}.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${member}`, code: "unknown_grade", detail }] });
}

/** The tiers as a partner sees them: with what the programme says where they say nothing. */
export async function listTiersForPartner(ctx: Context): Promise<{ json: string }> {
  return { json: await tiersJson(ctx.db, "effective") };
}

export async function listTiers(ctx: Context): Promise<{ json: string }> {
  return { json: await tiersJson(ctx.db, "as_set") };
}

export async function getTier(ctx: Context, grade: string): Promise<TierRow> {
  return (await tierOrNull(ctx.db.byKey, grade)) ?? notFound(grade);
}

const DEFAULTS = {
  requirements: [],
  hold_days: null,
  protection_days: null,
  open_registrations_max: null,
  rate_limit_per_minute: null,
  rate_limit_burst: null,
  payout_minimums: {},
  api_access: false,
};

export function createTier(ctx: Context, input: TierCreate): Promise<TierRow & { id: string }> {
  return ctx.tx(async (tx) => {
    const highest = await highestRank(tx);
    const tier = { ...DEFAULTS, rank: highest + 1, ...input };
    checkTier(tier);
    const saved = (await insertTier(tx, tier)) ?? refuseDuplicate(tier);
    const changes = changesBetween<Partial<TierRow>>({}, saved, TIER_FIELDS);
    record(tx, ctx.scope, [], { action: "tiers.create", target: saved.grade, client_id: null, changes });
    return { ...saved, id: saved.grade };
  });
}

export function updateTier(ctx: Context, grade: string, patch: TierPatch): Promise<TierRow> {
  return ctx.tx(async (tx) => {
    const before = await lockTier(ctx, tx, grade);
    const after = { ...before, ...patch };
    checkTier(after);
    const changes = changesBetween(before, after, TIER_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "tiers.update", target: grade, client_id: null, changes });
    return (await saveTier(tx, after)) ?? refuseDuplicate(after);
  });
}

/** Deletes a tier that nothing names any more. */
export function deleteTier(ctx: Context, grade: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await lockTier(ctx, tx, grade);
    if (grade === LOWEST_GRADE) fail("resource_in_use", { detail: `${grade} is the grade of every new partner.` });
    const uses = await usesOf(tx, grade);
    if (uses.length > 0)
      fail("resource_in_use", { detail: `The grade ${grade} is still named by ${uses.join(", ")}.`, meta: { used_by: uses } });
    await removeTier(tx, grade);
    record(tx, ctx.scope, [], { action: "tiers.delete", target: grade, client_id: null });
  });
}

async function lockTier(ctx: Context, tx: Tx, grade: string): Promise<TierRow> {
  const tier = (await tierForUpdateOrNull(tx, grade)) ?? notFound(grade);
  requireVersion(ctx, tier);
  return tier;
}

function refuseDuplicate({ grade, rank }: { grade: string; rank: number }): never {
  fail("duplicate_tier", { detail: `Another tier has the grade ${grade} or the rank ${rank}.` });
}
