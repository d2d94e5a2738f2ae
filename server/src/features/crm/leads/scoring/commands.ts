import type { ChangeDraft } from "../../../../kernel/changes.ts";
import { type Fault, fail, notFound } from "../../../../kernel/errors.ts";
import { boundClients } from "../../../../kernel/principal.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { changesQuery } from "../../../../platform/record/changes.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { accountForNew } from "../../../accounts/custom-fields/index.ts";
import type { Lead } from "../model.ts";
import { leadOrNull } from "../queries.ts";
import { faultOf, type Rule, type Scored, scoreOf } from "./model.ts";
import { portionToRescore, rulesFor, rulesToChange, type ScoringRow, saveRescored, saveRules, scoringOrNull } from "./queries.ts";
import type { ScoringPut } from "./schema.ts";

/** How many leads are rescored in one transaction. */
const PORTION = 500;

export async function getScoring(ctx: Context, requested: string | undefined) {
  const bound = boundClients(ctx.scope);
  if (requested === undefined && bound !== null && bound.length > 1) fail("account_required");
  const account_id = requested ?? bound?.[0] ?? null;
  return shown((await scoringOrNull(ctx.db, ctx.scope, account_id)) ?? notFound(account_id ?? "account"));
}

function shown({ account_id, rules, rescoring, updated_at, version }: ScoringRow) {
  const etag = `${version}-${rescoring ? 1 : 0}`;
  return { json: JSON.stringify({ account_id, rules, rescoring, updated_at, version }), version, etag };
}

/** Replaces the rules of an account. The first leads are rescored at once, the others by a job. */
export async function setScoring(ctx: Context, { account_id: requested, rules }: ScoringPut) {
  const account_id = await ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "lead", requested);
    const before = await rulesToChange(tx, ctx.scope, account.id);
    requireVersion(ctx, before);
    checkRules(
      rules,
      account.fields.map(({ key }) => key),
    );
    await saveRules(tx, ctx.scope, account.id, rules);
    const changes = { rules: { from: before.rules, to: rules } };
    record(tx, ctx.scope, [], { action: "leads.set_scoring", target: account.id, client_id: account.id, changes });
    return account.id;
  });
  await rescorePortion(ctx.db, ctx.clock.now(), ctx.scope.partner_id, account_id);
  return getScoring(ctx, account_id);
}

function checkRules(rules: readonly Rule[], keys: readonly string[]): void {
  const faults = rules.flatMap((rule, index): Fault[] => {
    const fault = faultOf(rule, keys);
    if (fault === null) return [];
    return [{ in: "body", pointer: `#/rules/${index}/${fault.member}`, code: fault.code, detail: fault.detail }];
  });
  if (faults.length > 0) fail("validation_failed", { faults });
}

/** The score of a lead by the current rules and time, rule by rule. */
export async function explainScore(ctx: Context, id: string) {
  const lead = (await leadOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  const scoring = await scoringOrNull(ctx.db, ctx.scope, lead.account_id);
  return { json: JSON.stringify(scoreOf(scoring?.rules ?? [], lead, ctx.clock.now())) };
}

/** The score of a lead that is written now. A converted lead keeps its score. */
export async function scoreForWrite(ctx: Context, tx: Tx, account_id: string, lead: Scored & Partial<Pick<Lead, "score">>) {
  if (lead.status === "converted" && lead.score !== undefined) return lead.score;
  return scoreOf(await rulesFor(tx, ctx.scope, account_id), lead, tx.now).score;
}

/** Rescores the next leads of an account and emits those whose score has changed. False when none are left. */
export function rescorePortion(db: Database, now: Date, partner_id: string, account_id: string): Promise<boolean> {
  let changes: ChangeDraft[] = [];
  return db.transaction(() => ({
    open: async () => undefined,
    async run(tx) {
      changes = [];
      const portion = await portionToRescore(tx, partner_id, account_id, PORTION);
      if (portion === null) return false;
      const { leads, rules } = portion;
      const scores = new Map(leads.map((lead) => [lead.id, scoreOf(rules, lead, now).score] as const));
      for (const { id, score } of leads) if (scores.get(id) === score) scores.delete(id);
      const left = leads.length === PORTION;
      const saved = await saveRescored(tx, partner_id, account_id, scores, left ? (leads.at(-1)?.id ?? null) : null, now);
      changes = saved.map((lead) => ({ resource: "lead", change: "updated", ...lead }));
      return left;
    },
    close: () => (changes.length === 0 ? [] : [changesQuery(partner_id, changes, now)]),
  }));
}
