import { beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { ALL_OPERATIONS, type Belongings, urlOf } from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

/** In the role `api`, so that nothing changes by itself. */
const world = useWorld({}, "api");
let partner: TestPartner;
let operator: string;
let idFor: Belongings;
let operatorIdFor: Belongings;

/** Two of everything, at different times, so that there is something to be paged. */
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

const LISTS = ALL_OPERATIONS.filter(
  ({ route }) =>
    route.method === "GET" &&
    ["cursor", "limit"].every((name) => name in ((route.query as { properties?: object } | undefined)?.properties ?? {})),
);

async function page(route: Route, limit: number, cursor: string | null): Promise<Json> {
  const of = route.operator === true ? { key: operator, ids: operatorIdFor } : { key: partner.key, ids: idFor };
  const search = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
  const { status, body, text } = await world.call("GET", `${urlOf(route, of.ids)}?${search}`, { key: of.key });
  if (status !== 200) throw new Error(text);
  return body;
}

const FIRST = 3;
const several = new Set<string>();

test.each(LISTS)("$name in pages of one is the list as a whole, each row once", async ({ name, route }) => {
  const { data: whole } = await page(route, FIRST, null);
  const rows: Json[] = [];
  for (let cursor: string | null = null; rows.length < whole.length; ) {
    const { data, next_cursor } = await page(route, 1, cursor);
    rows.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  expect(rows).toEqual(whole);
  if (rows.length > 1) several.add(name);
});

test("most of the lists had several rows", () => {
  expect(several.size).toBeGreaterThan(LISTS.length * 0.7);
});
