import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test/harness/refusal.ts";
import { ALL_RESOURCES, CHANGES, RESOURCES } from "./changes.ts";
import { ALL_EVENT_TYPES, EVENT_TYPES, readableTypes, requireReadable } from "./events.ts";
import type { KeyPrincipal, Principal } from "./principal.ts";
import { ALL_SCOPES, SCOPES, type Scope } from "./scopes.ts";

const keyWith = (...scopes: Scope[]) => ({ type: "key", scopes: new Set(scopes) }) as unknown as KeyPrincipal;
const system: Principal = { type: "system", partner_id: "ptr_1" };

test("there are thirteen types of event, each read with a scope that exists", () => {
  expect(ALL_EVENT_TYPES).toHaveLength(13);
  for (const type of ALL_EVENT_TYPES) expect(ALL_SCOPES).toContain(EVENT_TYPES[type]);
});

test("a scope is a resource and an action, and says what it permits", () => {
  expect(ALL_SCOPES).toContain("clients:read");
  for (const scope of ALL_SCOPES) {
    expect(scope).toMatch(/^[a-z_]+:(read|write|deploy|sandbox)$/);
    expect(SCOPES[scope]).not.toBe("");
  }
});

test("the records of the change feed are read with scopes that exist", () => {
  expect(ALL_RESOURCES).toEqual([
    "contact",
    "lead",
    "deal",
    "commission",
    "payout",
    "conversation",
    "message",
    "agent",
    "session",
    "approval",
    "payment_link",
    "payment",
  ]);
  for (const resource of ALL_RESOURCES) expect(ALL_SCOPES).toContain(RESOURCES[resource]);
  expect(CHANGES).toContain("created");
});

describe("the types that a principal may read", () => {
  test("are those of its scopes, in the order of the catalogue", () => {
    expect(readableTypes(keyWith("account:read", "clients:read"))).toEqual([
      "client.created",
      "client.activated",
      "client.suspended",
      "client.churned",
      "tier.changed",
    ]);
    expect(readableTypes(keyWith("clients:write"))).toEqual([]);
  });

  test("are all for the service itself", () => {
    expect(readableTypes(system)).toEqual(ALL_EVENT_TYPES);
  });

  test("are required, and the first that is missing names its scope", () => {
    expect(refusalOf(() => requireReadable(keyWith("clients:read"), ["client.created"]))).toBeNull();
    expect(refusalOf(() => requireReadable(keyWith(), []))).toBeNull();
    expect(refusalOf(() => requireReadable(system, ALL_EVENT_TYPES))).toBeNull();
    expect(
      refusalOf(() => requireReadable(keyWith("clients:read"), ["client.created", "payout.paid", "deal.won"])),
    ).toMatchObject({ code: "insufficient_scope", meta: { required_scope: "payouts:read" } });
  });
});
