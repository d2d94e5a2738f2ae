import { describe, expect, test } from "vitest";
import {
  actorOf,
  boundClients,
  type ClientAccess,
  type KeyPrincipal,
  OPERATOR_TENANT,
  type Principal,
  requestedAccounts,
  tenantScope,
} from "./principal.ts";

const credential = { hash: Buffer.alloc(32), ip: "192.0.2.1", version: 1 };
const keyFor = (clients: ClientAccess): KeyPrincipal => ({
  type: "key",
  key_id: "key_1",
  credential,
  partner_id: "ptr_1",
  partner_active: true,
  api_access: true,
  company: "Test Agency",
  grade: "gold",
  currency: "usd",
  default_snapshots: false,
  scopes: new Set(),
  clients,
  limit: { per_minute: 600, burst: 100 },
});
const operator: Principal = { type: "operator", key_id: "key_2", credential };
const system: Principal = { type: "system", partner_id: "ptr_1" };

describe("a principal", () => {
  test("is named by its key, and the service by itself", () => {
    expect(actorOf(keyFor("all"))).toEqual({ type: "key", id: "key_1" });
    expect(actorOf(operator)).toEqual({ type: "operator", id: "key_2" });
    expect(actorOf(system)).toEqual({ type: "system", id: "system" });
  });

  test("reads with the tenant and the clients of its key", () => {
    expect(tenantScope(keyFor(["cli_1"]))).toEqual({ partner_id: "ptr_1", clients: ["cli_1"] });
    expect(tenantScope(keyFor("all"))).toEqual({ partner_id: "ptr_1", clients: "all" });
    expect(tenantScope(system)).toEqual({ partner_id: "ptr_1", clients: "all" });
    expect(tenantScope(operator)).toEqual({ partner_id: OPERATOR_TENANT, clients: "all" });
  });
});

describe("a list covers", () => {
  const all = { partner_id: "ptr_1", clients: "all" as const };
  const bound = { partner_id: "ptr_1", clients: ["cli_1", "cli_2"] };

  test("every account, or those of the key", () => {
    expect(boundClients(all)).toBeNull();
    expect(boundClients(bound)).toEqual(["cli_1", "cli_2"]);
    expect(requestedAccounts(all, undefined)).toBeNull();
    expect(requestedAccounts(bound, undefined)).toEqual(["cli_1", "cli_2"]);
  });

  test("the one account that is asked for, and nothing where the key has no access to it", () => {
    expect(requestedAccounts(all, "cli_9")).toEqual(["cli_9"]);
    expect(requestedAccounts(bound, "cli_2")).toEqual(["cli_2"]);
    expect(requestedAccounts(bound, "cli_9")).toEqual([]);
    expect(requestedAccounts({ ...bound, clients: [] }, undefined)).toEqual([]);
  });
});
