import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { billingOf } from "../harness/billing.ts";
import { StripeServer } from "../harness/stripe-server.ts";
import { ADMIN, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let stripe: StripeServer;
let partner: TestPartner;
let provider: Json;
const billing = () => billingOf(world);

beforeAll(async () => {
  stripe = await new StripeServer(world.clock.now).open();
  partner = await world.newPartner();
  provider = await billing().newProvider(partner, stripe.provider());
});
afterAll(() => stripe.close());

describe("a provider of Stripe", () => {
  test("keeps its secrets, and can be tested", async () => {
    expect(provider).toMatchObject({ secrets_set: true, live: false });
    expect(provider.hook_path).toMatch(/^\/hooks\/payments\/\w{13}$/);
    const { text } = await world.call("GET", `${GENERAL}/billing/providers/${provider.id}`, { key: partner.key });
    expect(text).not.toMatch(/sk_test|whsec/);
    const [stored] = await world.db.sql<Json>("select t::text as row from payment_providers t where id = $1", [provider.id]);
    expect(stored.row).not.toMatch(/sk_test|whsec/);
    expect(await billing().post(partner, `/providers/${provider.id}/test`)).toMatchObject({ ok: true, code: null });
    const wrong = await billing().newProvider(partner, {
      ...stripe.provider({ secrets: { secret_key: "sk_live_of_somebody_else" } }),
      status: "paused",
    });
    expect(wrong.live).toBe(true);
    expect(await billing().post(partner, `/providers/${wrong.id}/test`)).toMatchObject({ ok: false, code: "api_key_invalid" });
  });

  test("is tested once by a request that is repeated, also one of the operator", async () => {
    const operator = await world.newOperator();
    const body = { name: "Stripe of the programme", status: "paused", ...stripe.provider() };
    const { body: programme } = await world.call("POST", `${ADMIN}/providers`, { key: operator, body });
    const tests = [
      { key: partner.key, path: `${GENERAL}/billing/providers/${provider.id}/test` },
      { key: operator, path: `${ADMIN}/providers/${programme.id}/test` },
    ];
    for (const { key, path } of tests) {
      const before = stripe.calls.length;
      const ask = () => world.call("POST", path, { key, headers: { "idempotency-key": "test-once" } });
      const [first, again] = [await ask(), await ask()];
      expect([first.body.ok, again.text, again.headers["idempotent-replayed"]]).toEqual([true, first.text, "true"]);
      expect(stripe.calls.slice(before)).toHaveLength(1);
    }
  });

  test.each([
    [{ secrets: {} }, "/secrets/secret_key"],
    [{ secrets: { secret_key: "pk_test_of_a_browser" } }, "/secrets/secret_key"],
    [{ config: { instructions: "IBAN" } }, "/config/instructions"],
    [{ kind: "test", config: {} }, "/secrets"],
  ])("is refused with %j", async (fields, pointer) => {
    const body = { name: "Wrong", account_id: null, ...stripe.provider(fields) };
    const reply = await world.call("POST", `${GENERAL}/billing/providers`, { key: partner.key, body });
    expect(reply.status, reply.text).toBe(422);
    expect(reply.body.errors[0].pointer).toBe(`#${pointer}`);
  });
});
