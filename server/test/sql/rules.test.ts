import { describe, expect, test } from "vitest";
import { RULES, type Rule, tablesOf, violationsOf } from "./rules.ts";

type Case = [text: string, violations: string[]];

/** For each rule, statements that keep it, and statements that break it with what is said about them. */
const CASES: Record<Rule, Case[]> = {
  partner: [
    ["select id from contacts where partner_id = $1 and id = $2", []],
    ["select c.id from contacts c where $1::text = c.partner_id for update", []],
    ["select id from contacts where id = $1", ["select contacts"]],
    ["select c.id from contacts c where c.partner_id = any ($1)", ["select contacts c"]],
    ["select c.id from contacts c where c.partner_id = $1 or c.id = $2", ["select contacts c"]],
    ["select 1 from deals d join stages s on s.partner_id = $1 and s.id = d.stage_id where d.partner_id = $1", []],
    ["select 1 from deals d join stages s on s.partner_id = d.partner_id where d.partner_id = $1", ["select stages s"]],
    ["select 1 from deals d left join stages s on d.partner_id = $1 where s.partner_id = $1", ["select deals d"]],
    ["select 1 from deals, stages where partner_id = $1", ["select deals", "select stages"]],
    ["select (select s.name from stages s where s.partner_id = $1) from deals d where d.partner_id = $1", []],
    [
      "select (select s.name from stages s where s.partner_id = d.partner_id) from deals d where d.partner_id = $1",
      ["select stages s"],
    ],
    [
      "select 1 from deals d, lateral (select from stages s where s.id = d.stage_id) x where d.partner_id = $1",
      ["select stages s"],
    ],
    ["select 1 from deals where partner_id = $1 union all select 1 from stages", ["select stages"]],
    ["with deals as (select id from stages where partner_id = $1) select id from deals", []],
    ["with x as (select id from deals) select id from x", ["select deals"]],
    ["select id from partners where id = $1", []],
    ["update deals set name = $2 where partner_id = $1 and id = $3", []],
    [
      "update deals d set name = s.name from stages s where d.partner_id = $1 and s.partner_id = d.partner_id",
      ["update stages s"],
    ],
    ["delete from deals d using stages s where s.partner_id = $1 and d.id = $2", ["delete deals d"]],
    ["insert into deals (id, partner_id) values ($2, $1), ($3, $1)", []],
    ["insert into deals (partner_id, id) values ($1, $2), ('ptr_1', $3)", ["insert deals"]],
    ["insert into deals (partner_id, id) select $1, x from unnest($2::text[]) x", []],
    ["insert into deals (partner_id, id) select s.partner_id, s.id from stages s where s.partner_id = $1", []],
    ["insert into deals (partner_id, id) select * from unnest($1::text[], $2::text[])", ["insert deals"]],
    ["insert into deals values ($1, $2)", ["insert deals"]],
  ],
  recursive: [
    ["with x as (select 1 as n) select n from x", []],
    ["with recursive x as (select 1 as n union all select n + 1 from x where n < 9) select n from x", ["WITH RECURSIVE"]],
  ],
  returning: [
    ["update deals set name = $2 where partner_id = $1 returning id, name || '!' as loud", []],
    ["with d as (update deals set name = $2 where partner_id = $1 returning id) select (select row_to_json(d)) from d", []],
    ["update users set name = $1 where id = $2 returning (select 1)", ["update users"]],
    ["insert into deals (partner_id, id) values ($1, $2) returning (select 1)", ["insert deals"]],
    ["delete from deals where partner_id = $1 returning exists (select)", ["delete deals"]],
  ],
  functions: [
    ["update deals set name = lower(coalesce($2, name)) where partner_id = $1", []],
    ["update deals set updated_at = now() where partner_id = $1", ["now in update deals"]],
    ["update deals set updated_at = current_timestamp where partner_id = $1", ["current_timestamp and the like in update deals"]],
    [
      "delete from deals where partner_id = $1 and created_at < $2 - interval '1 day'",
      ["arithmetic with an interval in delete deals"],
    ],
    ["insert into deals (partner_id, custom) values ($1, jsonb_build_object('a', $2))", ["jsonb_build_object in insert deals"]],
    [
      "insert into deals (partner_id, id) values ($1, $2) on conflict (id) do update set name = to_char($3, 'x')",
      ["to_char in insert deals"],
    ],
    ["with x as (select now() as at) update deals set updated_at = x.at from x where partner_id = $1", ["now in update deals"]],
    ["with d as (update deals set name = $2 where partner_id = $1 returning id) select now() from d", []],
    ["insert into deals (partner_id, id) select $1, v.id from json_to_recordset($2::json) as v (id text)", []],
    [
      "update deals d set name = v.name from json_to_recordset(d.custom) as v (name text) where d.partner_id = $1",
      ["json_to_recordset in update deals"],
    ],
    ["update users set updated_at = now() where id = $1 returning id", []],
    ["update users set name = $2 where id = $1 returning to_json(name)", ["to_json in update users"]],
    ["update job_runs set started_at = now() returning to_json(name)", []],
  ],
  local: [
    ["select id from webhook_workers", []],
    ["select w.id from webhook_workers w join partners p on p.id = w.id", []],
    ["select 1 from webhook_workers w join webhook_lanes l on l.owner = w.id where l.partner_id = $1", ["webhook_workers"]],
    [
      "with w as (select id from webhook_workers) update webhook_lanes set owner = (select id from w) where partner_id = $1",
      ["webhook_workers"],
    ],
  ],
  global_source: [
    ["insert into keys (id) select id from partners", []],
    ["insert into deals (partner_id, id) select $1, p.id from partners p", ["partners into deals"]],
    ["insert into deals (partner_id, id) values ($1, (select p.id from partners p))", ["partners into deals"]],
  ],
};

describe.each(Object.entries(CASES))("rule %s", (rule, cases) => {
  test("has statements that keep it and statements that break it", () => {
    expect(cases.some(([, violations]) => violations.length === 0)).toBe(true);
    expect(cases.some(([, violations]) => violations.length > 0)).toBe(true);
  });

  test.each(cases)("%s", (text, expected) => {
    const found = violationsOf(text).filter((violation) => violation.rule === rule);
    expect(found.map(({ detail }) => detail)).toEqual(expected);
  });
});

test("every rule is described", () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(RULES));
});

test("the tables of a statement are known exactly, in lists, joins, subqueries and CTEs too", () => {
  const text = `with contacts as (select from leads), gone as (delete from stages using pipelines, only imports returning 1)
    insert into deals (id) select id from contacts, clients c, lateral (select from users) u where exists (table keys)`;
  expect(tablesOf(text)).toEqual({
    reads: ["leads", "pipelines", "imports", "clients", "users", "keys"],
    writes: ["deals", "stages"],
  });
});
