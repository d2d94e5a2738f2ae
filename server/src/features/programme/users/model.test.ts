import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { ALL_SCOPES, type Scope } from "../../../kernel/scopes.ts";
import {
  administers,
  loses,
  programmeName,
  type Rights,
  ROLES,
  type Role,
  requireChangeable,
  requireGrantable,
  requireRemovable,
  SCOPES_OF_ROLE,
} from "./model.ts";

const key = (scopes: Iterable<Scope> = ALL_SCOPES) => ({ type: "key", scopes: new Set(scopes) }) as unknown as Principal;
const user = (role: Role, user_id = "usr_caller") => ({ type: "user", role, user_id }) as unknown as Principal;
const OPERATOR = { type: "operator" } as unknown as Principal;
const SYSTEM = { type: "system" } as unknown as Principal;

/** The code of a refusal, or null where there is none. */
const refused = (call: () => unknown) => refusalOf(call)?.code ?? null;
const person = (role: Role, accounts: Rights["accounts"] = "all", others = {}) => ({
  id: "usr_1",
  email: "ada@b.example",
  role,
  accounts,
  ...others,
});

describe("the scopes of a role", () => {
  test("are all of owners and administrators, and of readers those to read", () => {
    expect([...SCOPES_OF_ROLE.owner]).toEqual([...ALL_SCOPES]);
    expect([...SCOPES_OF_ROLE.admin]).toEqual([...ALL_SCOPES]);
    expect([...SCOPES_OF_ROLE.read_only]).toEqual(ALL_SCOPES.filter((scope) => scope.endsWith(":read")));
  });

  test("let members read everything and write what they work with, and nothing that administers", () => {
    const written = [...SCOPES_OF_ROLE.member].filter((scope) => !scope.endsWith(":read"));
    expect(written.length).toBeGreaterThan(0);
    for (const scope of written) {
      expect(scope).toMatch(/^(clients|deals|affiliate_links|snapshots|leads|contacts|conversations|agents|billing):/);
    }
    expect([...SCOPES_OF_ROLE.read_only].every((scope) => SCOPES_OF_ROLE.member.has(scope))).toBe(true);
    expect(SCOPES_OF_ROLE.member.has("account:write" as Scope)).toBe(false);
  });
});

test("a programme without a brand is called Tributary", () => {
  expect([programmeName({ brand: "Service" }), programmeName({ brand: "Riverside" })]).toEqual(["Tributary", "Riverside"]);
});

describe("a user loses a right", () => {
  test.each<[Rights, Rights, boolean]>([
    [person("admin"), person("admin"), false],
    [person("admin"), person("member"), true],
    [person("member"), person("admin"), false],
    [person("member", ["cli_1", "cli_2"]), person("member", ["cli_1"]), true],
    [person("member", ["cli_1"]), person("member", ["cli_1", "cli_2"]), false],
    [person("member"), person("owner", ["cli_1"]), true],
    [person("member", ["cli_1"]), person("member"), false],
  ])("from %j to %j: %s", (before, after, lost) => {
    expect(loses(before, after)).toBe(lost);
  });
});

test("an active owner of all accounts administers the partner, and nobody else", () => {
  expect(administers({ role: "owner", accounts: "all", state: "active" })).toBe(true);
  expect(administers({ role: "admin", accounts: "all", state: "active" })).toBe(false);
  expect(administers({ role: "owner", accounts: ["cli_1"], state: "active" })).toBe(false);
  expect(administers({ role: "owner", accounts: "all", state: "invited" })).toBe(false);
});

describe("a role is given", () => {
  test("by a user: that of an owner only by owners", () => {
    for (const role of ROLES) {
      expect(refused(() => requireGrantable(user("owner"), role))).toBeNull();
      expect(refused(() => requireGrantable(user("admin"), role))).toBe(role === "owner" ? "role_required" : null);
    }
    expect(refusalOf(() => requireGrantable(user("admin"), "owner"))?.meta).toEqual({ required_role: "owner" });
  });

  test("by a key: never that of an owner or an administrator, and others only with every scope of them", () => {
    expect(ROLES.map((role) => refused(() => requireGrantable(key(), role)))).toEqual([
      "person_required",
      "person_required",
      null,
      null,
    ]);
    const [missing, ...others] = SCOPES_OF_ROLE.read_only;
    expect(refusalOf(() => requireGrantable(key(others), "read_only"))).toMatchObject({
      code: "insufficient_scope",
      meta: { required_scope: missing, missing_scopes: [missing] },
    });
    expect(refused(() => requireGrantable(key(SCOPES_OF_ROLE.read_only), "read_only"))).toBeNull();
  });

  test("by the operator and the system, whichever it is", () => {
    for (const role of ROLES) for (const caller of [OPERATOR, SYSTEM]) requireGrantable(caller, role);
  });
});

describe("a user is removed", () => {
  test("by others who may give the role, and by any key", () => {
    expect(refused(() => requireRemovable(user("admin"), person("owner")))).toBe("role_required");
    expect(refused(() => requireRemovable(user("owner"), person("owner")))).toBeNull();
    for (const caller of [key([]), OPERATOR, SYSTEM]) expect(refused(() => requireRemovable(caller, person("owner")))).toBeNull();
  });
});

describe("a user is changed", () => {
  const change = (caller: Principal, before: ReturnType<typeof person>, after: ReturnType<typeof person>) =>
    refused(() => requireChangeable(caller, before, after));

  test("by a key: neither role nor address, and more accounts only within what it may give", () => {
    const member = person("member", ["cli_1"]);
    expect(change(key([]), member, { ...member })).toBeNull();
    expect(change(key(), member, person("read_only", ["cli_1"]))).toBe("person_required");
    expect(change(key(), member, { ...member, email: "bo@b.example" })).toBe("person_required");
    expect(change(key([]), member, person("member", []))).toBeNull();
    expect(change(key([]), member, person("member", ["cli_1", "cli_2"]))).toBe("insufficient_scope");
    expect(change(key(), member, person("member", ["cli_1", "cli_2"]))).toBeNull();
    expect(change(key(), person("owner", ["cli_1"]), person("owner"))).toBe("person_required");
  });

  test("by a user: owners only by owners, before and after", () => {
    expect(change(user("admin"), person("owner"), person("member"))).toBe("role_required");
    expect(change(user("admin"), person("member"), person("owner"))).toBe("role_required");
    expect(change(user("owner"), person("member"), person("owner"))).toBeNull();
    expect(change(user("admin"), person("member"), person("read_only"))).toBeNull();
  });

  test("by themselves, but for their role and accounts", () => {
    const self = user("owner", "usr_1");
    expect(change(self, person("owner"), person("owner", "all", { email: "bo@b.example" }))).toBeNull();
    expect(change(self, person("owner"), person("admin"))).toBe("role_required");
    expect(change(self, person("owner", ["cli_1"]), person("owner"))).toBe("role_required");
    expect(change(self, person("owner"), person("owner", ["cli_1"]))).toBe("role_required");
  });

  test("by the operator and the system in every way", () => {
    for (const caller of [OPERATOR, SYSTEM]) expect(change(caller, person("owner"), person("read_only", []))).toBeNull();
  });
});
