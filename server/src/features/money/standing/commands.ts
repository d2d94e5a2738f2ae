import { notFound } from "../../../kernel/errors.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { programme } from "../../programme/operators/index.ts";
import { type Partner, partnerForUpdateOrNull, partnerOrNull, savePartner, setGrade } from "../../programme/partners/index.ts";
import { allTiers, type Tier } from "../../programme/tiers/index.ts";
import { fittingGrade, highestFitting, isPinned, type Measure, reviewed, type Standing } from "./model.ts";
import { liftedGrades, measureOf, partnersAfter } from "./queries.ts";
import type { Progress, TierStanding } from "./schema.ts";

/**
 * Promotes a partner that fits a higher grade, in the transaction of what may have made it fit. The partner's row is locked before
 * anything is counted: of two sales at once, the second counts the first.
 */
export async function reviewGrade(ctx: Context, tx: Tx, partner_id: string): Promise<void> {
  const [partner, tiers] = await lockGraded(tx, partner_id);
  const grade = await higherGradeOrNull(tx, partner, tiers);
  if (grade !== null) await setGrade(ctx, tx, { ...partner, pinned: false, pinned_until: null }, { grade, reason: "metric" });
}

/** Tells a partner of a certification that it got, which may lift its grade, or lost, which leaves the grade to the next review. */
export async function reviewCertification(
  ctx: Context,
  tx: Tx,
  partner_id: string,
  certification_id: string,
  change: "granted" | "ended",
): Promise<void> {
  const [partner, tiers] = await lockGraded(tx, partner_id);
  const higher = change === "granted" ? await higherGradeOrNull(tx, partner, tiers) : null;
  await setGrade(ctx, tx, partner, { grade: higher ?? partner.grade, reason: "certification", certification_id });
}

async function lockGraded(tx: Tx, partner_id: string): Promise<[Partner, Tier[]]> {
  const [partner, tiers] = await Promise.all([partnerForUpdateOrNull(tx, partner_id), allTiers(tx)]);
  return [partner ?? notFound(partner_id), tiers];
}

async function higherGradeOrNull(tx: Tx, partner: Partner, tiers: readonly Tier[]): Promise<string | null> {
  if (isPinned(partner, tx.now)) return null;
  const rank = tiers.find(({ grade }) => grade === partner.grade)?.rank ?? 0;
  const higher = tiers.filter((tier) => tier.rank > rank);
  if (higher.length === 0) return null;
  return highestFitting(measureOf(tx, partner.id, tx.now, higher), higher, await liftedGrades(tx, partner.id, tx.now));
}

/** Reviews all partners: promotions, grace, demotions and the end of pins. Returns how many changed. */
export async function reviewAll(services: Services): Promise<number> {
  const BATCH = 500;
  let changed = 0;
  for (let after = "", ids = [""]; ids.length > 0; after = ids.at(-1) ?? after) {
    ids = await partnersAfter(services.db, after, BATCH);
    for (const partner_id of ids) {
      const ctx = createContext(services, { principal: { type: "system", partner_id } });
      if (await reviewPartner(ctx, partner_id)) changed += 1;
    }
  }
  return changed;
}

/** Reviews a partner; false when nothing changes. It is looked at without a lock first, because most partners stay as they are. */
export async function reviewPartner(ctx: Context, partner_id: string): Promise<boolean> {
  const seen = (await partnerOrNull(ctx.db, partner_id)) ?? notFound(partner_id);
  const now = ctx.clock.now();
  if (isUnchanged(seen, await standingAfter(ctx.db, seen, now))) return false;
  return ctx.tx(async (tx) => {
    const partner = (await partnerForUpdateOrNull(tx, partner_id)) ?? notFound(partner_id);
    const { grade, ...pin } = await standingAfter(tx, partner, tx.now);
    if (isUnchanged(partner, { grade, ...pin })) return false;
    if (grade !== partner.grade) await setGrade(ctx, tx, { ...partner, ...pin }, { grade, reason: "metric" });
    else {
      const saved = await savePartner(tx, { ...partner, ...pin });
      const changes = changesBetween<Standing>(partner, saved, REVIEWED);
      record(tx, { partner_id }, [], { action: "tiers.review", target: partner_id, client_id: null, changes });
    }
    return true;
  });
}

const REVIEWED = ["grade", "pinned", "pinned_until", "grace_until"] as const satisfies (keyof Standing)[];

const isUnchanged = (before: Standing, after: Standing) => Object.keys(changesBetween(before, after, REVIEWED)).length === 0;

async function standingAfter(db: Queryable, partner: Partner, now: Date): Promise<Standing> {
  if (isPinned(partner, now)) return partner;
  const [tiers, lifted, terms] = await Promise.all([allTiers(db), liftedGrades(db, partner.id, now), programme(db)]);
  const fitting = await fittingGrade(measureOf(db, partner.id, now, tiers), tiers, lifted);
  return reviewed(partner, fitting, tiers, now, terms.tier_grace_days);
}

/** The standing of a partner: its grade, the next one, and how far it is from both. */
export async function getStanding(ctx: Context, partner_id: string): Promise<{ json: string }> {
  const [partner, tiers] = await Promise.all([partnerOrNull(ctx.db, partner_id), allTiers(ctx.db)]);
  const { grade, pinned, pinned_until, grace_until } = partner ?? notFound(partner_id);
  const index = tiers.findIndex((tier) => tier.grade === grade);
  const [tier, next] = [tiers[index], tiers[index + 1] ?? null];
  if (tier === undefined) throw new Error(`the grade ${grade} has no tier`);
  const measure = measureOf(ctx.db, partner_id, ctx.clock.now(), null);
  const standing: TierStanding = {
    ...{ grade, name: tier.name, pinned, pinned_until, grace_until },
    next: next && { grade: next.grade, name: next.name },
    progress: await progressOf(measure, next),
    keep: await progressOf(measure, tier),
  };
  return { json: JSON.stringify(standing) };
}

function progressOf(measure: Measure, tier: Tier | null): Promise<Progress[]> {
  return Promise.all(
    (tier?.requirements ?? []).map(async ({ metric, value: required, currency, window_days }) => {
      const requirement = { metric, value: required, ...(currency && { currency }), ...(window_days && { window_days }) };
      const value = await measure(requirement);
      const missing = Math.max(required - value, 0);
      return { ...requirement, value, required, missing, met: missing === 0 };
    }),
  );
}
