import { beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { exampleOf, type JsonSchema } from "../../src/platform/http/schema-example.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { ALL_OPERATIONS, type Belongings, urlOf } from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

/** In the role `api`, so that nothing changes between two requests. */
const world = useWorld({}, "api");
let partner: TestPartner;
let operator: string;
let idFor: Belongings;
let operatorIdFor: Belongings;

/** Two of everything, at different times. */
beforeAll(async () => {
  partner = await world.newPartner();
  operator = await world.newOperator();
  for (let round = 0; round < 2; round += 1) {
    world.clock.advance(1);
    idFor = await belongingsOf(world, partner, (await world.newClient(partner)).id);
    operatorIdFor = await operatorBelongings(world, operator);
  }
  // From here on the clock stands still, so that the last use of a key stays the same.
  await world.call("GET", `${BASE}/me`, { key: partner.key });
  await world.call("GET", `${ADMIN}/keys`, { key: operator });
  await world.app.usage.flush();
});

const parametersOf = ({ query }: Route) => (query as JsonSchema | undefined)?.properties ?? {};

/** Every list that has pages, with its filters. */
const LISTS = ALL_OPERATIONS.filter(
  ({ route }) => route.method === "GET" && ["cursor", "limit"].every((name) => name in parametersOf(route)),
).map(({ name, route }) => {
  const { cursor: _, limit: __, ...filters } = parametersOf(route);
  return { name, route, filters };
});

async function read(route: Route, query: Record<string, string>): Promise<Json> {
  const own = route.operator === true;
  const url = `${urlOf(route, own ? operatorIdFor : idFor)}?${new URLSearchParams(query)}`;
  return (await world.call("GET", url, { key: own ? operator : partner.key })).body;
}

/** The values that a filter chooses from; of most filters there are more than can be named. */
const choicesOf = ({ enum: values, items, type }: JsonSchema) =>
  (type === "boolean" ? [false, true] : (values ?? items?.enum ?? [])).map(String);

/** A value that nothing has, or a time that leaves nothing. */
function neverFound(filter: string, { items, ...parameter }: JsonSchema): string {
  const { pattern, format, type } = items ?? parameter;
  if (format?.startsWith("date"))
    return `${filter.endsWith("_after") ? 2099 : 2000}-01-01${format === "date" ? "" : "T00:00:00Z"}`;
  return type === "string" && !pattern?.includes("_[0-7]") && format === undefined
    ? "never-made"
    : String(exampleOf(items ?? parameter));
}

/** Filters that mean something else than the member of their name. */
const OTHERWISE = ["clients.list version", "tags.list account_id", "leads.list converted", "conversations.list unread"];

/** A value that a row has, where rows show it, and one that none has. */
function valuesFor(rows: readonly Json[], filter: string, parameter: JsonSchema): string[] {
  const choices = choicesOf(parameter);
  const shown = rows.map((row) => row[filter]).filter((value) => value != null && typeof value !== "object");
  const present = shown.map(String);
  const absent = choices.length === 0 ? [neverFound(filter, parameter)] : choices.filter((value) => !present.includes(value));
  const isShown = filter in (rows[0] ?? {});
  return isShown || choices.length === 0 ? [...present.slice(0, 1), ...absent.slice(0, 1)] : [];
}

test("a filter shows what has its value, and nothing else", async () => {
  const wrong = [];
  let tried = 0;
  for (const { route, filters } of LISTS) {
    const { data: rows = [], has_more }: { data?: Json[]; has_more?: boolean } = await read(route, { limit: "100" });
    if (rows.length === 0 || has_more) continue;
    for (const [filter, parameter] of Object.entries(filters)) {
      const name = `${route.operation} ${filter}`;
      for (const value of OTHERWISE.includes(name) ? [] : valuesFor(rows, filter, parameter)) {
        tried += 1;
        const { data } = await read(route, { [filter]: value, limit: "100" });
        const expected = rows.filter((row) => String(row[filter]) === value);
        if (JSON.stringify(data) !== JSON.stringify(expected)) wrong.push(`${name} ${value}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(LISTS.length);
});

const FIRST = 3;
const paged = new Set<string>();

test.each(LISTS)("$name in pages of one is the list as a whole, each row once", async ({ name, route }) => {
  const { data: whole } = await read(route, { limit: String(FIRST) });
  const rows: Json[] = [];
  for (let cursor: string | null = null; rows.length < whole.length; ) {
    const { data, next_cursor }: Json = await read(route, { limit: "1", ...(cursor === null ? {} : { cursor }) });
    rows.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  expect(rows).toEqual(whole);
  if (rows.length > 1) paged.add(name);
});

test("most of the lists had several pages", () => {
  expect(paged.size).toBeGreaterThan(LISTS.length * 0.7);
});
