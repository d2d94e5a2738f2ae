import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { DEFAULT_RULES, type Rule, type Scored, TIMED_FIELDS } from "./model.ts";

export type ScoringRow = { account_id: string; rules: Rule[]; rescoring: boolean; updated_at: Date | null; version: number };

const scoringByAccount = statement(`
  select a.id as account_id, coalesce(s.rules, $4) as rules, s.rescored_to is not null as rescoring, s.updated_at,
    coalesce(s.version, 1) as version
  from clients a left join lead_scoring s on s.partner_id = a.partner_id and s.account_id = a.id
  where a.partner_id = $1 and case when $2::text is null then a.house else a.id = $2 end and ($3::text[] is null or a.id = any ($3))`);

/** The rules of an account that the caller may see, or of the house account for null. */
export async function scoringOrNull(db: Queryable, scope: TenantScope, account_id: string | null): Promise<ScoringRow | null> {
  const values = [scope.partner_id, account_id, boundClients(scope), JSON.stringify(DEFAULT_RULES)];
  const [row] = await db.query<ScoringRow>(scoringByAccount, values);
  return row ?? null;
}

const rulesHeld = (lock: "share" | "update") =>
  statement(`select rules, version from lead_scoring where partner_id = $1 and account_id = $2 for ${lock}`);
const rulesForShare = rulesHeld("share");
const rulesForUpdate = rulesHeld("update");
const insertDefault = statement(`
  insert into lead_scoring (partner_id, account_id, rules) values ($1, $2, $3) on conflict do nothing`);

type Held = { rules: Rule[]; version: number };

/**
 * The rules that a lead is scored by. Every write of a lead shares them until it commits and a change of the rules waits for those:
 * whatever was scored by the old ones is there to be scored again.
 */
export async function rulesFor(tx: Queryable, scope: TenantScope, account_id: string): Promise<Rule[]> {
  return (await holdRules(tx, scope, account_id, rulesForShare)).rules;
}

/** The same, for a change of the rules. */
export function rulesToChange(tx: Queryable, scope: TenantScope, account_id: string): Promise<Held> {
  return holdRules(tx, scope, account_id, rulesForUpdate);
}

async function holdRules(tx: Queryable, scope: TenantScope, account_id: string, held: typeof rulesForShare): Promise<Held> {
  const place = [scope.partner_id, account_id];
  const [row] = await tx.query<Held>(held, place);
  if (row !== undefined) return row;
  await tx.query(insertDefault, [...place, JSON.stringify(DEFAULT_RULES)]);
  const [begun] = await tx.query<Held>(held, place);
  if (begun === undefined) throw new Error("the rules are not there");
  return begun;
}

const updateRules = statement(`
  update lead_scoring set rules = $3, rescored_to = '', updated_at = $4, version = version + 1
  where partner_id = $1 and account_id = $2`);

/** Saves rules that were locked before. From now on all leads are scored again. */
export async function saveRules(tx: Tx, scope: TenantScope, account_id: string, rules: readonly Rule[]): Promise<void> {
  await tx.query(updateRules, [scope.partner_id, account_id, JSON.stringify(rules), tx.now]);
}

const dueStatement = statement("select partner_id, account_id from lead_scoring where rescored_to is not null");

/** Accounts whose leads are being scored again. */
export function accountsToRescore(db: Queryable): Promise<{ partner_id: string; account_id: string }[]> {
  return db.query(dueStatement);
}

const startTimed = statement(`
  update lead_scoring set rescored_to = ''
  where rescored_to is null and rules @? format('$[*] ? (@.field like_regex "^(%s)$")', array_to_string($1::text[], '|'))::jsonpath
  returning account_id`);

/** Begins to score all leads again whose rules look at time. */
export async function rescoreTimed(db: Queryable): Promise<number> {
  return (await db.query(startTimed, [TIMED_FIELDS])).length;
}

const cursorStatement = statement("select rescored_to, version from lead_scoring where partner_id = $1 and account_id = $2");
const cursorForUpdate = statement(`
  select rescored_to, version, rules from lead_scoring where partner_id = $1 and account_id = $2 for update`);
const portionStatement = statement(`
  select id, status, source, name, phone, email, company, title, country, owner_id, tags, custom, activity_count, created_at,
    last_activity_at, score
  from leads
  where partner_id = $1 and account_id = $2 and id > $3 and deleted_at is null and converted_at is null
  order by id limit $4 for update`);

export type Portion = { rules: Rule[]; leads: (Scored & { id: string; score: number })[] };

/** The next leads to score again, locked before the rules as every writer does; null when there are none, or the rules have changed. */
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
  const [held] = await tx.query<Cursor>(cursorForUpdate, [partner_id, account_id]);
  // Rules that came meanwhile may have leads that were not there to be seen above.
  const same = held !== undefined && held.rescored_to === from && held.version === seen?.version;
  return !same ? null : { rules: held.rules, leads };
}

const saveScores = statement(`
  update leads l set score = s.score, updated_at = $4, version = l.version + 1
  from unnest($2::text[], $3::int[]) s (id, score)
  where l.partner_id = $1 and l.id = s.id
  returning l.id, l.account_id, l.version`);
const saveCursor = statement("update lead_scoring set rescored_to = $3 where partner_id = $1 and account_id = $2");

/** Saves new scores, and how far the account's leads are done: null for all. */
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
