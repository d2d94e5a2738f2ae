import { describe, expect, test } from "vitest";
import { newApiKey } from "../../src/platform/crypto/api-key.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { type CallOptions, useWorld } from "../harness/world.ts";
import {
  ADMIN_OPERATIONS,
  belongingsOf,
  bodyOf,
  headersOf,
  malformed,
  neverMade,
  OPERATIONS,
  operatorBelongings,
  urlOf,
} from "./operations.ts";

const world = useWorld();

/** An operator of its own for each operation, because some of them change what they touch. */
async function scene(route: Route) {
  const operator = await world.newOperator();
  const url = urlOf(route, await operatorBelongings(world, operator));
  const call = (options: CallOptions) =>
    world.call(route.method, url, { body: bodyOf(route), headers: headersOf(route), ...options });
  return { operator, call };
}

describe.each(ADMIN_OPERATIONS)("$name", ({ route }) => {
  test("without a key: 401 missing_credentials", async () => {
    const { call } = await scene(route);
    const { status, body, headers } = await call({});
    expect([status, body.code, headers["www-authenticate"]]).toEqual([401, "missing_credentials", "Bearer"]);
  });

  test("with a key that is malformed, unknown, revoked or a partner's: 401 invalid_credentials, word for word the same", async () => {
    const { operator, call } = await scene(route);
    const partner = await world.newPartner();
    const revoked = await world.newOperator();
    await world.db.sql("update keys set revoked_at = now() where partner_id is null and hint = $1", [revoked.slice(-4)]);
    const answers = new Set<string>();
    for (const key of ["trb_short", `${operator}0`, newApiKey(), revoked, partner.key]) {
      const { status, body, text } = await call({ key });
      expect([key, status, body.code]).toEqual([key, 401, "invalid_credentials"]);
      answers.add(text.replaceAll(body.request_id, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("with an operator key: done", async () => {
    const { operator, call } = await scene(route);
    const { status, text } = await call({ key: operator });
    expect([status, text]).toEqual([route.reply.status, expect.anything()]);
  });
});

describe.each(ADMIN_OPERATIONS.filter(({ route }) => Object.keys(route.params).length > 0))("$name", ({ route }) => {
  test("what never existed, and what is no id, is not found", async () => {
    const key = await world.newOperator();
    for (const ids of [neverMade, malformed]) {
      const { status, body } = await world.call(route.method, urlOf(route, ids), { key, body: bodyOf(route) });
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
  });
});

describe.each(OPERATIONS)("$name", ({ route }) => {
  test("with an operator key: 401 invalid_credentials", async () => {
    const partner = await world.newPartner();
    const url = urlOf(route, await belongingsOf(world, partner, (await world.newClient(partner)).id));
    const { status, body } = await world.call(route.method, url, { key: await world.newOperator(), body: bodyOf(route) });
    expect([status, body.code]).toEqual([401, "invalid_credentials"]);
  });

  test("with a key of a partner without API access: refused before anything else, where it is not open to all", async () => {
    const partner = await world.newPartner({ api_access: false });
    const url = `${urlOf(route, neverMade)}?nonsense=1`;
    const { status, body } = await world.call(route.method, url, { key: partner.key, body: "{ no json" });
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
