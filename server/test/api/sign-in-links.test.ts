import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionJobs } from "../../src/features/programme/sessions/jobs.ts";
import { ADVISORY_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditEntries } from "../harness/installation.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { askToSignIn, begun, newUser, PORTAL, SAME_ORIGIN, signedIn, type TestUser } from "../harness/people.ts";
import { ADMIN, BASE, type Reply, type TestPartner, useWorld } from "../harness/world.ts";

const server = await startMailServer();
const world = useWorld({ brand: "Harbour" }, "all", { mail: { url: server.url, from: "Harbour <no-reply@harbour.example>" } });
afterAll(() => server.close());
const hold = useHolds(() => world.db.connect());

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "a quite new password";
let partner: TestPartner;
let owner: TestUser;
beforeAll(async () => {
  partner = await world.newPartner({ company: "Northwind Agency" });
  owner = await newUser(world, partner);
});

const visit = (path: string, body: object): Promise<Reply> => world.call("POST", PORTAL + path, { body, headers: SAME_ORIGIN });
const tokenIn = (text: string, page: string) =>
  new RegExp(`http://tributary\\.test/portal/${page}#([\\w-]{43})\\s`).exec(text)?.[1] ?? "";
const signsIn = async (email: string, password: string) => (await askToSignIn(world, { email, password })).status === 201;

let made = 0;
async function invite(fields: object = {}): Promise<{ id: string; email: string; token: string }> {
  made += 1;
  const email = `invited.${made}@test.example`;
  const body = { name: "Bo Ek", email, role: "member", accounts: "all", ...fields };
  const { body: user } = await world.call("POST", `${BASE}/users`, { key: partner.key, body });
  const [mail] = await server.to(email);
  return { id: user.id, email, token: tokenIn(mail?.text ?? "", "invitation") };
}

describe("an invitation", () => {
  test("is an e-mail with a link that says for whom it is, and is accepted once", async () => {
    const { id, email, token } = await invite();
    const [mail] = await server.to(email);
    expect(mail).toMatchObject({ from: "no-reply@harbour.example", to: [email] });
    expect(mail?.headers.from).toBe("Harbour <no-reply@harbour.example>");
    expect(mail?.headers.subject).toBe("Invitation to Northwind Agency on Harbour");
    expect(mail?.headers["auto-submitted"]).toBe("auto-generated");
    expect(mail?.text).toContain("you are invited to Northwind Agency on Harbour");
    const look = await visit("/invitations/look", { token });
    expect(look.body).toEqual({ name: "Bo Ek", email, company: "Northwind Agency" });
    expect((await visit("/invitations/accept", { token, password: "short" })).body.errors[0]).toMatchObject({
      pointer: "#/password",
      code: "weak_password",
    });
    const replies = await Promise.all(
      Array.from({ length: 2 }, () => visit("/invitations/accept", { token, password: NEW_PASSWORD, name: "Bo Eklund" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 401]);
    const accepted = replies.find(({ status }) => status === 201) as Reply;
    expect(accepted.body).toMatchObject({ user: { id, name: "Bo Eklund", role: "member" }, smtp: true });
    expect((await begun(world, accepted).call("GET", "/session")).status).toBe(200);
    const { body: user } = await world.call("GET", `${BASE}/users/${id}`, { key: partner.key });
    expect(user).toMatchObject({ state: "active", name: "Bo Eklund", version: 2 });
    for (const path of ["/invitations/look", "/invitations/accept"])
      expect((await visit(path, { token, ...(path.endsWith("look") ? {} : { password: NEW_PASSWORD }) })).body.code).toBe(
        "invalid_link",
      );
    expect(await signsIn(email, NEW_PASSWORD)).toBe(true);
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === id);
    expect(entries.map(({ action }) => action)).toEqual(["users.create", "invitations.accept"]);
    expect(entries[1].actor).toEqual({ type: "user", id });
  });

  test("ends after seven days, with the next one, and with the user", async () => {
    const [late, renewed, removed] = [await invite(), await invite(), await invite()];
    const person = await signedIn(world, owner);
    expect((await person.call("POST", "/invitations", { body: { user_id: renewed.id } })).body).toMatchObject({
      url: null,
      sent: true,
    });
    expect((await visit("/invitations/look", { token: renewed.token })).body.code).toBe("invalid_link");
    const mails = await server.to(renewed.email, 2);
    expect((await visit("/invitations/look", { token: tokenIn(mails[1]?.text ?? "", "invitation") })).status).toBe(200);
    await world.call("DELETE", `${BASE}/users/${removed.id}`, { key: partner.key });
    expect((await visit("/invitations/look", { token: removed.token })).body.code).toBe("invalid_link");
    world.clock.advance(7 * 24 * HOUR_MS - 1);
    expect((await visit("/invitations/look", { token: late.token })).status).toBe(200);
    world.clock.advance(1);
    expect((await visit("/invitations/look", { token: late.token })).body.code).toBe("invalid_link");
  });

  test("is deleted once it has ended, and not before", async () => {
    const { id, token } = await invite();
    const { db, clock } = world.app.services;
    const sweep = () => sessionJobs()[0]?.run({ db, owner: db, clock });
    world.clock.advance(7 * 24 * HOUR_MS - 1);
    await sweep();
    expect((await visit("/invitations/look", { token })).status).toBe(200);
    world.clock.advance(1);
    await sweep();
    expect(await world.db.sql("select 1 from user_links where user_id = $1", [id])).toEqual([]);
  });

  test("is repeated by those who could have given the role, for users who have not accepted", async () => {
    const { id } = await newUser(world, partner, { role: "owner", invited: true });
    const again = async (user: TestUser, user_id: string) => {
      const { status, body } = await (await signedIn(world, user)).call("POST", "/invitations", { body: { user_id } });
      return status === 201 ? "sent" : body.code;
    };
    expect(await again(owner, id)).toBe("sent");
    expect(await again(await newUser(world, partner, { role: "admin" }), id)).toBe("role_required");
    expect(await again(await newUser(world, partner, { role: "member" }), id)).toBe("insufficient_scope");
    const bound = await newUser(world, partner, { accounts: [(await world.newClient(partner)).id] });
    expect(await again(bound, id)).toBe("partner_wide_key_required");
    expect(await again(await newUser(world, await world.newPartner()), id)).toBe("not_found");
    expect(await again(await newUser(world, null), id)).toBe("sent");
    expect(await again(owner, owner.id)).toBe("invalid_state_transition");
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === id);
    expect(entries.map(({ action, actor }) => [action, actor.type])).toEqual([
      ["invitations.create", "user"],
      ["invitations.create", "operator"],
    ]);
  });

  test("of the owner of a new partner is an e-mail, too", async () => {
    const key = await world.newOperator();
    const body = { company: "Kite & Sons", owner: { name: "Ada Okafor", email: "ada@kite.example" } };
    expect((await world.call("POST", `${ADMIN}/partners`, { key, body })).status).toBe(201);
    const [mail] = await server.to("ada@kite.example");
    expect(mail?.headers.subject).toBe("Invitation to Kite & Sons on Harbour");
  });

  test("puts nothing of a name into the headers", async () => {
    const { email } = await invite({ name: "Bo\r\nBcc: other@test.example\r\n\r\nfree money" });
    const [mail] = await server.to(email);
    expect(mail?.to).toEqual([email]);
    expect(mail?.headers.bcc).toBeUndefined();
    expect(mail?.raw.split("\r\n\r\n")[0]).not.toMatch(/other@test/);
    expect(mail?.text).toContain("Hello Bo Bcc: other@test.example free money,");
  });
});

describe("a password reset", () => {
  async function requestReset(email: string, mails = 1): Promise<string> {
    expect((await visit("/password-resets", { email })).status).toBe(202);
    return tokenIn((await server.to(email, mails))[mails - 1]?.text ?? "", "reset");
  }

  test("ends all sessions, keeps the second factor out of it, and works once", async () => {
    const user = await newUser(world, partner);
    const person = await signedIn(world, user);
    const token = await requestReset(user.email);
    expect((await visit("/password-resets/complete", { token, password: user.email })).status).toBe(422);
    expect((await visit("/password-resets/complete", { token, password: NEW_PASSWORD })).status).toBe(204);
    expect((await person.call("GET", "/session")).body.code).toBe("session_expired");
    expect((await visit("/password-resets/complete", { token, password: NEW_PASSWORD })).body.code).toBe("invalid_link");
    expect(await signsIn(user.email, user.password)).toBe(false);
    expect(await signsIn(user.email, NEW_PASSWORD)).toBe(true);
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === user.id);
    expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([["password.reset", user.id]]);
  });

  test("of two at once with one link is done once", async () => {
    const user = await newUser(world, partner);
    const token = await requestReset(user.email);
    const held = await hold("select from user_links where user_id = $1 for update", [user.id]);
    const passwords = [NEW_PASSWORD, `${NEW_PASSWORD} of another`];
    const resets = passwords.map((password) => visit("/password-resets/complete", { token, password }));
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
    await held.release();
    const codes = (await Promise.all(resets)).map(({ status, body }) => (status === 204 ? "done" : body.code));
    expect(codes.toSorted()).toEqual(["done", "invalid_link"]);
    expect(await signsIn(user.email, passwords[codes.indexOf("done")] ?? "")).toBe(true);
  });

  test("is valid for an hour, and only the newest is", async () => {
    const user = await newUser(world, partner);
    const first = await requestReset(user.email);
    world.clock.advance(2 * 60_000);
    const second = await requestReset(user.email, 2);
    expect((await visit("/password-resets/complete", { token: first, password: NEW_PASSWORD })).body.code).toBe("invalid_link");
    world.clock.advance(HOUR_MS);
    expect((await visit("/password-resets/complete", { token: second, password: NEW_PASSWORD })).body.code).toBe("invalid_link");
  });

  test("does the same for an address that nobody has: one statement, one row, one reply", async () => {
    const invited = await newUser(world, partner, { invited: true });
    const replies = [];
    for (const email of [invited.email, "nobody@test.example", "Nobody <x@test.example>, y@test.example"]) {
      const { status, text } = await visit("/password-resets", { email });
      replies.push([status, text]);
    }
    expect(new Set(replies.map(String)).size).toBe(1);
    const last = await newUser(world, partner);
    await requestReset(last.email);
    expect(server.received.filter(({ to }) => to.some((address) => /nobody|@test\.example>/.test(address)))).toEqual([]);
    expect(server.received.filter(({ to }) => to.includes(invited.email))).toEqual([]);
  });
});

describe("a change of the password", () => {
  test("needs the current one, ends the other sessions, and refuses what is easy to guess", async () => {
    const user = await newUser(world, partner);
    const [person, other] = [await signedIn(world, user), await signedIn(world, user)];
    const change = (current_password: string, password: string) =>
      person.call("PUT", "/password", { body: { current_password, password } });
    expect((await change("wrong password", NEW_PASSWORD)).body.code).toBe("sign_in_failed");
    for (const weak of ["short", user.email])
      expect((await change(user.password, weak)).body.errors[0].code).toBe("weak_password");
    expect((await change(user.password, NEW_PASSWORD)).status).toBe(204);
    expect((await person.call("GET", "/session")).status).toBe(200);
    expect((await other.call("GET", "/session")).body.code).toBe("session_expired");
    expect(await signsIn(user.email, user.password)).toBe(false);
    const entries = (await auditEntries(world.db, partner.partner_id)).filter(({ target }) => target === user.id);
    expect(entries.map(({ action, actor }) => [action, actor.id])).toEqual([["password.update", user.id]]);
  });
});

test("no token is stored, neither of a link nor of a session", async () => {
  const { token, email } = await invite();
  const { secret } = begun(world, await visit("/invitations/accept", { token: (await invite()).token, password: NEW_PASSWORD }));
  await server.to(email);
  for (const table of ["user_links", "sessions", "outgoing_mail", "audit_entries"]) {
    const rows = await world.db.sql<{ row: string }>(
      `select encode(convert_to(t::text, 'UTF8'), 'escape') as row from ${table} t`,
    );
    for (const { row } of rows) for (const text of [token, secret]) expect(row).not.toContain(text);
  }
});
