import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";
import { ALL_OPERATIONS, type Belongings, belongingsOf, bodyOf, headersOf, operatorBelongings, urlOf } from "./operations.ts";

const world = useWorld();
const RUNS = 60;
let partner: TestPartner;
let idFor: Belongings;
let operator: string;
let operatorIdFor: Belongings;

beforeAll(async () => {
  partner = await world.newPartner();
  idFor = await belongingsOf(world, partner, (await world.newClient(partner)).id);
  operator = await world.newOperator();
  operatorIdFor = await operatorBelongings(world, operator);
});

const text = fc.string({ unit: "binary", maxLength: 30 });

/** JSON that looks like the operation's own: its members, some with good values, some with anything. */
function bodyLike(route: Route): fc.Arbitrary<unknown> {
  const example: Record<string, unknown> = bodyOf(route) ?? {};
  const members = Object.entries(example).map(([name, value]) => [
    name,
    fc.oneof(fc.constant(value), fc.jsonValue(), fc.constant(null)),
  ]);
  return fc.oneof(
    fc.record(Object.fromEntries(members), { requiredKeys: [] }),
    fc.jsonValue({ maxDepth: 5 }),
    fc.object({ key: text }),
  );
}

/** Query strings with the names that the operation knows and values of every kind. */
function queryLike(route: Route): fc.Arbitrary<string> {
  const names = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});
  const name = names.length === 0 ? text : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, text);
  const value = fc.oneof(
    text,
    fc.integer().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.base64String(),
  );
  const pair = fc.tuple(name, value).map(([left, right]) => `${encode(left)}=${encode(right)}`);
  const raw = fc.string().map((value) => value.replaceAll(/[#\s]/g, ""));
  return fc.array(fc.oneof({ weight: 5, arbitrary: pair }, raw), { maxLength: 4 }).map((pairs) => pairs.join("&"));
}

/** A text with half of a surrogate pair has no percent-encoding, so such are sent as its replacement. */
const encode = (value: string) => encodeURIComponent(value.toWellFormed());

describe.each(ALL_OPERATIONS)("$name", ({ route }) => {
  test("no body and no query string makes it fail: every reply is one of its own or a 4xx problem", async () => {
    const property = fc.asyncProperty(bodyLike(route), queryLike(route), fc.boolean(), async (body, query, asked) => {
      const url = urlOf(route, route.operator === true ? operatorIdFor : idFor) + (asked ? `?${query}` : "");
      const takesBody = route.method !== "GET" && body !== undefined;
      const { status } = await world.call(route.method, url, {
        key: route.operator === true ? operator : partner.key,
        headers: headersOf(route),
        ...(takesBody ? { body: JSON.stringify(body) } : {}),
      });
      expect(status).toBeLessThan(500);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
