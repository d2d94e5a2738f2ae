import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES, type Scope } from "../../src/kernel/scopes.ts";
import { hashApiKey, newApiKey } from "../../src/platform/crypto/api-key.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { auditedRequests } from "../harness/lists.ts";
import { type CallOptions, type Json, type TestPartner, useWorld } from "../harness/world.ts";
import { type Belongings, bodyOf, headersOf, neverMade, OPERATIONS, thingsOf, urlOf } from "./operations.ts";
import { belongingsOf } from "./scene.ts";

const world = useWorld();

type Scene = { partner: TestPartner; client: Json; idFor: Belongings };

/** One scene for all calls that are refused or only read, since these change nothing. */
let shared: Scene;
/** Keys that are no key of a partner's any more, or never were. */
let invalid: string[];

beforeAll(async () => {
  shared = await newScene();
  const { partner } = shared;
  const [revoked, expired, operator] = await Promise.all([world.newKey(partner), world.newKey(partner), world.newOperator()]);
  await world.db.sql("update keys set revoked_at = now() where hash = $1", [hashApiKey(revoked)]);
  await world.db.sql("update keys set expires_at = $2 where hash = $1", [hashApiKey(expired), world.clock.now()]);
  invalid = [expired, operator, "trb_short", `trb_${"0".repeat(38)}`, `${partner.key}0`, newApiKey(), revoked];
});

afterAll(async () => {
  // After everything below, which has done every operation: the change feed calls a record created at its first version alone.
  const told = "select resource, subject_version, change from change_feed where (change = 'created') <> (subject_version = 1)";
  expect(await world.db.sql(`${told} group by 1, 2, 3`)).toEqual([]);
});

/** A partner with a client, and of the client's things those that a route needs, or one of each. */
async function newScene(route?: Route): Promise<Scene> {
  const partner = await world.newPartner();
  const client = await world.newClient(partner);
  return { partner, client, idFor: await belongingsOf(world, partner, client.id, route && thingsOf(route)) };
}

/** A scene of its own for each operation that changes what it touches. */
const sceneOf = (route: Route): Promise<Scene> => (route.method === "GET" ? Promise.resolve(shared) : newScene(route));

function send(route: Route, { idFor }: Scene, options: CallOptions) {
  const headers = { ...headersOf(route), ...options.headers };
  return world.call(route.method, urlOf(route, idFor), { body: bodyOf(route, idFor), ...options, headers });
}

const withoutScope = new Map<Scope | "none", Promise<string>>();

/** A key of the shared partner's with every scope but one. */
function keyWithout(missing: Scope | "none"): Promise<string> {
  const known = withoutScope.get(missing);
  const key = known ?? world.newKey(shared.partner, { scopes: ALL_SCOPES.filter((scope) => scope !== missing) });
  withoutScope.set(missing, key);
  return key;
}

/** What a member may do: everything but to administer. */
const SCOPES_OF_A_MEMBER = ALL_SCOPES.filter((scope) => !["account:write", "keys:write", "webhooks:write"].includes(scope));

/** An event is read and sent with the scope of its resource too, a lead converted with those of what it becomes, and a key rotated with all that it has: in the scene, a client's. */
const FURTHER_SCOPES: Record<string, Scope[]> = {
  "events.get": ["clients:read"],
  "leads.convert": ["contacts:write", "deals:write"],
  "leads.unconvert": ["contacts:write"],
  "keys.rotate": ["clients:read"],
  "webhooks.create": ["clients:read"],
  "webhooks.update": ["clients:read"],
  "webhooks.rotate_secret": ["clients:read"],
  "users.create": SCOPES_OF_A_MEMBER,
  "users.update": SCOPES_OF_A_MEMBER,
};

/** The operations that were done, by their requests. */
const done = new Map<string, string>();

/** What may create or find creates in the scene, which has nothing of the kind. */
const doneStatus = ({ reply }: Route) => (reply.or_created === true ? 201 : reply.status);

const SCOPED = OPERATIONS.filter(({ route }) => route.scope !== "none");

describe.concurrent.each(OPERATIONS)("$name", ({ route }) => {
  test("without a key: 401 missing_credentials", async () => {
    const { status, body, headers } = await send(route, shared, {});
    expect([status, body.code, headers["www-authenticate"]]).toEqual([401, "missing_credentials", "Bearer"]);
  });

  test("with a key that is malformed, unknown, revoked, expired or the operator's: 401 invalid_credentials, word for word the same", async () => {
    const answers = new Set<string>();
    for (const key of invalid) {
      const { status, body, text } = await send(route, shared, { key });
      expect([key, status, body.code]).toEqual([key, 401, "invalid_credentials"]);
      answers.add(text.replaceAll(body.request_id, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("with a key of another scheme: 401 invalid_credentials", async () => {
    const { key } = shared.partner;
    for (const authorization of [`Basic ${key}`, key, `Bearer ${key} ${key}`, "Bearer", ""]) {
      const { status } = await send(route, shared, { headers: { authorization } });
      expect([authorization.replace(key, "<key>"), status]).toEqual([authorization.replace(key, "<key>"), 401]);
    }
  });

  test("with a key that has what it takes and no more: done, unless it takes a person", async () => {
    const scene = await sceneOf(route);
    const scopes = [route.scope === "none" ? "billing:read" : route.scope, ...(FURTHER_SCOPES[route.operation] ?? [])];
    const { status, text, body, headers } = await send(route, scene, { key: await world.newKey(scene.partner, { scopes }) });
    if (route.owner_only === true) expect([status, body.code]).toEqual([403, "person_required"]);
    else expect(status, text).toBe(doneStatus(route));
    if (route.method !== "GET" && status < 300) done.set(headers["request-id"] ?? "", route.operation);
  });

  test("with a key bound to clients: refused where the whole partner is concerned, and nowhere else", async () => {
    const scene = await sceneOf(route);
    const { status, body, text } = await send(route, scene, {
      key: await world.newKey(scene.partner, { clients: [scene.client.id] }),
    });
    const wide = route.partner_wide || bodyOf(route)?.clients === "all" || bodyOf(route)?.client_ids === null;
    if (wide) expect([status, body.code]).toEqual([403, "partner_wide_key_required"]);
    else expect(status, text).toBe(doneStatus(route));
  });
});

describe.concurrent.each(SCOPED)("$name", ({ route }) => {
  test("with every scope but its own: 403 insufficient_scope, naming the one", async () => {
    const { status, body } = await send(route, shared, { key: await keyWithout(route.scope) });
    expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", route.scope]);
  });

  test("a missing scope is told before anything is looked up or read", async () => {
    const url = `${urlOf(route, neverMade)}?nonsense=1`;
    const { status, body } = await world.call(route.method, url, { key: await keyWithout(route.scope), body: "{ no json" });
    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });
});

test("only the route that tells a key about itself needs no scope, and the one whose tools have theirs", () => {
  const open = OPERATIONS.filter(({ route }) => route.scope === "none").map(({ name }) => name);
  expect(open).toEqual(["GET /me", "POST /v1/mcp"]);
});

test("whatever is done is in the audit log, unless it changes nothing", async () => {
  const told = await auditedRequests(world);
  const silent = [...done].flatMap(([request_id, operation]) => (told.has(request_id) ? [] : [operation]));
  const reading = ["commissions.simulate", "conversations.read", "mcp.post", "message_templates.preview", "webhooks.verify"];
  // What the scene has as they would leave it, or what they only try.
  const unchanged = [
    "access.request",
    "affiliate_links.update",
    "agents.rollback",
    "clients.reactivate",
    "contacts.bulk",
    "conversations.reopen",
    "conversations.update",
    "custom_fields.update",
    "imports.cancel",
    "listings.set",
    "payment_links.enable",
    "replays.create",
    "rollouts.resume",
    "rollouts.retry",
  ];
  expect(silent.toSorted()).toEqual([...reading, ...unchanged].toSorted());
});
