import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteExpiries } from "../../src/features/billing/payment-links/index.ts";
import { runFirst } from "../../src/features/first-run/index.ts";
import { brokenHistories } from "../harness/deals.ts";
import { feed } from "../harness/lists.ts";
import { signIn } from "../harness/people.ts";
import { type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
let data_dir: string;
let events: Json[];

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), "demo-"));
  await world.db.sql("delete from programme");
  await runFirst(world.app.services, { data_dir, base_url: "http://tributary.test", seed: "demo" });
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  events = await feed(world, api_key);
});
afterAll(() => rm(data_dir, { recursive: true }));

/** Filled by migrations, at the time of the machine. */
const MIGRATED = ["migrations", "tiers", "commission_rules"];

/** The ends of protections and snoozes, claims and heartbeats, of holds and windows of commissions, and of certifications. */
const AHEAD = ["protected_until", "until", "alive_until", "hold_until", "window_until", "expires_at", "snoozed_until"];

test("every time in the demo programme is in the past", async () => {
  const columns = await world.db.sql<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and data_type = 'timestamp with time zone' and not column_name = any ($1)`,
    [AHEAD],
  );
  const ahead: string[] = [];
  for (const { table_name, column_name } of columns) {
    const [row] = await world.db.sql(`select 1 from ${table_name} where ${column_name} > $1 limit 1`, [world.clock.now()]);
    if (row !== undefined && !MIGRATED.includes(table_name)) ahead.push(`${table_name}.${column_name}`);
  }
  expect(ahead).toEqual([]);
  expect(events.filter(({ created }) => created * 1_000 > world.clock.now().getTime())).toEqual([]);
});

test("its events are in the order of time, and those of a won sale in theirs", async () => {
  const times = events.map(({ created }) => created);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const won = events.filter(({ type }) => type === "deal.won");
  expect(won).toHaveLength(5);
  for (const { data } of won) {
    const about = events.filter((event) => event.data.deal_id === data.deal_id || event.data.client_id === data.client_id);
    const types = about.map(({ type }) => type);
    expect(types.slice(0, 8)).toEqual([
      "deal.registered",
      ...Array(4).fill("deal.stage_changed"),
      "client.created",
      "client.activated",
      "deal.won",
    ]);
  }
  const created = events.filter(({ type }) => type === "client.created").map(({ data }) => data.client_id);
  expect([created.length, new Set(created).size]).toEqual([12, 12]);
  expect(await brokenHistories(world)).toEqual([]);
});

test("the home of the demo tells a story: revenue over time, deals in each stage, and what needs attention", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const { body } = await world.call("GET", "/v1/partners/overview", { key: api_key });
  expect(body.mrr).toHaveLength(1);
  const [{ mrr_cents, months }] = body.mrr;
  expect(months.length).toBeGreaterThan(2);
  expect(months.at(-1).mrr_cents).toBe(mrr_cents);
  expect(months[0].mrr_cents).toBeLessThan(mrr_cents);
  expect(body.needs.counts).toEqual({ registration_ending: 1, deal_over_target: 1, client_suspended: 2 });
  const named = (kind: string) => body.needs.items.find((item: Json) => item.kind === kind).facts.name;
  expect([named("registration_ending"), named("deal_over_target")]).toEqual(["Juniper Hotels", "Amber Veterinary"]);
  const [dune] = (await world.call("GET", "/v1/deals?q=Dune%20Architects", { key: api_key })).body.data;
  const board = (await world.call("GET", `/v1/pipelines/${dune.pipeline_id}/board`, { key: api_key })).body;
  expect(board.stages.filter(({ deals }: Json) => deals === 0)).toEqual([]);
  const win = { key: api_key, body: { stage: "Won", dry_run: true } };
  expect((await world.call("POST", `/v1/deals/${dune.id}/stage`, win)).status).toBe(200);
});

test("whoever is in the file of the first run can sign in with its password, each with their own rights", async () => {
  const { owner, client_user, operator } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const rights = [];
  for (const login of [owner, client_user, operator]) {
    const { user_id } = await signIn(world, login);
    const [user] = await world.db.sql(
      "select role, (select company from partners p where p.id = partner_id) as of, clients from users where id = $1",
      [user_id],
    );
    rights.push(user);
  }
  const [dental] = await world.db.sql<Json>("select id from clients where company = 'Harbour Dental'");
  expect(rights).toEqual([
    { role: "owner", of: "Northwind Agency", clients: null },
    { role: "member", of: "Northwind Agency", clients: [dental?.id] },
    { role: "operator", of: null, clients: null },
  ]);
});

test("the demo partner has earned for half a year: sales, charges, a refund, overrides, and a commission in every state", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const get = async (path: string): Promise<Json> => (await world.call("GET", `/v1/partners${path}`, { key: api_key })).body;
  const rows: Json[] = (await get("/deals/commissions?limit=100")).data;
  const having = (member: string) => [...new Set(rows.map((row) => row[member]))].sort();
  expect(having("kind")).toEqual(["adjustment", "first", "override", "recurring", "reversal"]);
  expect(having("status")).toEqual(expect.arrayContaining(["approved", "held", "paid", "pending"]));
  expect(having("currency")).toEqual(["eur", "usd"]);
  expect(
    rows
      .filter(({ reason_code }) => reason_code === "first_charge")
      .map(({ currency }) => currency)
      .sort(),
  ).toEqual(["eur", "usd"]);
  const months = new Set(rows.map(({ accrued_at }) => accrued_at.slice(0, 7)));
  expect(months.size).toBeGreaterThanOrEqual(6);
  const accounts: Json[] = (await get("/ledger/accounts")).data;
  expect(accounts.reduce((sum, { balance_cents }) => sum + balance_cents, 0)).toBe(0);
  expect((await get("/plans")).data.map(({ name }: Json) => name).sort()).toEqual(["Growth", "Scale", "Starter"]);
  expect((await get("/sub-partners")).data).toMatchObject([{ company: "Fjord Studio", active_clients: 3 }]);
  expect((await get("/account/certifications")).data).toMatchObject([{ certification: "Certified Implementer", ended_at: null }]);
  const [home] = await world.db.sql("select count(*)::int as charges from charges where outcome <> 'earned'");
  expect(home).toEqual({ charges: 0 });
});

test("the demo has an inbox with conversations on every kind of channel, and nothing of it is ever sent", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const { body } = await world.call("GET", "/v1/conversations", { key: api_key });
  const shown = body.data.map(({ channel_kind, person_name, status, owner_name, waiting_since }: Json) => [
    channel_kind,
    person_name,
    status,
    owner_name,
    waiting_since !== null,
  ]);
  expect(shown).toEqual([
    ["simulator", "Elif Eriksen", "open", null, true],
    ["webchat", "Robin Page", "open", "Nora Lindqvist", true],
    ["simulator", "Diego Dubois", "open", null, true],
    ["simulator", "Amara Abebe", "open", "Nora Lindqvist", false],
    ["sms", "Greta Gupta", "open", "Nora Lindqvist", false],
    ["whatsapp", "Ivana Ibrahim", "open", "Nora Lindqvist", false],
    ["simulator", "Chiara Castillo", "snoozed", "Nora Lindqvist", false],
    ["webchat", "Omar Haddad", "closed", null, false],
    ["email", "Farid Fontana", "closed", null, false],
    ["webchat", "Ines Duarte", "closed", null, false],
    ["simulator", "Bruno Bergström", "closed", null, false],
  ]);
  const channels = (await world.call("GET", "/v1/channels", { key: api_key })).body.data;
  expect(channels.map(({ kind, status }: Json) => [kind, status])).toEqual([
    ["simulator", "active"],
    ["webchat", "active"],
    ["whatsapp", "paused"],
    ["sms", "paused"],
    ["email", "paused"],
    ["webchat", "active"],
  ]);
  expect(await world.db.sql("select 1 from message_sends")).toEqual([]);
});

test("the demo has an agent that qualifies leads on the website, with what it knows and whom it has talked with", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const get = async (path: string) => (await world.call("GET", `/v1${path}`, { key: api_key })).body;
  const [agent] = (await get("/agents")).data;
  const [source] = (await get("/knowledge-sources")).data;
  expect([agent, source]).toMatchObject([
    { name: "Mila", status: "active", published_version: 1, channel_ids: [expect.any(String)] },
    { key: "practice-guide", status: "ready", chunks: 4 },
  ]);
  const sessions = (await get(`/agents/${agent.id}/sessions`)).data;
  expect(sessions.map(({ status, slots }: Json) => [status, slots.name])).toEqual([
    ["completed", "Omar Haddad"],
    ["handed_off", "Ines Duarte"],
  ]);
  const { history } = await get(`/sessions/${sessions[1].id}`);
  expect(history[1]).toMatchObject({ hits: [{ source_id: source.id, title: "Practice guide" }] });
  expect(history[1].said[0]).toContain("Parking behind the house is free");
  const [lead] = (await get(`/leads?account_id=${agent.account_id}&q=Ines`)).data;
  expect(lead).toMatchObject({ status: "qualified", tags: ["hot"], email: "ines.duarte@example.com" });
  const body = { messages: [{ text: "Hello" }, { text: "Which insurance do you take?" }] };
  const run = await world.call("POST", `/v1/agents/${agent.id}/sandbox`, { key: api_key, body });
  expect(run.body.transcript.at(-2).text).toContain("We take Delta Dental, Cigna and Aetna");
});

test("a client of the demo has payment links in every state, with payments in two ways and a refund", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const list = async (path: string): Promise<Json[]> =>
    (await world.call("GET", `/v1/billing/${path}?limit=100`, { key: api_key })).body.data;
  const links = await list("payment-links");
  const statuses = new Set(links.map(({ status }) => status));
  expect(statuses).toEqual(new Set(["active", "partially_paid", "paid", "expired", "cancelled", "disabled"]));
  expect(links.filter(({ status }) => status === "partially_paid")).toMatchObject([{ paid_cents: 40_000, reserved_cents: 0 }]);
  const payments = await list("payments");
  expect(new Set(payments.map(({ provider }) => provider))).toEqual(new Set(["test", "manual"]));
  expect(payments.filter(({ status }) => status === "partially_refunded")).toMatchObject([{ refunded_cents: 2_500 }]);
  // Else the first minute of the service would change a link that expired weeks ago.
  expect(await noteExpiries(world.app.services)).toBe(0);
});

test("the demo partner has links with clicks over some weeks, leads, and a won sale that came by one", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const { body } = await world.call("GET", "/v1/partners/affiliate-links?totals=true", { key: api_key });
  const of = (code: string) => body.data.find((link: Json) => link.code === code);
  expect(body.data.map(({ code, status }: Json) => [code, status])).toEqual([
    ["podcast-ad", "paused"],
    ["autumn-letter", "active"],
    ["northwind-blog", "active"],
  ]);
  expect(of("northwind-blog").totals).toMatchObject({ leads: 3, deals: 0 });
  expect(of("autumn-letter").totals).toMatchObject({ leads: 0, deals: 2, won: 1 });
  expect(of("autumn-letter").totals.commissions[0].amount_cents).toBeGreaterThan(0);
  for (const { totals } of body.data) {
    expect(totals.clicks).toBeGreaterThan(totals.unique);
    expect(totals.bots).toBeGreaterThan(0);
  }
  const { data } = (await world.call("GET", `/v1/partners/affiliate-links/${of("northwind-blog").id}/stats`, { key: api_key }))
    .body;
  expect(data.filter(({ clicks }: Json) => clicks > 0).length).toBeGreaterThan(20);
});

test("it was paid each month since: one payout failed and was tried again, and one currency waits for a method that takes it", async () => {
  const { api_key, operator_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const get = async (path: string, key: string): Promise<Json> => (await world.call("GET", path, { key })).body;
  const payouts: Json[] = (await get("/v1/partners/payouts", api_key)).data;
  expect(payouts.length).toBeGreaterThanOrEqual(4);
  expect(payouts.filter(({ status }) => status === "paid").length).toBeGreaterThanOrEqual(payouts.length - 1);
  expect(payouts.map(({ statement_number }) => statement_number)).toEqual(
    payouts.map((_, index) => `S-${String(payouts.length - index).padStart(6, "0")}`),
  );
  const again = payouts.find(({ attempt }) => attempt === 2);
  expect((await get(`/v1/partners/payouts/${again?.id}`, api_key)).attempts).toMatchObject([
    { failure: "Account closed" },
    { failure: null },
  ]);
  const [eur, usd] = (await get("/v1/partners/payouts/upcoming", api_key)).data;
  expect([eur, usd]).toMatchObject([{ currency: "eur" }, { currency: "usd" }]);
  expect(eur.blockers.map(({ code }: Json) => code)).toContain("currency_not_supported");
  const { data: runs } = await get("/v1/admin/payout-runs", operator_key);
  expect(runs.filter(({ state, trigger }: Json) => state !== "finished" || trigger !== "schedule")).toEqual([]);
});

test("it has a snapshot in three versions: one client is up to date, one is behind, and one has made it its own", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const get = async (path: string): Promise<Json[]> =>
    (await world.call("GET", `/v1/partners${path}`, { key: api_key })).body.data;
  const [snapshot] = await get("/snapshots?q=consultations");
  expect(snapshot).toMatchObject({ status: "published", latest_version: 3 });
  const installs = await get(`/snapshots/${snapshot?.id}/installs`);
  expect(installs.map(({ company, version, drift }) => [company, version, drift])).toEqual([
    ["Stone & Sons Roofing", 2, "none"],
    ["Morrow Legal", 3, "none"],
    ["Quill Bookkeeping", 3, "modified"],
  ]);
  expect(installs[2]?.differences).toHaveLength(2);
  const single = (await get(`/deployments?snapshot_id=${snapshot?.id}`)).filter(({ rollout_id }) => rollout_id === null);
  expect(single.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
});

test("it has a rollout that halted at its canary, and the one that reached everybody afterwards", async () => {
  const { api_key } = JSON.parse(await readFile(join(data_dir, "first-run.json"), "utf8"));
  const { body } = await world.call("GET", "/v1/partners/rollouts", { key: api_key });
  expect(body.data).toMatchObject([
    { status: "completed", version: 3, conflict_policy: "merge", total: 2, counts: { succeeded: 2 } },
    { status: "halted", version: 3, conflict_policy: "fail", total: 2, counts: { failed: 1, queued: 1 } },
  ]);
});
