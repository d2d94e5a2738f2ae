import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentMethod, openDetails } from "../../src/features/money/payouts/index.ts";
import type { PartnerRole } from "../../src/kernel/principal.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { IBAN, newPayoutMethod } from "../harness/money.ts";
import { newPerson, newUser, type Person, signedIn } from "../harness/people.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const mail = await startMailServer();
/** Everything that the service logs, down to the finest. */
let logged = "";
const log = pino(
  { level: "trace" },
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  }),
);
const world = useWorld({}, "all", { mail: { url: mail.url, from: "Tributary <no-reply@tributary.example>" }, log });
afterAll(() => mail.close());

const PATH = `${BASE}/account/payout-method`;
const SEPA = { kind: "sepa", holder: "Northwind Agency GmbH", iban: "DE89 3704 0044 0532 0130 00", bic: "COBADEFFXXX" };
const MANUAL = {
  kind: "manual",
  holder: "Northwind Ltd",
  instructions: "Account 98765432\nSort code 65-43-21",
  currencies: ["usd", "gbp"],
};
const OTHER_IBAN = "NL91ABNA0417164300";

let partner: TestPartner;
let owner: Person;
let operator: string;

beforeAll(async () => {
  partner = await world.newPartner({ company: "Northwind" });
  owner = await newPerson(world, partner);
  operator = await world.newOperator();
});

/** What happens at the same millisecond has no order in lists. */
function put(by: Person, body: object = SEPA) {
  world.clock.advance(1);
  return by.call("PUT", PATH, { body });
}
const adminPath = ({ partner_id }: TestPartner, part = "payout-method") => `${ADMIN}/partners/${partner_id}/${part}`;
const rowsOf = ({ partner_id }: TestPartner) =>
  world.db.sql<Json>("select * from payout_methods where partner_id = $1 order by id", [partner_id]);
const outcome = ({ status, body }: Json) => (status < 300 ? status : `${status} ${body.code}`);

describe("who may", () => {
  test("an owner sets, replaces and removes it; the details are never shown again", async () => {
    expect(outcome(await owner.call("GET", PATH))).toBe("404 not_found");
    const first = await put(owner);
    expect(first.body).toEqual({
      id: expect.stringMatching(/^pmd_/),
      kind: "sepa",
      holder: "Northwind Agency GmbH",
      currencies: ["eur"],
      hint: "DE89 … 3000",
      created_at: world.clock.now().toISOString(),
      created_by: owner.user_id,
    });
    const second = await put(owner, MANUAL);
    expect(second.body).toMatchObject({ kind: "manual", currencies: ["usd", "gbp"], hint: "Manual transfer" });
    expect(second.body.id).not.toBe(first.body.id);
    expect((await owner.call("GET", PATH)).body).toEqual(second.body);
    expect(await rowsOf(partner)).toMatchObject([{ id: first.body.id, ended_at: world.clock.now() }, { ended_at: null }]);
    expect((await owner.call("DELETE", PATH)).status).toBe(204);
    expect(outcome(await owner.call("GET", PATH))).toBe("404 not_found");
    expect(outcome(await owner.call("DELETE", PATH))).toBe("404 not_found");
  });

  test("keys and every other role read it, if anything", async () => {
    const here = await world.newPartner();
    await newPayoutMethod(world, here.partner_id);
    const as = (role: PartnerRole) => newPerson(world, here, { role });
    const [boss, admin, member, reader] = await Promise.all([as("owner"), as("admin"), as("member"), as("read_only")]);
    const stale = await newPerson(world, here);
    await world.db.sql("update sessions set authenticated_at = $2 where id = $1", [
      stale.session_id,
      new Date(world.clock.now().getTime() - 600_001),
    ]);
    const { id: client } = await world.newClient(here);
    const bound = await newPerson(world, here, { accounts: [client] });
    const key = (method: string, options: object) => world.call(method, PATH, { key: here.key, ...options });
    const callers: [who: string, call: (method: string, options: object) => Promise<Json>, read: unknown, change: unknown][] = [
      ["key", key, 200, "403 person_required"],
      ["read_only", (method, options) => reader.call(method, PATH, options), 200, "403 insufficient_scope"],
      ["member", (method, options) => member.call(method, PATH, options), 200, "403 insufficient_scope"],
      ["admin", (method, options) => admin.call(method, PATH, options), 200, "403 role_required"],
      ["stale owner", (method, options) => stale.call(method, PATH, options), 200, "403 reauthentication_required"],
      ["bound owner", (method, options) => bound.call(method, PATH, options), ...bothRefused("partner_wide_key_required")],
      ["operator's key", (method, options) => world.call(method, PATH, { key: operator, ...options }), ...unknownKey()],
    ];
    for (const [who, call, read, change] of callers) {
      expect([who, outcome(await call("GET", {}))]).toEqual([who, read]);
      for (const reply of [await call("PUT", { body: SEPA }), await call("DELETE", {})])
        expect([who, outcome(reply)]).toEqual([who, change]);
    }
    expect(await rowsOf(here)).toHaveLength(1);
    expect((await put(boss)).status).toBe(200);
  });

  const bothRefused = (code: string): [string, string] => [`403 ${code}`, `403 ${code}`];
  const unknownKey = (): [string, string] => ["401 invalid_credentials", "401 invalid_credentials"];

  test("the operator sets, reads and removes any partner's, without the details; nobody else reaches another's", async () => {
    const here = await world.newPartner();
    const other = await newPerson(world, await world.newPartner());
    const call = (method: string, body?: object) => {
      world.clock.advance(1);
      return world.call(method, adminPath(here), { key: operator, body });
    };
    expect(outcome(await call("GET"))).toBe("404 not_found");
    const set = await call("PUT", SEPA);
    expect(set.body).toMatchObject({ hint: "DE89 … 3000", created_by: expect.stringMatching(/^key_/) });
    expect((await call("GET")).body).toEqual(set.body);
    expect((await world.call("GET", PATH, { key: here.key })).body).toEqual(set.body);
    expect(outcome(await other.call("GET", PATH))).toBe("404 not_found");
    expect(outcome(await other.call("GET", adminPath(here)))).toBe("403 role_required");
    expect((await call("DELETE")).status).toBe(204);
    expect(outcome(await call("DELETE"))).toBe("404 not_found");
    const entries = await world.call("GET", `${BASE}/audit-log?counted=false`, { key: here.key });
    expect(entries.body.data.slice(0, 2)).toMatchObject([
      { action: "payout_method.delete", actor: { type: "operator" }, changes: { hint: { from: "DE89 … 3000", to: null } } },
      { action: "payout_method.update", actor: { type: "operator" }, changes: { holder: "redacted" } },
    ]);
  });
});

describe("what is accepted", () => {
  const refusals: [body: object, pointer: string, code: string][] = [
    [{ ...SEPA, iban: "DE90370400440532013000" }, "#/iban", "wrong_checksum"],
    [{ ...SEPA, iban: "US89370400440532013000" }, "#/iban", "unknown_country"],
    [{ ...SEPA, iban: "TR330006100519786457841326" }, "#/iban", "not_sepa"],
    [{ ...SEPA, iban: "DE8937040044053201" }, "#/iban", "wrong_length"],
    [{ ...SEPA, iban: undefined }, "#/iban", "required_by_kind"],
    [{ ...SEPA, bic: "COBA" }, "#/bic", "invalid_bic"],
    [{ ...SEPA, currencies: ["usd"] }, "#/currencies", "not_of_kind"],
    [{ ...SEPA, instructions: "x" }, "#/instructions", "not_of_kind"],
    [{ ...SEPA, holder: " " }, "#/holder", "pattern"],
    [{ ...MANUAL, iban: IBAN }, "#/iban", "not_of_kind"],
    [{ ...MANUAL, instructions: undefined }, "#/instructions", "required_by_kind"],
    [{ ...MANUAL, currencies: undefined }, "#/currencies", "required_by_kind"],
    [{ ...MANUAL, currencies: [] }, "#/currencies", "minItems"],
    [{ ...MANUAL, currencies: ["xxy"] }, "#/currencies/0", "format"],
    [{ ...SEPA, kind: "cheque" }, "#/kind", "enum"],
  ];

  test.each(refusals)("%j is refused at its field, by its rule", async (body, pointer, code) => {
    const { status, body: problem } = await put(owner, body);
    expect([status, problem.errors]).toMatchObject([422, [{ pointer, code }]]);
  });

  test("an IBAN with spaces and in lower case is the same account: sent again, it changes nothing and tells nobody", async () => {
    const here = await world.newPartner();
    const person = await newPerson(world, here);
    const { body } = await put(person);
    for (const iban of ["de89370400440532013000", "DE89\u00a03704 0044 0532 0130 00"])
      expect((await put(person, { ...SEPA, iban })).body).toEqual(body);
    expect(await rowsOf(here)).toHaveLength(1);
    for (const change of [{ holder: "Another" }, { bic: null }, { iban: OTHER_IBAN }])
      expect((await put(person, { ...SEPA, ...change })).body.id).not.toBe(body.id);
    expect(await rowsOf(here)).toHaveLength(4);
  });
});

test("of several changes at once each ends the one before: one is current", async () => {
  const here = await world.newPartner();
  const person = await newPerson(world, here);
  const holders = ["Ada", "Bo", "Cy", "Di", "Eli", "Fay"];
  const replies = await Promise.all(holders.map((holder) => put(person, { ...SEPA, holder })));
  expect(replies.map(({ status }) => status)).toEqual(holders.map(() => 200));
  const rows = await rowsOf(here);
  expect(rows.map(({ holder }) => holder).toSorted()).toEqual(holders);
  const current = rows.filter(({ ended_at }) => ended_at === null);
  expect((await person.call("GET", PATH)).body.id).toBe(current[0]?.id);
  expect(current).toHaveLength(1);
});

describe("details", () => {
  test("are sealed for their method alone, and open for the payout", async () => {
    const here = await world.newPartner();
    const { db, sealer } = world.app.services;
    for (const [input, opened] of [
      [SEPA, { iban: IBAN, bic: "COBADEFFXXX" }],
      [
        { ...SEPA, bic: undefined },
        { iban: IBAN, bic: null },
      ],
      [MANUAL, { instructions: MANUAL.instructions }],
    ] as const) {
      const method_id = await newPayoutMethod(world, here.partner_id, { iban: undefined, ...input });
      const method = await currentMethod(db, here.partner_id);
      if (method === null) throw new Error("there is no method");
      expect(method.id).toBe(method_id);
      expect(openDetails(sealer, { method_id, details: method.details })).toEqual(opened);
      expect(() => openDetails(sealer, { method_id: "pmd_other", details: method.details })).toThrow();
    }
  });

  test("are nowhere but in the sealed bytes: no table, no log, no reply, no e-mail", async () => {
    const here = await world.newPartner({ company: "Sealed" });
    const user = await newUser(world, here);
    const person = await signedIn(world, user);
    const headers = { "idempotency-key": "once" };
    const replies = [
      await person.call("PUT", PATH, { body: { ...SEPA, iban: OTHER_IBAN }, headers }),
      await world.call("PUT", adminPath(here), { key: operator, body: MANUAL, headers }),
      await person.call("PUT", PATH, { body: { ...SEPA, iban: `${OTHER_IBAN}1` } }),
      await person.call("GET", PATH),
      await world.call("GET", adminPath(here), { key: operator }),
      await world.call("GET", `${BASE}/audit-log?format=csv`, { key: here.key }),
      await world.call("GET", `${BASE}/events`, { key: here.key }),
      await world.call("GET", "/v1/changes", { key: here.key }),
      await world.call("GET", `${ADMIN}/audit-log`, { key: operator }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 422, 200, 200, 200, 200, 200, 200]);
    await mail.to(user.email, 2);
    const tables = await world.db.sql<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
    );
    const everything = await Promise.all(tables.map(({ name }) => world.db.sql(`select t::text as row from ${name} t`)));
    const audited = await world.db.sql<{ text: string }>("select convert_from(body, 'UTF8') as text from audit_entries");
    const stored = JSON.stringify([everything, audited, replies.map(({ text }) => text), mail.received, logged]);
    expect(logged.length).toBeGreaterThan(100);
    expect(stored).toContain("NL91 … 4300");
    const secret = [OTHER_IBAN, "NL91 ABNA", "0417164300", "98765432", "65-43-21"];
    const hex = secret.map((text) => Buffer.from(text).toString("hex"));
    for (const text of [...secret, ...hex]) expect(stored.includes(text), text).toBe(false);
  });
});

test("every owner who can sign in is told of each change and removal, whoever makes it; nobody else is", async () => {
  const here = await world.newPartner({ company: "Fjord & Co" });
  const [one, two, invited, admin] = [
    await newUser(world, here),
    await newUser(world, here),
    await newUser(world, here, { invited: true }),
    await newUser(world, here, { role: "admin" }),
  ];
  const person = await signedIn(world, one);
  await put(person);
  await put(person);
  await world.call("DELETE", adminPath(here), { key: operator });
  for (const { email } of [one, two]) {
    const got = await mail.to(email, 2);
    expect(got).toHaveLength(2);
    const changed = got.find(({ headers }) => headers.subject === "Payout method of Fjord & Co changed");
    expect(changed?.text).toContain("was changed on 2026-11-02 at 09:30 UTC. Payouts now go to the account");
    expect(changed?.text).toContain("http://tributary.test/portal/earn/payouts");
    expect(got.map(({ headers }) => headers.subject).toSorted()).toEqual([
      "Payout method of Fjord & Co changed",
      "Payout method of Fjord & Co removed",
    ]);
  }
  const addressed = mail.received.flatMap(({ to }) => to);
  for (const { email } of [invited, admin]) expect(addressed).not.toContain(email);
});

describe("a hold", () => {
  const hold = (body: object, headers: Record<string, string> = {}, of = partner) => {
    world.clock.advance(1);
    return world.call("PUT", adminPath(of, "payout-hold"), { key: operator, body, headers });
  };

  test("has a reason, and is released without one", async () => {
    const here = await world.newPartner();
    const read = () => world.call("GET", adminPath(here, "payout-hold"), { key: operator });
    expect((await read()).body).toEqual({ held: false, reason: null, version: 1 });
    const held = await hold({ held: true, reason: "Bank details are being verified" }, {}, here);
    expect(held.body).toEqual({ held: true, reason: "Bank details are being verified", version: 2 });
    expect((await read()).body).toEqual(held.body);
    expect((await hold({ held: true, reason: "Bank details are being verified" }, {}, here)).body.version).toBe(2);
    expect((await hold({ held: false }, {}, here)).body).toEqual({ held: false, reason: null, version: 3 });
    const entries = (await world.call("GET", `${BASE}/audit-log?action=payout_hold.update`, { key: here.key })).body.data;
    expect(entries).toMatchObject([
      { actor: { type: "operator" }, changes: { held: { from: true, to: false } } },
      { target: here.partner_id, changes: { reason: { from: null, to: "Bank details are being verified" } } },
    ]);
  });

  test("is refused without a reason, a release with one", async () => {
    for (const [body, code] of [
      [{ held: true }, "reason_required"],
      [{ held: true, reason: null }, "reason_required"],
      [{ held: false, reason: "Done" }, "reason_of_hold"],
    ] as const)
      expect((await hold(body)).body.errors).toMatchObject([{ pointer: "#/reason", code }]);
  });

  test("changes only the version that was read, where If-Match says so", async () => {
    const here = await world.newPartner();
    const first = await hold({ held: true, reason: "First" }, { "if-match": '"1"' }, here);
    expect([first.status, first.headers.etag]).toEqual([200, '"2"']);
    const late = await hold({ held: true, reason: "Late" }, { "if-match": '"1"' }, here);
    expect([late.status, late.body.code, late.body.current_version]).toEqual([412, "version_mismatch", 2]);
  });

  test("is the operator's alone, for partners that exist", async () => {
    const body = { held: true, reason: "X" };
    expect(outcome(await owner.call("PUT", adminPath(partner, "payout-hold"), { body }))).toBe("403 role_required");
    const nobody = { partner_id: "ptr_01jd3k5y5cf7m8n9p0q1r2s3t4", key: "" };
    expect(outcome(await hold(body, {}, nobody))).toBe("404 not_found");
    expect(outcome(await world.call("PUT", adminPath(nobody), { key: operator, body: SEPA }))).toBe("404 not_found");
  });
});
