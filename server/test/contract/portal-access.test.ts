import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { PARTNER_ROLES, type PartnerRole } from "../../src/kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { cookieOf, newPerson, type Person, PORTAL, signInAgain } from "../harness/people.ts";
import { type CallOptions, type Reply, type TestPartner, useWorld } from "../harness/world.ts";
import {
  ADMIN_OPERATIONS,
  ALL_OPERATIONS,
  type Belongings,
  bodyOf,
  headersOf,
  OPERATIONS,
  thingsOf,
  urlOf,
} from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

const world = useWorld();

/** Everything but to administer. */
const WORK = ALL_SCOPES.filter((scope) => !["account:write", "keys:write", "webhooks:write"].includes(scope));
const READING = ALL_SCOPES.filter((scope) => scope.endsWith(":read"));
const RIGHTS: Record<PartnerRole, readonly Scope[]> = { owner: ALL_SCOPES, admin: ALL_SCOPES, member: WORK, read_only: READING };

/** A person, and a key with the same scopes and clients. */
type Caller = { name: string; role: PartnerRole; bound: boolean; person: Person; key: string };

let partner: TestPartner;
/** What belongs to a client that all callers have, to another client of the partner, and to another partner. */
let ids: { own: Belongings; account: Belongings; partner: Belongings };
let callers: Caller[];
let operator: Person;
/** Sessions that never were, or have ended. */
let invalid: Record<string, string>[];

beforeAll(async () => {
  partner = await world.newPartner();
  const other = await world.newPartner();
  const [own, account, foreign] = [await world.newClient(partner), await world.newClient(partner), await world.newClient(other)];
  ids = {
    own: await belongingsOf(world, partner, own.id),
    account: await belongingsOf(world, partner, account.id),
    partner: await belongingsOf(world, other, foreign.id),
  };
  const newCaller = async (role: PartnerRole, bound: boolean): Promise<Caller> => {
    const clients = bound ? [own.id] : "all";
    const key = await world.newKey(partner, { scopes: RIGHTS[role], clients });
    const person = await newPerson(world, partner, { role, accounts: clients });
    return { name: `${role}${bound ? " of a client" : ""}`, role, bound, person, key };
  };
  callers = [];
  for (const role of PARTNER_ROLES) callers.push(await newCaller(role, false));
  callers.push(await newCaller("member", true));
  operator = await newPerson(world, null);
  const ended = await signInAgain(world, operator.user_id);
  expect((await ended.call("DELETE", "/session")).status).toBe(204);
  invalid = [cookieOf(randomBytes(32).toString("base64url")), ended.headers];
});

/** Why a caller may not use an operation at all, null if it may. */
function refusalOf(route: Route, { role, bound }: Caller): string | null {
  if (route.scope !== "none" && !RIGHTS[role].includes(route.scope)) return "insufficient_scope";
  if (route.partner_wide && bound) return "partner_wide_key_required";
  return route.owner_only === true && role !== "owner" ? "role_required" : null;
}

type Request = { url: string; options: CallOptions; expected: string | null };

const hasId = (route: Route) => Object.keys(route.params).length > 0;

/** What is not the caller's. Snapshots are the partner's, whoever has clients of it; what is offered on the marketplace is everybody's. */
function foreignOf(route: Route, { bound }: Caller): Belongings[] {
  const things = thingsOf(route);
  if (things.includes("offer")) return [];
  const ofAccount = things.some((thing) => thing !== "snapshot" && thing !== "version_number");
  return [ids.partner, ...(bound && ofAccount ? [ids.account] : [])];
}

/** Requests that change nothing whoever is admitted: a change of the own is one that cannot be read. */
function requestsOf(route: Route, caller: Caller): Request[] {
  const refusal = refusalOf(route, caller);
  const url = urlOf(route, ids.own);
  const own =
    route.method === "GET"
      ? { url, options: {}, expected: refusal }
      : { url: `${url}?nonsense=1`, options: { body: "{ no json" }, expected: refusal };
  const others = foreignOf(route, caller).map((idFor) => ({
    url: urlOf(route, idFor),
    options: { body: bodyOf(route), headers: headersOf(route) },
    expected: refusal ?? "not_found",
  }));
  return [own, ...(hasId(route) ? others : [])];
}

const outcomeOf = ({ status, body }: Reply): [number, string | null] => [status, status < 400 ? null : body.code];

/** A stream without an end cannot be read to its end; it has tests of its own. */
const FINITE = OPERATIONS.filter(({ route }) => route.reply.endless !== true);

describe.concurrent.each(FINITE)("$name", ({ route }) => {
  test("each role may do what a key with its scopes and clients may, to what is its own, another account's and another partner's", async () => {
    const checks = callers.flatMap((caller) =>
      requestsOf(route, caller).map(async ({ url, options, expected }) => {
        const [byPerson, byKey] = await Promise.all([
          caller.person.call(route.method, url, options),
          world.call(route.method, url, { ...options, key: caller.key }),
        ]);
        if (route.owner_only === true) expect(byKey.status).toBe(403);
        else expect([caller.name, ...outcomeOf(byPerson)]).toEqual([caller.name, ...outcomeOf(byKey)]);
        if (expected !== null) expect([caller.name, byPerson.body.code]).toEqual([caller.name, expected]);
        else expect([caller.name, byPerson.status < 300 || byPerson.status === 400], byPerson.text).toEqual([caller.name, true]);
      }),
    );
    await Promise.all(checks);
  });

  test("the least role that may does it", async () => {
    const may = (one: PartnerRole) => route.scope === "none" || RIGHTS[one].includes(route.scope);
    const role = route.owner_only === true ? "owner" : (PARTNER_ROLES.findLast(may) ?? "owner");
    const read = route.method === "GET";
    const here = read ? partner : await world.newPartner();
    const person = await newPerson(world, here, { role });
    const idFor = read ? ids.own : await belongingsOf(world, here, (await world.newClient(here)).id, thingsOf(route));
    const options = { body: bodyOf(route, idFor), headers: headersOf(route) };
    const { status, text } = await person.call(route.method, urlOf(route, idFor), options);
    expect(status, text).toBe(route.reply.or_created === true ? 201 : route.reply.status);
  });

  test("a user of the operator is refused, whatever the operation", async () => {
    expect(outcomeOf(await operator.call(route.method, urlOf(route, ids.own)))).toEqual([403, "role_required"]);
  });
});

describe.concurrent.each(ALL_OPERATIONS)("$name", ({ route }) => {
  const id: Belongings = (thing) => (route.operator === true ? `${thing}_1` : ids.own(thing));
  const send = (headers: Record<string, string>, key?: string) =>
    world.call(route.method, PORTAL + urlOf(route, id), { headers, ...(key === undefined ? {} : { key }) });

  test("nobody, a key and a cookie that is malformed are not signed in; a forged or ended session is told to sign in again", async () => {
    const own = { "sec-fetch-site": "same-origin" };
    for (const reply of [await send(own), await send(own, partner.key), await send(cookieOf("short"))])
      expect(outcomeOf(reply)).toEqual([401, "missing_credentials"]);
    for (const headers of invalid) expect(outcomeOf(await send(headers))).toEqual([401, "session_expired"]);
  });

  test("a change that another site's page asks for is refused; and the cookie opens nothing outside the portal", async () => {
    const { cookie = "" } = (route.operator === true ? operator : (callers[0]?.person ?? operator)).headers;
    const elsewhere = [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ];
    if (route.method !== "GET")
      for (const headers of elsewhere) expect(outcomeOf(await send({ cookie, ...headers }))).toEqual([403, "cross_site_request"]);
    const outside = await world.call(route.method, urlOf(route, id), { headers: { cookie } });
    expect(outcomeOf(outside)).toEqual([401, "missing_credentials"]);
  });
});

describe.concurrent.each(ADMIN_OPERATIONS)("$name", ({ route }) => {
  test("is done for a user of the operator, and refused to every user of a partner", async () => {
    const idFor = await operatorBelongings(world, await world.newOperator(), thingsOf(route));
    const url = urlOf(route, idFor);
    for (const { person } of callers) expect(outcomeOf(await person.call(route.method, url))).toEqual([403, "role_required"]);
    const { status, text } = await operator.call(route.method, url, { body: bodyOf(route, idFor), headers: headersOf(route) });
    expect(status, text).toBe(route.reply.or_created === true ? 201 : route.reply.status);
  });
});

const COLLECTIONS = OPERATIONS.filter(
  ({ route }) => route.method === "GET" && !hasId(route) && route.reply.stream === undefined && route.reply.schema !== undefined,
);

test("every list and report shows a person exactly what a key with the same rights sees", async () => {
  const stable = (text: string) => text.replaceAll(/"last_(used|seen)_at":("[^"]*"|null)/g, "");
  for (const { name, route } of COLLECTIONS) {
    for (const caller of callers.filter((one) => refusalOf(route, one) === null)) {
      const url = urlOf(route, ids.own);
      const [byPerson, byKey] = await Promise.all([caller.person.call("GET", url), world.call("GET", url, { key: caller.key })]);
      expect([name, caller.name, stable(byPerson.text)]).toEqual([name, caller.name, stable(byKey.text)]);
    }
  }
});

test("keys, users and payout methods take a password that was given lately, and nothing else does", async () => {
  const sensitive = ALL_OPERATIONS.filter(({ route }) => route.sensitive === true);
  expect(sensitive.map(({ route }) => route.operation).sort()).toEqual([
    "keys.create",
    "keys.rotate",
    "keys.update",
    "operator_keys.create",
    "operator_payout_method.delete",
    "operator_payout_method.set",
    "operator_users.create",
    "operator_users.delete",
    "payout_method.delete",
    "payout_method.set",
    "users.create",
    "users.delete",
    "users.update",
  ]);
  await world.db.sql("update sessions set authenticated_at = $1", [new Date(world.clock.now().getTime() - 600_001)]);
  for (const { route } of sensitive) {
    const person = route.operator === true ? operator : callers[0]?.person;
    const reply = await person?.call(route.method, urlOf(route, ids.own), { body: bodyOf(route) });
    expect([route.operation, reply?.body.code]).toEqual([route.operation, "reauthentication_required"]);
  }
});
