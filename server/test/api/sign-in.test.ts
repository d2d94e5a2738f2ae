import { createHook } from "node:async_hooks";
import { randomBytes, scryptSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { saveVisits } from "../../src/features/programme/sessions/index.ts";
import { createSessionCookie } from "../../src/platform/http/session-cookie.ts";
import { expectHeld } from "../harness/held.ts";
import { ROW_LOCKS, untilWaiting } from "../harness/holds.ts";
import { auditEntries } from "../harness/installation.ts";
import {
  askToSignIn,
  COOKIE,
  cookieOf,
  newPerson,
  newUser,
  PASSWORD,
  PORTAL,
  SAME_ORIGIN,
  secretIn,
  signedIn,
  signIn,
  signInAgain,
  type TestUser,
} from "../harness/people.ts";
import { ADMIN, BASE, GENERAL, type Json, type Reply, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const HOUR_MS = 3_600_000;
const ORIGIN = "http://tributary.test";
let partner: TestPartner;
let user: TestUser;
beforeAll(async () => {
  partner = await world.newPartner({ company: "Northwind Agency" });
  user = await newUser(world, partner);
});

/** How many passwords are hashed or compared meanwhile. */
let derivations = 0;
const hook = createHook({
  init(_id, type) {
    if (type === "SCRYPTREQUEST") derivations += 1;
  },
});
hook.enable();
afterAll(() => hook.disable());

const getSession = (headers: Record<string, string>) => world.call("GET", `${PORTAL}/session`, { headers });
const withoutRequest = ({ body, status }: Reply) => {
  const { request_id: _id, instance: _instance, ...rest } = body;
  return JSON.stringify([status, rest]);
};

describe("a sign-in", () => {
  test("gives a session and a cookie that no script reads and no other site sends", async () => {
    const reply = await askToSignIn(world, { email: user.email.toUpperCase(), password: PASSWORD }, { "user-agent": "Browser" });
    expect(reply.status).toBe(201);
    expect(reply.headers["set-cookie"]).toMatch(
      new RegExp(`^${COOKIE}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax$`),
    );
    expect(reply.headers["cache-control"]).toBe("no-store");
    expect(reply.body).toMatchObject({
      user: { id: user.id, role: "owner", totp: false },
      partner: { id: partner.partner_id, company: "Northwind Agency" },
      accounts: "all",
      demo: false,
      smtp: false,
    });
    const secret = secretIn(reply) ?? "";
    expect((await getSession(cookieOf(secret))).body).toEqual(reply.body);
    expect(reply.text).not.toContain(secret);
    const [entry] = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === reply.body.id);
    expect(entry).toMatchObject({ action: "sessions.create", actor: { type: "user", id: user.id } });
    const person = await signInAgain(world, user.id);
    const [item] = (await person.call("GET", "/sessions")).body.data.filter(({ id }: Json) => id === reply.body.id);
    expect(item).toMatchObject({ agent: "Browser", current: false });
  });

  test("over https binds the cookie to the host and to TLS", () => {
    const cookie = createSessionCookie(() => "https://partners.example");
    expect(cookie.set("x".repeat(43), 1)).toBe(
      `__Host-session=${"x".repeat(43)}; Max-Age=1; Path=/; HttpOnly; SameSite=Lax; Secure`,
    );
    for (const header of [`session=${"x".repeat(43)}`, `Host-session=${"x".repeat(43)}`, "__Host-session=short"])
      expect(cookie.read({ headers: { cookie: header } })).toBeNull();
  });

  test("never adopts a cookie that was there before: a new secret each time", async () => {
    const planted = randomBytes(32).toString("base64url");
    const reply = await askToSignIn(world, { email: user.email, password: PASSWORD }, { cookie: `${COOKIE}=${planted}` });
    expect(reply.status).toBe(201);
    expect(secretIn(reply)).not.toBe(planted);
    expect((await getSession(cookieOf(planted))).body.code).toBe("session_expired");
    const own = await signedIn(world, user);
    const again = await askToSignIn(world, { email: user.email, password: PASSWORD }, own.headers);
    expect(secretIn(again)).not.toBe(own.secret);
    expect(again.body.id).not.toBe(own.session_id);
  });

  test("with a hash of the first version replaces it by one of today's strength", async () => {
    const old = await newUser(world, partner);
    const salt = randomBytes(16);
    const hash = scryptSync(PASSWORD, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
    const stored = `scrypt$${2 ** 15}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
    await world.db.sql("update users set password_hash = $2 where id = $1", [old.id, stored]);
    const hashOf = async () =>
      (await world.db.sql<{ password_hash: string }>("select password_hash from users where id = $1", [old.id]))[0]
        ?.password_hash;
    expect((await askToSignIn(world, { email: old.email, password: "wrong password" })).status).toBe(401);
    expect(await hashOf()).toBe(stored);
    expect((await askToSignIn(world, { email: old.email, password: PASSWORD })).status).toBe(201);
    expect(await hashOf()).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect((await askToSignIn(world, { email: old.email, password: PASSWORD })).status).toBe(201);
  });

  test("of a suspended partner is refused, only to who has the password", async () => {
    const suspended = await world.newPartner();
    const { email } = await newUser(world, suspended);
    await world.db.sql("update partners set status = 'suspended' where id = $1", [suspended.partner_id]);
    expect((await askToSignIn(world, { email, password: "wrong password" })).body.code).toBe("sign_in_failed");
    expect((await askToSignIn(world, { email, password: PASSWORD })).body.code).toBe("partner_suspended");
  });
});

test("an unknown address, an invited user and a wrong password differ neither in the reply nor in the work", async () => {
  const invited = await newUser(world, partner, { invited: true });
  const { db } = world.app.services;
  const { query } = db;
  let statements = 0;
  // What is flushed now and then is not of these requests.
  db.query = (asked, ...values) => {
    if (asked.text.includes("from users")) statements += 1;
    return query(asked, ...values);
  };
  const seen = new Set<string>();
  for (const email of [user.email, invited.email, "nobody@test.example"]) {
    [derivations, statements] = [0, 0];
    const reply = await askToSignIn(world, { email, password: "wrong password" });
    expect(reply.headers["set-cookie"]).toBeUndefined();
    seen.add(`${withoutRequest(reply)} ${derivations} derivations ${statements} statements`);
  }
  db.query = query;
  expect([...seen]).toEqual([expect.stringMatching(/sign_in_failed.* 1 derivations 1 statements$/)]);
});

test("a password that is changed while it is compared begins no session", async () => {
  const changing = await newUser(world, partner);
  const session = await world.db.connect();
  await session.query("begin");
  await session.query("update users set password_hash = $2 where id = $1", [changing.id, "scrypt$32768$8$3$AAAA$AAAA"]);
  const asked = askToSignIn(world, { email: changing.email, password: PASSWORD });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  await session.query("commit");
  await session.end();
  expect((await asked).body.code).toBe("sign_in_failed");
  expect(await world.db.sql("select 1 from sessions where user_id = $1", [changing.id])).toEqual([]);
});

describe("a cookie", () => {
  test.each([
    ["none", {}, "missing_credentials"],
    ["an empty one", { cookie: `${COOKIE}=` }, "missing_credentials"],
    ["a short one", { cookie: `${COOKIE}=abc` }, "missing_credentials"],
    ["a garbled one", { cookie: `${COOKIE}=${"é".repeat(43)}` }, "missing_credentials"],
    ["one of another name", { cookie: `session=${"x".repeat(43)}` }, "missing_credentials"],
    ["a forged one", cookieOf("x".repeat(43)), "session_expired"],
    ["an id in its place", cookieOf("sgn_01mg0000000000000000000001".padEnd(43, "x")), "session_expired"],
  ])("that is %s signs nobody in", async (_what, headers, code) => {
    const { status, body } = await getSession(headers as Record<string, string>);
    expect([status, body.code]).toEqual([401, code]);
  });

  test("is for the portal alone, and a key for the API alone", async () => {
    const person = await signedIn(world, user);
    const operator = await newPerson(world, null);
    for (const path of [`${BASE}/clients`, `${GENERAL}/contacts`])
      expect((await world.call("GET", path, { headers: person.headers })).status).toBe(401);
    expect((await world.call("GET", `${ADMIN}/partners`, { headers: operator.headers })).status).toBe(401);
    for (const path of ["/v1/partners/clients", "/v1/contacts", "/v1/admin/partners", "/session", "/sessions"])
      expect((await world.call("GET", PORTAL + path, { key: partner.key })).status).toBe(401);
    expect((await person.call("GET", "/v1/partners/clients", { key: partner.key })).status).toBe(200);
    expect((await person.call("GET", "/v1/admin/partners")).body.code).toBe("role_required");
    expect((await operator.call("GET", "/v1/partners/clients")).body.code).toBe("role_required");
  });
});

describe("a change from another site", () => {
  const SITES = ["cross-site", "same-site", "none", "same-origin", undefined];
  const ORIGINS = ["https://evil.example", "http://tributary.test.evil.example", "null", ORIGIN, undefined];
  const matrix = SITES.flatMap((site) => ORIGINS.map((origin) => [site, origin] as const));

  test.each(matrix)("Sec-Fetch-Site %s, Origin %s: is made only by pages of ours", async (site, origin) => {
    const person = await signedIn(world, user);
    const headers = {
      cookie: person.headers.cookie ?? "",
      ...(site === undefined ? {} : { "sec-fetch-site": site }),
      ...(origin === undefined ? {} : { origin }),
    };
    const own = site === undefined ? origin === ORIGIN : site === "same-origin";
    const calls: [string, string, object | undefined][] = [
      ["POST", "/session", { email: "nobody@test.example", password: "" }],
      ["POST", "/v1/partners/clients", { company: "Forged" }],
      ["DELETE", "/session", undefined],
    ];
    for (const [method, path, body] of calls) {
      const reply = await world.call(method, PORTAL + path, { headers, ...(body === undefined ? {} : { body }) });
      expect(reply.body?.code === "cross_site_request").toBe(!own);
    }
    expect((await getSession({ cookie: headers.cookie })).status).toBe(own ? 401 : 200);
  });
});

describe("a session ends", () => {
  test("when it was not used for twelve hours, and seven days after the sign-in", async () => {
    const person = await signedIn(world, user);
    const idle = await signedIn(world, user);
    for (let hours = 0; hours + 11 < 7 * 24; hours += 11) {
      world.clock.advance(11 * HOUR_MS);
      expect((await person.call("GET", "/session")).status).toBe(200);
      await world.db.sql("update sessions set last_seen_at = $2 where id = $1", [person.session_id, world.clock.now()]);
    }
    expect((await idle.call("GET", "/session")).body.code).toBe("session_expired");
    const listed = (await person.call("GET", "/sessions")).body.data.map(({ id }: Json) => id);
    expect([listed.includes(person.session_id), listed.includes(idle.session_id)]).toEqual([true, false]);
    world.clock.advance(11 * HOUR_MS);
    const late = await person.call("GET", "/session");
    expect([late.status, late.body.code]).toEqual([401, "session_expired"]);
    expect((await person.call("POST", "/v1/partners/clients", { body: { company: "Late" } })).status).toBe(401);
  });

  test("by its own sign-out, by one of the others, by all others, and with the user", async () => {
    const other = await newUser(world, partner);
    const [first, second, third] = [await signIn(world, other), await signedIn(world, other), await signedIn(world, other)];
    expect((await first.call("DELETE", `/sessions/${second.session_id}`)).status).toBe(204);
    expect((await second.call("GET", "/session")).status).toBe(401);
    expect((await (await signedIn(world, user)).call("DELETE", `/sessions/${third.session_id}`)).status).toBe(404);
    expect((await first.call("DELETE", "/sessions")).status).toBe(204);
    expect((await third.call("GET", "/session")).status).toBe(401);
    const reply = await first.call("DELETE", "/session");
    expect([reply.status, reply.headers["set-cookie"]]).toEqual([204, `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`]);
    expect((await first.call("GET", "/session")).status).toBe(401);
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ actor }) => actor.id === other.id);
    expect(entries.map(({ action, target }) => [action, target]).slice(-3)).toEqual([
      ["sessions.delete", second.session_id],
      ["sessions.delete_others", other.id],
      ["sessions.delete", first.session_id],
    ]);
    const last = await signedIn(world, other);
    await world.call("DELETE", `${BASE}/users/${other.id}`, { key: partner.key });
    expect((await last.call("GET", "/session")).status).toBe(401);
  });

  test("not before its last use, whichever process tells of one last", async () => {
    const { session_id } = await signedIn(world, user);
    const later = new Date(world.clock.now().getTime() + HOUR_MS);
    for (const at of [later, world.clock.now()]) await saveVisits(world.app.services.db, new Map([[session_id, at]]));
    expect(await world.db.sql("select last_seen_at from sessions where id = $1", [session_id])).toEqual([
      { last_seen_at: later },
    ]);
  });

  test("and what has ended is deleted", async () => {
    const { session_id } = await signedIn(world, user);
    world.clock.advance(13 * HOUR_MS);
    const { sessionJobs } = await import("../../src/features/programme/sessions/jobs.ts");
    const { db, clock } = world.app.services;
    expect(await sessionJobs()[0]?.run({ db, owner: db, clock })).toMatch(/^\d+ sessions and \d+ links had ended$/);
    expect(await world.db.sql("select 1 from sessions where id = $1", [session_id])).toEqual([]);
  });
});

test("what is sensitive needs the password of the last ten minutes", async () => {
  const person = await signedIn(world, user);
  world.clock.advance(10 * 60_000);
  expect((await person.call("POST", "/totp")).status).toBe(200);
  world.clock.advance(1);
  expect((await person.call("POST", "/totp")).body.code).toBe("reauthentication_required");
  const confirm = (password: string) => person.call("POST", "/session/confirm", { body: { password } });
  expect((await confirm("wrong password")).body.code).toBe("sign_in_failed");
  expect((await person.call("POST", "/totp")).body.code).toBe("reauthentication_required");
  expect((await confirm(PASSWORD)).status).toBe(204);
  expect((await person.call("POST", "/totp")).status).toBe(200);
  const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ action }) => action === "sessions.confirm");
  expect(entries.map(({ target }) => target)).toEqual([person.session_id]);
});

describe("guesses", () => {
  type Limited = Awaited<ReturnType<typeof createApp>>;
  let limited: Limited;
  beforeAll(async () => {
    const { pino } = await import("pino");
    limited = await createApp({
      connection: world.db.service,
      connections_max: 4,
      secret_key: "x".repeat(32),
      baseUrl: () => ORIGIN,
      migration: 0,
      log: pino({ level: "silent" }),
      clock: world.clock,
      role: "api",
    });
  });
  afterAll(() => limited.close());

  async function guess(email: string, remoteAddress: string): Promise<number> {
    const payload = { email, password: "wrong password" };
    const { statusCode } = await limited.http.inject({
      ...{ method: "POST", url: `${PORTAL}/session`, headers: SAME_ORIGIN, payload, remoteAddress },
    });
    return statusCode;
  }

  test("are limited by account and network, in any case of the address; other networks go on", async () => {
    const { email } = user;
    const sent = Array.from({ length: 12 }, (_, turn) =>
      guess(turn % 2 === 0 ? email : email.toUpperCase(), `2001:db8:0:1::${turn + 1}`),
    );
    const statuses = await Promise.all(sent);
    expect(statuses.sort()).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect(await guess(email, "203.0.113.9")).toBe(401);
  });

  test("are limited by network, whatever the account", async () => {
    const guessLink = async () => {
      const { statusCode } = await limited.http.inject({
        ...{ method: "POST", url: `${PORTAL}/session/link`, headers: SAME_ORIGIN, remoteAddress: "203.0.113.77" },
        payload: { token: randomBytes(32).toString("base64url") },
      });
      return statusCode;
    };
    await expectHeld(guessLink, { limit: { per_minute: 20, burst: 20 } });
  });

  test("of the password of somebody who is signed in are limited by user, in all sessions", async () => {
    const target = await newUser(world, partner);
    const people = [await signedIn(world, target), await signedIn(world, target)];
    const statuses = [];
    for (let sent = 0; sent < 11; sent += 1) {
      const { statusCode } = await limited.http.inject({
        ...{ method: "POST", url: `${PORTAL}/session/confirm`, headers: people[sent % 2]?.headers ?? {} },
        payload: { password: "" },
      });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
  });
});
