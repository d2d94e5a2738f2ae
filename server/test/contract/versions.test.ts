import { beforeAll, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { takesVersion } from "../../src/platform/http/route-errors.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";
import { ALL_OPERATIONS, type Belongings, bodyOf, headersOf, urlOf } from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

/** In the role `api`, so that nothing changes by itself. */
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

const idsOf = (route: Route) => (route.operator === true ? operatorIdFor : idFor);

function send(route: Route, body: unknown, headers: Record<string, string> = {}) {
  const key = route.operator === true ? operator : partner.key;
  return world.call(route.method, urlOf(route, idsOf(route)), { key, body, headers: { ...headersOf(route), ...headers } });
}

// The first, because every request is refused.
test.each(CHANGES)("$name is refused where If-Match names another version than there is", async ({ route }) => {
  const { status, body } = await send(route, bodyOf(route, idsOf(route)), { "if-match": STALE });
  expect([status, body.code]).toEqual([412, "version_mismatch"]);
});

/** What the scene has in a state in which it does not change. */
const FIXED = ["payment_links.update"];
/** What is stored anew whenever it is sent: secrets, stages without an id, rules by which leads are scored again, a text that is read again. */
const ANEW = [
  "channels.update",
  "knowledge_sources.update",
  "leads.set_scoring",
  "payment_providers.update",
  "pipelines.update",
  "programme_providers.update",
  "webhooks.update",
];
/** What the scene has as the example asks for it. */
const AS_IT_IS = ["affiliate_links.update", "conversations.update", "custom_fields.update", "listings.set"];

/** In reverse, because the client is suspended by its update, and its records do not change afterwards. */
const UPDATES = CHANGES.filter(
  ({ route }) => ["PATCH", "PUT"].includes(route.method) && !FIXED.includes(route.operation),
).toReversed();

/** How much has been told of changes: in the audit log, in the change feed and by events. */
const told = () =>
  world.db.sql(`
    select (select count(*)::int from audit_entries where not tallied) as entries, (select count(*)::int from change_feed) as changes,
      (select count(*)::int from events) as events`);

/** Sends an update, which is told unless it changes nothing, and gives its reply. */
async function update(route: Route, body = bodyOf(route, idsOf(route))) {
  const before = await told();
  const reply = await send(route, body);
  expect(reply.status, reply.text).toBe(200);
  if (AS_IT_IS.includes(route.operation)) expect(await told()).toEqual(before);
  else expect(await told()).not.toEqual(before);
  return reply;
}

const isAnew = ({ route }: (typeof UPDATES)[number]) => ANEW.includes(route.operation);

test.each(UPDATES.filter(isAnew))("$name is told", async ({ route }) => void (await update(route)));

test.each(UPDATES.filter((one) => !isAnew(one)))(
  "$name is told where it changes something, and sent again changes nothing: no version, no time, no entry",
  async ({ route }) => {
    const body = bodyOf(route, idsOf(route));
    const first = await update(route, body);
    const after = await told();
    world.clock.advance(60_000);
    const again = await send(route, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await told()).toEqual(after);
  },
);
