import { beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { takesVersion } from "../../src/platform/http/route-errors.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";
import { ALL_OPERATIONS, type Belongings, bodyOf, headersOf, urlOf } from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

/** In the role `api`, so that nothing changes by itself. One scene does for all, since every request is refused. */
const world = useWorld({}, "api");
let partner: TestPartner;
let operator: string;
let idFor: Belongings;
let operatorIdFor: Belongings;

beforeAll(async () => {
  partner = await world.newPartner();
  operator = await world.newOperator();
  idFor = await belongingsOf(world, partner, (await world.newClient(partner)).id);
  operatorIdFor = await operatorBelongings(world, operator);
});

const CHANGES = ALL_OPERATIONS.filter(({ route }) => takesVersion(route));
/** A version that nothing has reached. */
const STALE = '"999999999"';

function send(route: Route) {
  const ids = route.operator === true ? operatorIdFor : idFor;
  return world.call(route.method, urlOf(route, ids), {
    key: route.operator === true ? operator : partner.key,
    body: bodyOf(route, ids),
    headers: { ...headersOf(route), "if-match": STALE },
  });
}

test.each(CHANGES)("$name is refused where If-Match names another version than there is", async ({ route }) => {
  const { status, body } = await send(route);
  expect([status, body.code]).toEqual([412, "version_mismatch"]);
});
