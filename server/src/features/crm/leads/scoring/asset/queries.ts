import { statement } from "../../../../../platform/db/statement.ts";
import type { Tx } from "../../../../../platform/record/tx.ts";
import { lookOf, readOf, recordReads } from "../../../../accounts/configuring/index.ts";
import type { Rule } from "../model.ts";
import { SCORING_KEY, scoringRules } from "./model.ts";

/** The rules in one order, the one of `compareRules`. They have no id: the account's stands for them. The built-in ones are in it already. */
const RECORDS = `
  select a.id as account_id, a.id, false as archived, '${SCORING_KEY}' as key, '{}'::text[] as parts,
    case when s.rules is null then $3::jsonb else jsonb_build_object('rules', (
      select coalesce(jsonb_agg(r.rule order by r.rule->>'name' collate "C", r.rule->>'field' collate "C", r.rule->>'op' collate "C",
        (r.rule->'value')::text collate "C", (r.rule->>'points')::int), '[]')
      from (select '{"value": null}'::jsonb || e.rule as rule from jsonb_array_elements(s.rules) e (rule)) r
    )) end as spec
  from unnest($2::text[]) a (id) left join lead_scoring s on s.partner_id = $1 and s.account_id = a.id`;

export const scoringReads = recordReads(statement(lookOf(RECORDS)), statement(readOf(RECORDS)), [
  JSON.stringify(scoringRules.builtin[0]),
]);

/** An account without a row has the first version of its rules, so its first change makes the second. */
const saveStatement = statement(`
  insert into lead_scoring as s (partner_id, account_id, rules, rescored_to, updated_at, version)
  select $1, r.account_id, r.rules, '', $3::timestamptz, 2 from jsonb_to_recordset($2) as r (account_id text, rules jsonb)
  on conflict (partner_id, account_id) do update
  set rules = excluded.rules, rescored_to = '', updated_at = excluded.updated_at, version = s.version + 1`);

/** Saves the rules of accounts, and starts to rescore all their leads. */
export async function saveAllRules(tx: Tx, partner_id: string, accounts: readonly { account_id: string; rules: Rule[] }[]) {
  if (accounts.length > 0) await tx.query(saveStatement, [partner_id, JSON.stringify(accounts), tx.now]);
}
