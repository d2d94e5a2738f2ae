import { expect, test } from "vitest";
import { tablesIn } from "./lock-tables.ts";

const PRESENT = ["clients", "event_feed", "events", "partners", "users"].map((name) => ({
  name,
  indexes: [`${name}_pkey`, `${name}_age`],
}));

test("tables that are altered or dropped are had alone, others that are named are shared with readers", () => {
  const sql = `
    -- users are only spoken of
    alter table clients add column note text;
    ALTER TABLE if exists only events add column note text;
    create index partners_note on partners (id);
    create table things (client_id text, user_ids text[]);`;
  expect(tablesIn(sql, PRESENT)).toEqual({ altered: ["clients", "events"], named: ["partners"] });
});

test("a name within a longer one is not the table", () => {
  expect(tablesIn("alter table events_old add column event_feed_id int", PRESENT)).toEqual({ altered: [], named: [] });
});

test("a table whose index is dropped is had alone, though the statement does not name it", () => {
  const sql = "DROP INDEX if exists partners_age; create index users_name on users (name)";
  expect(tablesIn(sql, PRESENT)).toEqual({ altered: ["partners"], named: ["users"] });
});
