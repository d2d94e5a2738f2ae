import { beforeAll, describe, expect, test } from "vitest";
import { hashApiKey, newApiKey } from "../../src/platform/crypto/api-key.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { auditedRequests } from "../harness/lists.ts";
import { type CallOptions, type TestPartner, useWorld } from "../harness/world.ts";
import {
  ADMIN_OPERATIONS,
  type Belongings,
  bodyOf,
  headersOf,
  malformed,
  neverMade,
  OPERATIONS,
  type Thing,
  thingsOf,
  urlOf,
} from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";

const world = useWorld();

type Scene = { operator: string; idFor: Belongings };

/** One scene for all calls that are refused or only read, since these change nothing. */
let shared: Scene;
let partner: TestPartner;
let ofPartner: Belongings;
let withoutAccess: TestPartner;
let revoked: string;

beforeAll(async () => {
  shared = await newScene();
  partner = await world.newPartner();
  ofPartner = await belongingsOf(world, partner, (await world.newClient(partner)).id);
  withoutAccess = await world.newPartner({ api_access: false });
  revoked = await world.newOperator();
  await world.db.sql("update keys set revoked_at = now() where hash = $1", [hashApiKey(revoked)]);
});

async function newScene(things?: readonly Thing[]): Promise<Scene> {
  const operator = await world.newOperator();
  return { operator, idFor: await operatorBelongings(world, operator, things) };
}

/** The operations that were done, by their requests. */
const done = new Map<string, string>();

const send = (route: Route, { idFor }: Scene, options: CallOptions) =>
  world.call(route.method, urlOf(route, idFor), { body: bodyOf(route, idFor), headers: headersOf(route), ...options });

describe.concurrent.each(ADMIN_OPERATIONS)("$name", ({ route }) => {
  test("without a key: 401 missing_credentials", async () => {
    const { status, body, headers } = await send(route, shared, {});
    expect([status, body.code, headers["www-authenticate"]]).toEqual([401, "missing_credentials", "Bearer"]);
  });

  test("with a key that is malformed, unknown, revoked or a partner's: 401 invalid_credentials, word for word the same", async () => {
    const answers = new Set<string>();
    for (const key of ["trb_short", `${shared.operator}0`, newApiKey(), revoked, partner.key]) {
      const { status, body, text } = await send(route, shared, { key });
      expect([key, status, body.code]).toEqual([key, 401, "invalid_credentials"]);
      answers.add(text.replaceAll(body.request_id, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("with an operator key: done", async () => {
    const scene = route.method === "GET" ? shared : await newScene(thingsOf(route));
    const { status, text, headers } = await send(route, scene, { key: scene.operator });
    expect(status, text).toBe(route.reply.or_created === true ? 201 : route.reply.status);
    if (route.method !== "GET") done.set(headers["request-id"] ?? "", route.operation);
  });
});

describe.concurrent.each(ADMIN_OPERATIONS.filter(({ route }) => Object.keys(route.params).length > 0))("$name", ({ route }) => {
  test("what never existed, and what is no id, is not found", async () => {
    for (const ids of [neverMade, malformed]) {
      const options = { key: shared.operator, body: bodyOf(route), headers: headersOf(route) };
      const { status, body } = await world.call(route.method, urlOf(route, ids), options);
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
  });
});

describe.concurrent.each(OPERATIONS)("$name", ({ route }) => {
  test("with an operator key: 401 invalid_credentials", async () => {
    const url = urlOf(route, ofPartner);
    const { status, body } = await world.call(route.method, url, { key: shared.operator, body: bodyOf(route) });
    expect([status, body.code]).toEqual([401, "invalid_credentials"]);
  });

  test("with a key of a partner without API access: refused before anything else, where it is not open to all", async () => {
    const url = `${urlOf(route, neverMade)}?nonsense=1`;
    const { status, body } = await world.call(route.method, url, { key: withoutAccess.key, body: "{ no json" });
    if (route.beta_exempt === true) expect([400, 404]).toContain(status);
    else expect([status, body.code]).toEqual([403, "beta_access_required"]);
  });
});

test("of the partner API only who am I and the request for access are open to partners without it, the general API is as a whole", () => {
  const open = (routes: readonly Route[]) => routes.filter((route) => route.beta_exempt === true);
  const ofPartners = open(partnerV1.routes).map(({ method, path }) => `${method} ${path}`);
  expect(ofPartners.sort()).toEqual(["GET /access-request", "GET /me", "POST /access-request"]);
  expect(open(generalV1.routes)).toEqual(generalV1.routes);
});

test("whatever the operator does is in an audit log, unless it changes nothing", async () => {
  const told = await auditedRequests(world);
  const silent = [...done].flatMap(([request_id, operation]) => (told.has(request_id) ? [] : [operation]));
  const reading = ["payout_runs.preview", "rules.simulate"];
  // What the scene has as they would leave it.
  const unchanged = ["deals.accrue", "operator_affiliate_links.unblock", "operator_commissions.release", "partners.reactivate"];
  expect(silent.toSorted()).toEqual([...reading, ...unchanged].toSorted());
});
