import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TABLES } from "../harness/tables.ts";
import { isNode, type Node, nodesOf, parsed } from "./levels.ts";

const SERVER = new URL("../../", import.meta.url);
/** The first migration that keeps these rules; those before it are applied and stay as they are. */
const FIRST_CHECKED = "0012";
/** Constraints that need a name. A primary key has that of its table, and the others are properties of a column. */
const NAMED = ["CONSTR_CHECK", "CONSTR_UNIQUE", "CONSTR_FOREIGN", "CONSTR_EXCLUSION"];

type Constraint = { contype: string; conname?: string; pktable?: { relname: string } };

const read = (path: string) => readFileSync(new URL(path, SERVER), "utf8");
const constraintsIn = (value: unknown) => nodesOf(value, "Constraint") as unknown as Constraint[];

/** What a cluster refuses of a migration: constraints that come with a column, and such as it would have to name. */
function refusedOf(text: string): string[] {
  return parsed(text).flatMap((statement) => {
    const { relation } = Object.values(statement).find(isNode) as { relation?: { relname: string } };
    const table = relation?.relname ?? "";
    const withColumn = nodesOf(statement, "AlterTableCmd")
      .filter(({ subtype }) => subtype === "AT_AddColumn")
      .flatMap((command) => constraintsIn(command).filter(({ contype }) => [...NAMED, "CONSTR_PRIMARY"].includes(contype)));
    const nameless = constraintsIn(statement).filter(({ contype, conname }) => NAMED.includes(contype) && conname === undefined);
    return [
      ...withColumn.map(({ contype }) => `${table}: ${contype} with a new column`),
      ...nameless.map(({ contype }) => `${table}: ${contype} without a name`),
    ];
  });
}

/** Foreign keys to tenant tables from tables that are not distributed with them. */
function foreignKeysOf(schema: string): string[] {
  return parsed(schema).flatMap((statement) => {
    const definition = (statement.CreateStmt ?? statement.AlterTableStmt) as
      | (Node & { relation: { relname: string } })
      | undefined;
    if (definition === undefined) return [];
    const { relname } = definition.relation;
    if (TABLES[relname]?.distribution === "tenant") return [];
    const targets = constraintsIn(definition).flatMap(({ pktable }) => pktable?.relname ?? []);
    return targets.filter((table) => TABLES[table]?.distribution === "tenant").map((table) => `${relname} to ${table}`);
  });
}

describe("migrations", () => {
  const files = readdirSync(new URL("migrations/", SERVER)).filter((file) => file >= FIRST_CHECKED);
  test.each(files)("%s names its constraints and adds them by themselves", (file) => {
    expect(refusedOf(read(`migrations/${file}`))).toEqual([]);
  });

  test.each([
    ["alter table deals add column size int not null default 1", []],
    [
      "alter table deals add constraint deals_size check (size > 0), add constraint deals_ref foreign key (a) references users (id)",
      [],
    ],
    ["create table x (id text primary key, n int constraint x_n check (n > 0), constraint x_u unique (n))", []],
    ["alter table deals add column size int constraint deals_size check (size > 0)", ["deals: CONSTR_CHECK with a new column"]],
    ["alter table deals add check (size > 0)", ["deals: CONSTR_CHECK without a name"]],
    ["create table x (id text primary key, n int references users (id))", ["x: CONSTR_FOREIGN without a name"]],
    ["create table x (id text, unique (id))", ["x: CONSTR_UNIQUE without a name"]],
  ])("%s", (text, refused) => {
    expect(refusedOf(text)).toEqual(refused);
  });
});

describe("foreign keys", () => {
  test("none leads from a table that is not a tenant's to one that is", () => {
    expect(foreignKeysOf(read("schema.sql"))).toEqual([]);
  });

  test.each([
    ["alter table contacts add constraint c foreign key (partner_id, account_id) references clients (partner_id, id)", []],
    ["alter table contacts add constraint c foreign key (owner_id) references users (id)", []],
    [
      "alter table registration_claims add constraint c foreign key (partner_id, deal_id) references deals (partner_id, id)",
      ["registration_claims to deals"],
    ],
    [
      "create table keys (partner_id text, client_id text, foreign key (partner_id, client_id) references clients)",
      ["keys to clients"],
    ],
  ])("%s", (text, refused) => {
    expect(foreignKeysOf(text)).toEqual(refused);
  });
});
