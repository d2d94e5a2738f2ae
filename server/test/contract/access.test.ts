import { describe, expect, test } from "vitest";
import { ALL_SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { newApiKey } from "../../src/platform/crypto/api-key.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { type CallOptions, useWorld } from "../harness/world.ts";
import { belongingsOf, bodyOf, headersOf, neverMade, OPERATIONS, urlOf } from "./operations.ts";

const world = useWorld();

/** A partner of its own for each operation, because some of them change what they touch. */
async function scene(route: Route) {
  const partner = await world.newPartner();
  const client = await world.newClient(partner);
  const idFor = await belongingsOf(world, partner, client.id);
  const url = urlOf(route, idFor);
  const call = (options: CallOptions) =>
    world.call(route.method, url, {
      body: bodyOf(route, idFor),
      ...options,
      headers: { ...headersOf(route), ...options.headers },
    });
  return { partner, client, call };
}

const refusedScenes = new Map<Route, ReturnType<typeof scene>>();

/** One for all the calls of an operation that are refused, since these touch nothing. */
function refusedScene(route: Route): ReturnType<typeof scene> {
  const known = refusedScenes.get(route) ?? scene(route);
  refusedScenes.set(route, known);
  return known;
}

/** An event is read and sent with the scope of its resource too, a lead converted with those of what it becomes, and a key rotated with all that it has: in the scene, a client's. */
const FURTHER_SCOPES: Record<string, Scope[]> = {
  "events.get": ["clients:read"],
  "leads.convert": ["contacts:write", "deals:write"],
  "leads.unconvert": ["contacts:write"],
  "keys.rotate": ["clients:read"],
  "webhooks.create": ["clients:read"],
  "webhooks.update": ["clients:read"],
  "webhooks.rotate_secret": ["clients:read"],
};

/** What may create or find creates in the scene, which has nothing of the kind. */
const doneStatus = ({ reply }: Route) => (reply.or_created === true ? 201 : reply.status);

const SCOPED = OPERATIONS.filter(({ route }) => route.scope !== "none");

describe.each(OPERATIONS)("$name", ({ route }) => {
  test("without a key: 401 missing_credentials", async () => {
    const { call } = await refusedScene(route);
    const { status, body, headers } = await call({});
    expect([status, body.code, headers["www-authenticate"]]).toEqual([401, "missing_credentials", "Bearer"]);
  });

  test("with a key that is malformed, unknown, revoked, expired or the operator's: 401 invalid_credentials, word for word the same", async () => {
    const { partner, call } = await refusedScene(route);
    const revoked = await world.newKey(partner);
    await world.db.sql("update keys set revoked_at = now() where partner_id = $1 and hint = $2", [
      partner.partner_id,
      revoked.slice(-4),
    ]);
    const expired = await world.newKey(partner);
    await world.db.sql("update keys set expires_at = $3 where partner_id = $1 and hint = $2", [
      partner.partner_id,
      expired.slice(-4),
      world.clock.now(),
    ]);
    const answers = new Set<string>();
    for (const key of [
      expired,
      await world.newOperator(),
      "trb_short",
      `trb_${"0".repeat(38)}`,
      `${partner.key}0`,
      newApiKey(),
      revoked,
    ]) {
      const { status, body, text } = await call({ key });
      expect([key, status, body.code]).toEqual([key, 401, "invalid_credentials"]);
      answers.add(text.replaceAll(body.request_id, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("with a key of another scheme: 401 invalid_credentials", async () => {
    const { partner, call } = await refusedScene(route);
    for (const authorization of [`Basic ${partner.key}`, partner.key, `Bearer ${partner.key} ${partner.key}`, "Bearer", ""]) {
      const { status } = await call({ headers: { authorization } });
      expect([authorization.replace(partner.key, "<key>"), status]).toEqual([authorization.replace(partner.key, "<key>"), 401]);
    }
  });

  test("with a key that has what it takes and no more: done", async () => {
    const { partner, call } = await scene(route);
    const scopes = [route.scope === "none" ? "billing:read" : route.scope, ...(FURTHER_SCOPES[route.operation] ?? [])];
    const { status } = await call({ key: await world.newKey(partner, { scopes }) });
    expect(status).toBe(doneStatus(route));
  });

  test("with a key bound to clients: refused where the whole partner is concerned, and nowhere else", async () => {
    const { partner, client, call } = await scene(route);
    const { status, body } = await call({ key: await world.newKey(partner, { clients: [client.id] }) });
    const wide = route.partner_wide || bodyOf(route)?.clients === "all" || bodyOf(route)?.client_ids === null;
    if (wide) expect([status, body.code]).toEqual([403, "partner_wide_key_required"]);
    else expect(status).toBe(doneStatus(route));
  });
});

describe.each(SCOPED)("$name", ({ route }) => {
  test("with every scope but its own: 403 insufficient_scope, naming the one", async () => {
    const { partner, call } = await refusedScene(route);
    const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== route.scope) });
    const { status, body } = await call({ key });
    expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", route.scope]);
  });

  test("a missing scope is told before anything is looked up or read", async () => {
    const { partner } = await refusedScene(route);
    const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== route.scope) });
    const url = `${urlOf(route, neverMade)}?nonsense=1`;
    const { status, body } = await world.call(route.method, url, { key, body: "{ no json" });
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });
});

test("only the route that tells a key about itself needs no scope", () => {
  const open = OPERATIONS.filter(({ route }) => route.scope === "none").map(({ name }) => name);
  expect(open).toEqual(["GET /me"]);
});
