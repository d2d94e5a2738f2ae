import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { steadyStatement } from "../../../../platform/db/assumptions.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { DEFAULT_RULES, type Rule, SCORED_COLUMNS, type Scored, TIMED_FIELDS } from "./model.ts";

export type ScoringRow = { account_id: string; rules: Rule[]; rescoring: boolean; updated_at: Date | null; version: number };

const scoringByAccount = statement(`
  select a.id as account_id, coalesce(s.rules, $4) as rules, s.rescored_to is not null as rescoring, s.updated_at,
    coalesce(s.version, 1) as version
  from clients a left join lead_scoring s on s.partner_id = $1 and s.account_id = a.id
  where a.partner_id = $1 and case when $2::text is null then a.house else a.id = $2 end and ($3::text[] is null or a.id = any ($3))`);

/** The rules of an account that the caller may see, or of the house account for null. */
export async function scoringOrNull(db: Queryable, scope: TenantScope, account_id: string | null): Promise<ScoringRow | null> {
  const values = [scope.partner_id, account_id, boundClients(scope), JSON.stringify(DEFAULT_RULES)];
  const [row] = await db.query<ScoringRow>(scoringByAccount, values);
  return row ?? null;
}

const RULES = "select rules, version from lead_scoring where partner_id = $1 and account_id = $2";
const rulesForShare = steadyStatement(`${RULES} for share`);
const rulesForUpdate = statement(`${RULES} for update`);
const insertDefault = statement(`
  insert into lead_scoring (partner_id, account_id, rules) values ($1, $2, $3) on conflict do nothing`);

type LockedRules = { rules: Rule[]; version: number };

/**
 * The rules to score a lead by. Every write of a lead holds a share lock on them until it commits, and a change of the rules waits for
 * those: it then sees every lead that was scored by the old rules.
 */
export async function rulesFor(tx: Tx, scope: TenantScope, account_id: string): Promise<readonly Rule[]> {
  const key = [scope.partner_id, account_id];
  return (await lockRules(tx, key, () => tx.recall(rulesForShare, key))).rules;
}

/** The rules, locked for a change. */
export function rulesToChange(tx: Queryable, scope: TenantScope, account_id: string): Promise<LockedRules> {
  const key = [scope.partner_id, account_id];
  return lockRules(tx, key, () => tx.query(rulesForUpdate, key));
}

/** The rules of an account, which has the default ones from its first use on. */
async function lockRules(
  tx: Queryable,
  key: readonly string[],
  lock: () => Promise<readonly LockedRules[]>,
): Promise<LockedRules> {
  const [row] = await lock();
  if (row !== undefined) return row;
  await tx.query(insertDefault, [...key, JSON.stringify(DEFAULT_RULES)]);
  const [inserted] = await lock();
  if (inserted === undefined) throw new Error("the default rules were not inserted");
  return inserted;
}

const updateRules = statement(`
  update lead_scoring set rules = $3, rescored_to = '', updated_at = $4, version = version + 1
  where partner_id = $1 and account_id = $2`);

/** Saves locked rules, and starts to rescore all leads of the account. */
export async function saveRules(tx: Tx, scope: TenantScope, account_id: string, rules: readonly Rule[]): Promise<void> {
  await tx.query(updateRules, [scope.partner_id, account_id, JSON.stringify(rules), tx.now]);
}

/** All partners: the rescoring job; every five minutes. */
const dueStatement = pollStatement("select partner_id, account_id from lead_scoring where rescored_to is not null");

/** Accounts whose leads are being rescored. */
export function accountsToRescore(db: Queryable): Promise<{ partner_id: string; account_id: string }[]> {
  return db.query(dueStatement);
}

/** All partners: the aging job; once a day. */
const startTimed = statement(`
  update lead_scoring set rescored_to = '' where rescored_to is null and rules @? $1::jsonpath returning account_id`);

/** Starts to rescore the leads of every account whose rules depend on time. */
export async function rescoreTimed(db: Queryable): Promise<number> {
  return (await db.query(startTimed, [`$[*] ? (@.field like_regex "^(${TIMED_FIELDS.join("|")})$")`])).length;
}

const cursorStatement = statement("select rescored_to, version from lead_scoring where partner_id = $1 and account_id = $2");
const cursorForUpdate = statement(`
  select rescored_to, version, rules from lead_scoring where partner_id = $1 and account_id = $2 for update`);
const portionStatement = statement(`
  select id, score, ${SCORED_COLUMNS.join(", ")}
  from leads
  where partner_id = $1 and account_id = $2 and id > $3 and deleted_at is null and converted_at is null
  order by id limit $4 for update`);

export type Portion = { rules: Rule[]; leads: (Scored & { id: string; score: number })[] };

/** The next leads to rescore, locked before the rules as by every writer; null when there are none or the rules have changed. */
export async function portionToRescore(
  tx: Queryable,
  partner_id: string,
  account_id: string,
  limit: number,
): Promise<Portion | null> {
  type Cursor = { rescored_to: string | null; version: number; rules: Rule[] };
  const [seen] = await tx.query<Cursor>(cursorStatement, [partner_id, account_id]);
  const from = seen?.rescored_to ?? null;
  if (from === null) return null;
  const leads = await tx.query<Portion["leads"][number]>(portionStatement, [partner_id, account_id, from, limit]);
  const [locked] = await tx.query<Cursor>(cursorForUpdate, [partner_id, account_id]);
  // After a concurrent change of the rules there may be leads that the statement above did not see.
  const same = locked !== undefined && locked.rescored_to === from && locked.version === seen?.version;
  return !same ? null : { rules: locked.rules, leads };
}

const saveScores = statement(`
  update leads l set score = s.score, updated_at = $4, version = l.version + 1, rescored = l.rescored + 1
  from unnest($2::text[], $3::int[]) s (id, score)
  where l.partner_id = $1 and l.id = s.id
  returning l.id, l.account_id, l.version`);
const saveCursor = statement("update lead_scoring set rescored_to = $3 where partner_id = $1 and account_id = $2");

/** Saves new scores and the position of the rescoring: null once all leads of the account are done. */
export async function saveRescored(
  tx: Queryable,
  partner_id: string,
  account_id: string,
  scores: ReadonlyMap<string, number>,
  done_to: string | null,
  now: Date,
): Promise<{ id: string; account_id: string; version: number }[]> {
  await tx.query(saveCursor, [partner_id, account_id, done_to]);
  return tx.query(saveScores, [partner_id, [...scores.keys()], [...scores.values()], now]);
}
