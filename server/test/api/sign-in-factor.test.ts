import { beforeAll, describe, expect, test } from "vitest";
import { totpCode, totpStep } from "../../src/platform/crypto/totp.ts";
import { auditEntries } from "../harness/installation.ts";
import { askToSignIn, newUser, type Person, signedIn, signIn, type TestUser } from "../harness/people.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ brand: "Harbour" });
const MINUTE_MS = 60_000;
let partner: TestPartner;
beforeAll(async () => {
  partner = await world.newPartner();
});

const codeNow = (secret: string, off = 0) => totpCode(secret, totpStep(world.clock.now()) + off);
/** A code that is none of the three that are valid. */
function wrongCode(secret: string): string {
  const valid = [-1, 0, 1].map((off) => codeNow(secret, off));
  return ["000000", "111111", "222222", "333333"].find((code) => !valid.includes(code)) ?? "";
}

type Protected = { user: TestUser; person: Person; secret: string; recovery_codes: string[] };

async function setUp(): Promise<Protected> {
  const user = await newUser(world, partner);
  const person = await signedIn(world, user);
  const { status, body, headers } = await person.call("POST", "/totp");
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  const confirmed = await person.call("POST", "/totp/confirm", { body: { code: codeNow(body.secret) } });
  expect(confirmed.status).toBe(200);
  return { user, person, secret: body.secret, recovery_codes: confirmed.body.recovery_codes };
}

async function codeOf(user: TestUser, code?: string): Promise<string> {
  const { email, password } = user;
  const { status, body } = await askToSignIn(world, { email, password, ...(code === undefined ? {} : { code }) });
  return status === 201 ? "signed in" : body.code;
}

describe("an authenticator app", () => {
  test("is asked for once its first code was confirmed, and the session says so", async () => {
    const user = await newUser(world, partner);
    const person = await signedIn(world, user);
    const { body } = await person.call("POST", "/totp");
    expect(body.uri).toBe(
      `otpauth://totp/Harbour:${encodeURIComponent(user.email)}?secret=${body.secret}&issuer=Harbour&algorithm=SHA1&digits=6&period=30`,
    );
    expect(await codeOf(user)).toBe("signed in");
    const refused = await person.call("POST", "/totp/confirm", { body: { code: wrongCode(body.secret) } });
    expect([refused.status, refused.body.code]).toEqual([401, "invalid_code"]);
    const confirmed = await person.call("POST", "/totp/confirm", { body: { code: codeNow(body.secret) } });
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
    expect(await codeOf(user)).toBe("code_required");
    expect((await person.call("GET", "/session")).body.user.totp).toBe(true);
  });

  test("is asked for only after the right password, so the reply does not tell who has one", async () => {
    const { user, secret } = await setUp();
    for (const code of [undefined, codeNow(secret, 1)])
      expect(await codeOf({ ...user, password: "wrong password" }, code)).toBe("sign_in_failed");
  });

  test("signs in with the code of this step or a neighbour, once each", async () => {
    const { user, secret } = await setUp();
    expect(await codeOf(user, codeNow(secret))).toBe("invalid_code");
    world.clock.advance(MINUTE_MS);
    expect(await codeOf(user, codeNow(secret, -2))).toBe("invalid_code");
    expect(await codeOf(user, codeNow(secret, -1))).toBe("signed in");
    expect(await codeOf(user, codeNow(secret, 1))).toBe("signed in");
    expect(await codeOf(user, codeNow(secret, 1))).toBe("invalid_code");
    expect(await codeOf(user, codeNow(secret))).toBe("invalid_code");
    expect(await codeOf(user, wrongCode(secret))).toBe("invalid_code");
  });

  test("of many sign-ins at once with one code, one succeeds", async () => {
    const { user, secret, recovery_codes } = await setUp();
    world.clock.advance(MINUTE_MS);
    for (const code of [codeNow(secret), recovery_codes[0] ?? ""]) {
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => codeOf(user, code)));
      expect(outcomes.sort()).toEqual(["invalid_code", "invalid_code", "invalid_code", "signed in"]);
    }
  });

  test("is needed to confirm the password, too", async () => {
    const { person, secret, user } = await setUp();
    world.clock.advance(11 * MINUTE_MS);
    expect((await person.call("DELETE", "/totp")).body.code).toBe("reauthentication_required");
    const confirm = (fields: object) => person.call("POST", "/session/confirm", { body: { password: user.password, ...fields } });
    expect((await confirm({})).body.code).toBe("code_required");
    expect((await confirm({ code: wrongCode(secret) })).body.code).toBe("invalid_code");
    expect((await confirm({ code: codeNow(secret), password: "wrong password" })).body.code).toBe("sign_in_failed");
    expect((await confirm({ code: codeNow(secret) })).status).toBe(204);
    expect((await person.call("DELETE", "/totp")).status).toBe(204);
    expect(await codeOf(user)).toBe("signed in");
  });
});

describe("recovery codes", () => {
  test("sign in once each, typed in any way, and new ones replace them", async () => {
    const { user, person, recovery_codes } = await setUp();
    const [first = "", second = ""] = recovery_codes;
    expect(await codeOf(user, first.toUpperCase().replaceAll("-", " "))).toBe("signed in");
    expect(await codeOf(user, first)).toBe("invalid_code");
    const { body } = await person.call("POST", "/totp/recovery-codes");
    expect(await codeOf(user, second)).toBe("invalid_code");
    expect(await codeOf(user, body.recovery_codes[9])).toBe("signed in");
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === user.id);
    expect(entries.at(-1)).toMatchObject({ action: "totp.recovery_codes", actor: { id: user.id } });
  });

  test("are of one user alone", async () => {
    const [first, second] = [await setUp(), await setUp()];
    expect(await codeOf(second.user, first.recovery_codes[0])).toBe("invalid_code");
  });
});

test("setting up and removing need a fresh password, end no session and are audited", async () => {
  const { user, person } = await setUp();
  expect((await person.call("POST", "/totp")).body.code).toBe("resource_in_use");
  expect((await person.call("POST", "/totp/confirm", { body: { code: "123456" } })).body.code).toBe("resource_in_use");
  world.clock.advance(11 * MINUTE_MS);
  for (const [method, path] of [
    ["POST", "/totp"],
    ["DELETE", "/totp"],
    ["POST", "/totp/recovery-codes"],
  ] as const)
    expect((await person.call(method, path)).body.code).toBe("reauthentication_required");
  const other = await signedIn(world, user);
  expect((await other.call("DELETE", "/totp")).status).toBe(204);
  expect((await other.call("DELETE", "/totp")).status).toBe(404);
  expect((await other.call("POST", "/totp/recovery-codes")).status).toBe(404);
  expect((await person.call("GET", "/session")).body.user.totp).toBe(false);
  const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === user.id);
  expect(entries.map(({ action }) => action)).toEqual(["totp.create", "totp.activate", "totp.delete"]);
});

test("neither the secret nor a recovery code is stored as it is", async () => {
  const { secret, recovery_codes, user } = await setUp();
  const [row] = await world.db.sql<{ text: string }>(
    "select encode(f.secret, 'escape') || f.recovery_codes::text as text from second_factors f where user_id = $1",
    [user.id],
  );
  for (const text of [secret, ...recovery_codes]) expect(row?.text).not.toContain(text);
  expect(await signIn(world, user, recovery_codes[3])).toBeDefined();
});
