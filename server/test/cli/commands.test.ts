import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { runHere, runHereForJson, startCommand } from "../harness/command.ts";
import { auditEntries, newPartner, useInstallation } from "../harness/installation.ts";
import { type ServiceProcess, startService } from "../harness/service-process.ts";
import { ADMIN, BASE } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const installation = useInstallation();
const run = (...args: string[]) => runHere(args, installation.environment);
const json = (...args: string[]) => runHereForJson(args, installation.environment);

async function refusal(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stdout]).toEqual([1, ""]);
  return JSON.parse(stderr).error;
}

const lastAudit = async (partner_id = installation.partner_id) => (await auditEntries(installation.db, partner_id)).at(-1);

describe("partners", () => {
  test("create makes what the operator API makes, in the name of the system", async () => {
    const partner = await newPartner(installation, "Fjord Studio", "aksel@fjord.example");
    expect(partner).toMatchObject({ company: "Fjord Studio", grade: "registered", api_access: false, currency: "usd" });
    expect(partner.owner).toMatchObject({ email: "aksel@fjord.example" });
    expect(partner.house_account_id).toMatch(/^cli_/);
    const [entry] = await auditEntries(installation.db, partner.id);
    expect(entry).toMatchObject({ action: "partners.create", target: partner.id, actor: { type: "system", id: "system" } });
    expect(await json("partners", "show", partner.id)).toMatchObject(partner);
    for (const table of ["stages", "pipelines", "clients", "users"])
      await installation.db.sql(`delete from ${table} where partner_id = $1`, [partner.id]);
    await installation.db.sql("delete from partners where id = $1", [partner.id]);
  });

  test("create refuses an address that is taken, and leaves nothing behind", async () => {
    const args = ["--company", "Twice", "--owner-email", "nora@northwind.example", "--owner-name", "Nora"];
    expect(await refusal("partners", "create", ...args)).toMatchObject({ code: "duplicate_user" });
    expect(await json("partners", "list")).toMatchObject({ data: [{ id: installation.partner_id }], has_more: false });
  });

  test("show and list are lines for people", async () => {
    const shown = await run("partners", "show");
    expect(shown.stdout).toMatch(/^company +Northwind Agency$/m);
    const listed = await run("partners", "list");
    expect(listed.stdout).toMatch(/^ID +COMPANY +GRADE +STATUS +API +CREATED\nptr_\w+ +Northwind Agency/);
  });
});

describe("which partner is meant", () => {
  test("the only one needs no name", async () => {
    expect((await json("clients", "list")).data).toEqual([]);
  });

  test("of several, an id, the whole name or a part that one alone has", async () => {
    const other = await newPartner(installation, "Northwind", "second@northwind.example");
    const third = await newPartner(installation, "Southwind", "third@southwind.example");
    for (const [given, id] of [
      [other.id, other.id],
      ["northwind", other.id],
      ["AGENCY", installation.partner_id],
      ["south", third.id],
    ]) {
      expect((await json("partners", "show", given)).id, given).toBe(id);
    }
    const ambiguous = await refusal("keys", "list", "--partner", "wind");
    expect(ambiguous).toMatchObject({ code: "partner_ambiguous", remedy: "Choose one with --partner." });
    for (const { id } of [other, third]) expect(ambiguous.message).toContain(id);
    expect(await refusal("keys", "list")).toMatchObject({ code: "partner_ambiguous" });
    expect(await refusal("keys", "list", "--partner", "east")).toMatchObject({ code: "not_found" });
    expect(await refusal("keys", "list", "--partner", "ptr_01m7c7pzpmed89nj7yfskw6d6k")).toMatchObject({ code: "not_found" });
  });
});

test("partners grant-access grants it, and keys create warns as long as it is missing", async () => {
  const { id } = await json("partners", "create", "--company", "Gate", "--owner-email", "g@gate.example", "--owner-name", "Gia");
  const createKey = () =>
    runHere(["keys", "create", "--partner", id, "--name", "Sync", "--scopes", "all"], installation.environment);
  expect((await createKey()).stderr).toContain(`tributary partners grant-access ${id}`);
  expect(await json("partners", "grant-access", id)).toMatchObject({ id, api_access: true });
  expect((await createKey()).stderr).not.toContain("grant-access");
});

const PARTNER = ["--partner", "agency"];

test("users invite invites, by role and accounts", async () => {
  const client = await json("clients", "create", ...PARTNER, "--company", "Staffed", "--external-id", "staffed-1");
  const user = await json(
    "users",
    "invite",
    ...PARTNER,
    "--name",
    "Sam",
    "--email",
    "sam@staff.example",
    "--accounts",
    "staffed-1",
  );
  expect(user).toMatchObject({ role: "member", accounts: [client.id], state: "invited" });
  expect(await lastAudit()).toMatchObject({ action: "users.create", target: user.id, actor: { id: "system" } });
  const again = ["users", "invite", ...PARTNER, "--name", "Sam", "--email", "sam@staff.example"];
  expect(await refusal(...again)).toMatchObject({ code: "duplicate_user" });
});

describe("keys", () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService({ ...installation.environment, PORT: "0" });
  });
  afterAll(() => service?.stop());

  test("create prints a secret that works, once; revoke ends it, also twice", async () => {
    const key = await json(
      "keys",
      "create",
      ...PARTNER,
      "--name",
      "Sync",
      "--scopes",
      "clients:read,events:read",
      "--expires-in",
      "90d",
    );
    expect(key).toMatchObject({ scopes: ["clients:read", "events:read"], clients: "all", created_by: "system" });
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBeCloseTo(90 * 86_400_000, -4);
    const client = await json("clients", "create", ...PARTNER, "--company", "Bound", "--external-id", "bound-1");
    const bound = await json(
      "keys",
      "create",
      ...PARTNER,
      "--name",
      "Bound",
      "--scopes",
      "all",
      "--clients",
      `bound-1,${client.id}`,
    );
    expect([bound.clients, bound.scopes.length]).toEqual([[client.id], ALL_SCOPES.length]);
    await installation.db.sql("update partners set api_access = true");
    expect((await service.call("GET", `${BASE}/clients`, { key: key.api_key })).status).toBe(200);

    const listed = await run("keys", "list", ...PARTNER);
    expect(listed.stdout).toContain(key.id);
    expect(listed.stdout).not.toContain(key.api_key);
    expect(await json("keys", "revoke", "Sync", ...PARTNER)).toEqual({ id: key.id, revoked: true });
    expect((await service.call("GET", `${BASE}/clients`, { key: key.api_key })).status).toBe(401);
    expect(await lastAudit()).toMatchObject({ action: "keys.revoke", target: key.id, actor: { id: "system" } });
    expect((await run("keys", "revoke", key.id, ...PARTNER)).code).toBe(0);
  });

  test("of the operator's are made, listed and revoked, all but the last", async () => {
    const first = await json("keys", "create", "--operator", "--name", "First");
    const second = await json("keys", "create", "--operator", "--name", "Second");
    expect((await service.call("GET", `${ADMIN}/partners`, { key: second.api_key })).status).toBe(200);
    expect((await json("keys", "list", "--operator")).data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect((await run("keys", "revoke", first.id, "--operator")).code).toBe(0);
    expect(await refusal("keys", "revoke", "Second", "--operator")).toMatchObject({ code: "resource_in_use" });
    expect(await lastAudit("operator")).toMatchObject({ action: "operator_keys.revoke", target: first.id });
  });

  test("create for people ends with the secret alone on its line", async () => {
    const { stdout, stderr } = await run("keys", "create", ...PARTNER, "--name", "Plain", "--scopes", "clients:read");
    expect(stdout).toMatch(/\ntrb_[0-9A-Za-z]{38}\n$/);
    expect(stderr).toContain("shown only once");
  });

  test("a name that several have, or none, is refused", async () => {
    for (let turn = 0; turn < 2; turn += 1)
      await json("keys", "create", ...PARTNER, "--name", "Same", "--scopes", "clients:read");
    expect(await refusal("keys", "revoke", "Same", ...PARTNER)).toMatchObject({ code: "key_ambiguous" });
    expect(await refusal("keys", "revoke", "None", ...PARTNER)).toMatchObject({ code: "not_found" });
    const theirs = await refusal("keys", "revoke", "key_01m7c7pzpmed89nj7yfskw6d6k", ...PARTNER);
    expect(theirs).toMatchObject({ code: "not_found" });
  });

  test("clients that the partner does not have are refused", async () => {
    const args = ["keys", "create", ...PARTNER, "--name", "x", "--scopes", "all", "--clients"];
    expect(await refusal(...args, "nobody-1")).toMatchObject({ code: "not_found" });
    expect(await refusal(...args, "cli_01m7c7pzpmed89nj7yfskw6d6k")).toMatchObject({ code: "validation_failed" });
    expect((await run(...args, "all,cli_01m7c7pzpmed89nj7yfskw6d6k")).code).toBe(2);
  });
});

describe("clients", () => {
  test("create, suspend and reactivate raise the API's events, in order, and say why", async () => {
    const client = await json(
      ...["clients", "create", ...PARTNER, "--company", "Acme Dental", "--external-id", "acme-1", "--plan", "Growth"],
      ...["--mrr-cents", "49900", "--contact-name", "Ada", "--tags", "vip,emea", "--metadata", "region=emea=west", "--pending"],
    );
    expect(client).toMatchObject({
      status: "pending",
      mrr_cents: 49900,
      tags: ["vip", "emea"],
      metadata: { region: "emea=west" },
    });
    await json("clients", "reactivate", client.id, ...PARTNER);
    for (let turn = 0; turn < 2; turn += 1) {
      const suspended = await json("clients", "suspend", "acme-1", ...PARTNER, "--reason", "Invoice overdue");
      expect(suspended).toMatchObject({ id: client.id, status: "suspended", status_reason: "Invoice overdue" });
    }
    const { stdout } = await run("events", "tail", ...PARTNER, "--once", "--client", "acme-1", "--json");
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(["client.created", "client.activated", "client.suspended"]);
    expect(await lastAudit()).toMatchObject({ action: "clients.suspend", client_id: client.id, actor: { type: "system" } });
  });

  test("an external id that is taken is refused and named", async () => {
    const taken = await json("clients", "create", ...PARTNER, "--company", "Birch", "--external-id", "birch-1");
    const error = await refusal("clients", "create", ...PARTNER, "--company", "Other", "--external-id", "birch-1");
    expect(error).toMatchObject({ code: "duplicate_client", existing_id: taken.id });
  });

  test("a move that the state does not allow is refused with those that it does", async () => {
    const house = (await json("clients", "list", ...PARTNER, "--include-house", "--all")).data.find(
      ({ house }: { house: boolean }) => house,
    );
    expect(await refusal("clients", "suspend", house.id, ...PARTNER)).toMatchObject({
      code: "invalid_state_transition",
      allowed: [],
    });
  });

  test("list pages to exactly the full set, filters and sorts as the API does", async () => {
    for (const name of ["Cedar", "Aspen", "Birch"])
      await json("clients", "create", ...PARTNER, "--company", name, "--tags", "tree");
    const all = await json("clients", "list", ...PARTNER, "--tag", "tree", "--sort", "company", "--all");
    expect(all.data.map(({ company }: { company: string }) => company)).toEqual(["Aspen", "Birch", "Cedar"]);
    const first = await json("clients", "list", ...PARTNER, "--tag", "tree", "--sort", "-company", "--limit", "2");
    expect(first.has_more).toBe(true);
    const rest = await json("clients", "list", ...PARTNER, "--tag", "tree", "--sort", "-company", "--cursor", first.next_cursor);
    expect(rest).toMatchObject({ data: [{ company: "Aspen" }], has_more: false, next_cursor: null });
    expect(await refusal("clients", "list", ...PARTNER, "--cursor", "nonsense")).toMatchObject({ code: "invalid_cursor" });
  });

  test("more than a page is shown with --all, as one document", async () => {
    const { partner_id, db } = installation;
    await db.sql(
      `insert into clients (partner_id, id, company, mrr_cents, currency, status, created_at, updated_at, status_changed_at)
       select $1, 'cli_01kkkkkkkkkkkkkkkkkkkkk' || lpad(n::text, 3, '0'), 'Bulk ' || n, 0, 'usd', 'active', now(), now(), now()
       from generate_series(1, 230) n`,
      [partner_id],
    );
    const { data } = await json("clients", "list", ...PARTNER, "--q", "Bulk", "--all");
    expect(new Set(data.map(({ id }: { id: string }) => id)).size).toBe(230);
    const plain = await run("clients", "list", ...PARTNER, "--q", "Bulk");
    expect(plain.stdout.trimEnd().split("\n")).toHaveLength(1 + 25);
    expect(plain.stderr).toContain("There are more: --all lists all pages");
  });
});

describe("an idempotency key", () => {
  test("gives the first result again, and refuses another request", async () => {
    const args = ["clients", "create", ...PARTNER, "--company", "Once", "--idempotency-key", "once-1"];
    const [first, second] = [await json(...args), await json(...args)];
    expect(second).toEqual(first);
    expect(await refusal(...args.with(5, "Twice"))).toMatchObject({ code: "idempotency_key_reused" });
  });

  test("gives a key's secret again, which is stored sealed", async () => {
    const args = [
      "keys",
      "create",
      ...PARTNER,
      "--name",
      "Sealed",
      "--scopes",
      "all",
      "--expires-in",
      "1d",
      "--idempotency-key",
      "sealed-1",
    ];
    const [first, second] = [await json(...args), await json(...args)];
    expect(second.api_key).toBe(first.api_key);
    const [row] = await installation.db.sql<{ body: Buffer; sealed: boolean }>(
      "select body, sealed from idempotency_replies where key = 'sealed-1'",
    );
    expect(row?.sealed).toBe(true);
    expect(row?.body.includes(first.api_key)).toBe(false);
  });

  test("of a wrong form is wrong usage", async () => {
    const { code } = await run("clients", "create", ...PARTNER, "--company", "x", "--idempotency-key", "a b");
    expect(code).toBe(2);
  });
});

test("import says why rows failed, and saves them to be corrected", async () => {
  const [file, failed] = [join(installation.data_dir, "people.csv"), join(installation.data_dir, "failed.csv")];
  await writeFile(file, "Name,Mobile\nAda,+14155552671\nBo,12\nCy,13\n,+14155552674\n");
  const partner = ["--partner", installation.partner_id];
  const shown = await run("import", file, ...partner, "--dry-run");
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(/^ *2 +Mobile +invalid_phone +3 +12 +phone must be in E\.164/m);
  expect(shown.stdout).toMatch(/^ *1 +Name +required +5/m);
  expect(shown.stderr).toMatch(/GET \/v1\/imports\/imp_\w+\/failed-rows/);
  const { code, stdout } = await run("import", file, ...partner, "--failed-rows", failed, "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      created: 1,
      failed: 3,
      failed_rows: failed,
      reasons: [
        { column: "Mobile", rows: 2 },
        { column: "Name", rows: 1 },
      ],
    },
  ]);
  expect((await readFile(failed, "utf8")).split("\r\n").slice(0, 2)).toEqual([
    "Name,Mobile,error",
    'Bo,12,"Mobile: phone must be in E.164, such as +14155552671."',
  ]);
});

test("an interrupted command ends soon, says so, and what it had not committed is not there", async () => {
  const holder = await installation.db.connect();
  await holder.query("begin; lock table clients");
  const waiting = startCommand(
    ["clients", "create", ...PARTNER, "--company", "Never", "--tags", "never"],
    installation.environment,
  );
  const blocked = "select 1 from pg_locks where relation = 'clients'::regclass and not granted";
  await eventually("the command to wait", async () => (await installation.db.sql(blocked)).length > 0 || null);
  waiting.kill("SIGINT");
  expect(await waiting.ended).toMatchObject({
    code: 1,
    signal: null,
    stdout: "",
    stderr: expect.stringMatching(/^Interrupted\./),
  });
  await holder.query("rollback");
  await holder.end();
  expect((await json("clients", "list", ...PARTNER, "--tag", "never")).data).toEqual([]);
});

test("what somebody else wrote does not reach the terminal as a command", async () => {
  await json("clients", "create", ...PARTNER, "--company", "Evil\u001b[2J", "--tags", "evil");
  const { stdout } = await run("clients", "list", ...PARTNER, "--tag", "evil");
  expect(stdout).toContain("Evil\ufffd[2J");
  expect(stdout).not.toContain("\u001b");
});

test("a command leaves no session behind on the database", async () => {
  await json("keys", "list", ...PARTNER);
  // The server ends a session a moment after its client has closed it.
  const sessions = () =>
    installation.db.sql("select 1 from pg_stat_activity where datname = current_database() and usename = 'tributary_service'");
  await eventually("the sessions to end", async () => (await sessions()).length === 0 || null);
});

describe("users who are locked out", () => {
  test("sign-in-link makes a link, in the name of the system; for an invited user an invitation", async () => {
    const email = "nora@northwind.example";
    const invited = await json("users", "sign-in-link", email.toUpperCase());
    expect(invited.url).toMatch(/^http:\/\/127\.0\.0\.1:1\/portal\/invitation#[\w-]{43}$/);
    await installation.db.sql("update users set state = 'active' where id = $1", [invited.user_id]);
    const { url, expires_at } = await json("users", "sign-in-link", email);
    expect(url).toMatch(/\/portal\/link#[\w-]{43}$/);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    const entry = await lastAudit();
    expect(entry).toMatchObject({ action: "users.sign_in_link", target: invited.user_id, actor: { type: "system" } });
    const links = await installation.db.sql("select 1 from user_links where user_id = $1", [invited.user_id]);
    expect(links).toHaveLength(2);
    expect(await refusal("users", "sign-in-link", "nobody@test.example")).toMatchObject({ code: "not_found" });
    await installation.db.sql("update users set state = 'invited' where id = $1", [invited.user_id]);
  });

  test("reset-totp removes the authenticator app, if there is one", async () => {
    const email = "nora@northwind.example";
    expect(await json("users", "reset-totp", email)).toEqual({ removed: false });
    const insert =
      "insert into second_factors (user_id, secret, confirmed_at, created_at) select id, '', now(), now() from users where email = $1";
    await installation.db.sql(insert, [email]);
    expect(await json("users", "reset-totp", email)).toEqual({ removed: true });
    expect(await lastAudit()).toMatchObject({ action: "totp.reset", actor: { type: "system" } });
    expect(await installation.db.sql("select 1 from second_factors")).toEqual([]);
  });
});
