import { expect, test } from "vitest";
import { workImport } from "../../src/features/crm/imports/index.ts";
import { errorsOf, sendFile } from "../harness/imports.ts";
import { walk } from "../harness/lists.ts";
import { TABLES } from "../harness/tables.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

/** Nobody works on imports here but the tests themselves, step by step. */
const world = useWorld({}, "api");

const ROWS_PER_STEP = 1_000;
/** More rows than one step has. */
const csvOf = (rows: number) =>
  `name,phone\n${Array.from({ length: rows }, (_, index) => `Person ${index},+1415${2_000_000 + index}\n`).join("")}`;

const step = ({ partner_id }: TestPartner, id: string) => workImport(world.app.services, { partner_id, id });

async function get({ key }: TestPartner, id: string): Promise<Json> {
  return (await world.call("GET", `${GENERAL}/imports/${id}`, { key })).body;
}

/** An import that has done one of its two steps. */
async function halfDone(here: TestPartner, key: string, query: Record<string, string> = {}): Promise<string> {
  const { body } = await sendFile(world, { key }, csvOf(ROWS_PER_STEP + 1), query);
  await step(here, body.id);
  expect(await get(here, body.id)).toMatchObject({ status: "running", processed: ROWS_PER_STEP });
  return body.id;
}

/** A key for imports alone, with its id. */
async function newImportKey({ key }: TestPartner, body: object = {}): Promise<{ id: string; key: string }> {
  const fields = { name: "Import", scopes: ["contacts:write", "contacts:read"], clients: "all", ...body };
  const made = await world.call("POST", `${BASE}/keys`, { key, body: fields });
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, key: made.body.api_key };
}

async function expectEnd(here: TestPartner, id: string, code: string): Promise<void> {
  await step(here, id);
  const ended = await get(here, id);
  expect(ended).toMatchObject({ status: "failed", failure: { code }, processed: ROWS_PER_STEP, created: ROWS_PER_STEP });
  expect(await world.db.sql("select 1 from import_chunks where import_id = $1", [id])).toEqual([]);
  expect(await step(here, id)).toBe(false);
}

test("of files sent at once, no more are accepted than may be under way", async () => {
  const here = await world.newPartner();
  const sent = await Promise.all(Array.from({ length: 30 }, () => sendFile(world, here, "name,phone\nAda,+14155552671\n")));
  expect(sent.filter(({ status }) => status === 202)).toHaveLength(20);
  const refused = sent.filter(({ status }) => status !== 202);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(10).fill([409, "import_limit_reached"]));
  expect(await world.db.sql("select 1 from import_chunks where partner_id = $1", [here.partner_id])).toHaveLength(20);
});

test("a file sent once more gets its reply, also where no further one is accepted", async () => {
  const here = await world.newPartner();
  const send = (headers = {}) => sendFile(world, here, "name,phone\nAda,+14155552671\n", {}, headers);
  for (let sent = 1; sent < 20; sent += 1) await send();
  const key = { "idempotency-key": "last" };
  const [first, again] = [await send(key), await send(key)];
  expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([202, 202, "true"]);
  expect((await send({ "idempotency-key": "other" })).body.code).toBe("import_limit_reached");
  expect(await world.db.sql("select 1 from import_chunks where partner_id = $1", [here.partner_id])).toHaveLength(20);
});

test("an import ends where it is when its key is revoked", async () => {
  const here = await world.newPartner();
  const key = await newImportKey(here);
  const id = await halfDone(here, key.key);
  expect((await world.call("DELETE", `${BASE}/keys/${key.id}`, { key: here.key })).status).toBe(204);
  await expectEnd(here, id, "invalid_credentials");
});

test("an import ends where it is when its key expires", async () => {
  const here = await world.newPartner();
  const expires_at = new Date(world.clock.now().getTime() + 3_600_000).toISOString();
  const id = await halfDone(here, (await newImportKey(here, { expires_at })).key);
  world.clock.advance(3_600_001);
  await expectEnd(here, id, "invalid_credentials");
});

test("an import ends where it is when its key loses the scope, or the account", async () => {
  const here = await world.newPartner();
  const { id: account_id } = await world.newClient(here);
  const { id: other_id } = await world.newClient(here);
  for (const [change, code] of [
    [{ scopes: ["contacts:read"] }, "insufficient_scope"],
    [{ clients: [other_id] }, "not_found"],
  ] as const) {
    const key = await newImportKey(here);
    const id = await halfDone(here, key.key, { account_id, mode: "upsert" });
    const narrowed = await world.call("PATCH", `${BASE}/keys/${key.id}`, { key: here.key, body: change });
    expect(narrowed.status, narrowed.text).toBe(200);
    await step(here, id);
    expect(await get(here, id)).toMatchObject({ status: "failed", failure: { code }, processed: ROWS_PER_STEP });
  }
});

test("an import that is under way is not reverted, until it is cancelled", async () => {
  const here = await world.newPartner();
  const id = await halfDone(here, here.key);
  const ask = (verb: string) => world.call("POST", `${GENERAL}/imports/${id}/${verb}`, { key: here.key });
  const { status, body } = await ask("revert");
  expect([status, body.code, body.from, body.allowed]).toEqual([409, "invalid_state_transition", "running", ["cancelled"]]);
  expect((await ask("cancel")).body.status).toBe("cancelled");
  expect((await ask("revert")).body.status).toBe("reverting");
});

test("an import ends where it is when its client is suspended, which then takes no other", async () => {
  const here = await world.newPartner();
  const { id: account_id } = await world.newClient(here);
  const id = await halfDone(here, here.key, { account_id });
  expect((await world.call("POST", `${BASE}/clients/${account_id}/suspend`, { key: here.key, body: {} })).status).toBe(200);
  const refused = await sendFile(world, here, csvOf(1), { account_id });
  expect([refused.status, refused.body.code]).toEqual([409, "client_inactive"]);
  await expectEnd(here, id, "client_inactive");
});

test("an import whose step fails five times ends where it is; a step that succeeds begins the count again", async () => {
  const here = await world.newPartner();
  const { body } = await sendFile(world, here, csvOf(ROWS_PER_STEP + 1));
  /** Without its file, a step fails as if the service were at fault. */
  const move = (by: number) =>
    world.db.sql("update import_chunks set ordinal = ordinal + $2 where import_id = $1", [body.id, by]);
  const failFourTimes = async () => {
    await move(1);
    for (let attempt = 0; attempt < 4; attempt += 1) await expect(step(here, body.id)).rejects.toThrow("ends too soon");
  };
  await failFourTimes();
  await move(-1);
  expect(await step(here, body.id)).toBe(true);
  await failFourTimes();
  await expectEnd(here, body.id, "internal_error");
});

const NUL = '"[""a\\u0000""]"';
const LONE = '"[""a\\ud800""]"';

test("a cell that no text can hold fails its row alone, in every kind", async () => {
  const here = await world.newPartner();
  const field = { resource: "contact", key: "size", type: "multi_select", options: ["a"] };
  expect((await world.call("POST", `${GENERAL}/custom-fields`, { key: here.key, body: field })).status).toBe(201);
  const deep = `"{""size"":${"[".repeat(20_000)}${"]".repeat(20_000)}}"`;
  const emoji = `${"x".repeat(199)}😀,@`;
  for (const [resource, csv, codes] of [
    [
      "contact",
      [
        "name,phone,tags,size,custom,email",
        `Nul,+14155552601,${NUL},,,`,
        `Lone,+14155552602,${LONE},,,`,
        `Size,+14155552603,,${NUL},,`,
        `Object,+14155552604,,,"{""a"":""\\u0000""}",`,
        `Name,+14155552605,,,"{""\\ud800"":1}",`,
        `Proto,+14155552606,,,"{""__proto__"":{""a"":1}}",`,
        `Deep,+14155552607,,,${deep},`,
        `Long,+14155552608,,,,"${emoji}"`,
        "Ada,+14155552671,,,,",
      ],
      [
        ["tags", "invalid_text"],
        ["tags", "invalid_text"],
        ["size", "invalid_text"],
        ["custom", "invalid_text"],
        ["custom", "invalid_text"],
        ["custom", "forbidden_name"],
        ["custom", "not_an_object"],
        ["email", "format"],
      ],
    ],
    ["lead", ["name,email,tags", `Nul,,${NUL}`, "Ada,ada@x.example,"], [["tags", "invalid_text"]]],
    ["deal", ["name,company,tags", `Nul,Harbour,${LONE}`, "Seats,Harbour,"], [["tags", "invalid_text"]]],
  ] as const) {
    const { body } = await sendFile(world, here, csv.join("\n"), { resource });
    await step(here, body.id);
    const errors = await errorsOf(world, here, body.id);
    expect(await get(here, body.id), JSON.stringify(errors)).toMatchObject({
      status: "completed",
      created: 1,
      failed: codes.length,
    });
    const first = errors.filter(({ row }, index) => errors.findIndex((other) => other.row === row) === index);
    expect(first.map(({ column, code }) => [column, code])).toEqual(codes);
  }
});

test("a column may have any name, also one that every object has", async () => {
  const here = await world.newPartner();
  const names = ["constructor", "toString", "__proto__", "hasOwnProperty", "prototype", "valueOf"];
  const csv = `name,phone,${names.join(",")}\nAda,+14155552671${",x".repeat(names.length)}\nBo,12${",x".repeat(names.length)}\n`;
  const { body, text } = await sendFile(world, here, csv);
  expect(body.unmapped_columns, text).toEqual(names);
  await step(here, body.id);
  expect(await get(here, body.id)).toMatchObject({ status: "completed", created: 1, failed: 1 });
  const mapping = JSON.stringify({ constructor: "notes" });
  const mapped = await sendFile(world, here, csv.replaceAll("5552671", "5552672"), { mapping });
  await step(here, mapped.body.id);
  const { body: list } = await world.call("GET", `${GENERAL}/contacts?sort=-created_at&limit=1`, { key: here.key });
  expect(list.data).toMatchObject([{ name: "Ada", notes: "x" }]);
});

test("a row with thousands of errors keeps the first of them", async () => {
  const here = await world.newPartner();
  const tags = `"[${Array.from({ length: 9_000 }, () => '""""').join(",")}]"`;
  const { body } = await sendFile(world, here, `name,phone,tags\nAda,+14155552671,${tags}\n`);
  await step(here, body.id);
  expect(await get(here, body.id)).toMatchObject({ status: "completed", failed: 1 });
  const errors = await errorsOf(world, here, body.id);
  expect(errors.length).toBeLessThanOrEqual(100);
  expect(await walk(world, here.key, `${GENERAL}/imports/${body.id}/errors`, { limit: 7 })).toEqual(errors);
});

test("an erasure leaves nothing of the person in the rows that failed, whatever the table", async () => {
  const here = await world.newPartner();
  const { id: account_id } = await world.newClient(here);
  const ada = { name: "Adaeze Marksworth", phone: "+14155550199", email: "adaeze@marks.example", external_id: "crm-marks-7" };
  const csv = [
    "First name,Last name,Phone,E-mail,external_id,Notes",
    "Adaeze,Marksworth,12,,,by name",
    ",,(415) 555-0199,x,,by phone",
    ",,,ADAEZE@marks.example,,by address",
    ",,,,crm-marks-7,by external id",
    ",,,,,wrote to adaeze@marks.example",
    "Bo,Ek,13,,,another",
  ].join("\n");
  for (const [resource, path] of [
    ["contact", "contacts"],
    ["lead", "leads"],
  ] as const) {
    const made = await world.call("POST", `${GENERAL}/${path}`, { key: here.key, body: { ...ada, account_id } });
    expect(made.status, made.text).toBe(201);
    const ids: string[] = [];
    for (const options of [{}, { dry_run: "true" }]) {
      const { body } = await sendFile(world, here, csv, { resource, account_id, ...options });
      while (await step(here, body.id));
      ids.push(body.id);
    }
    expect(await tablesWith(/marks/i)).toContain("import_errors");
    expect((await world.call("POST", `${GENERAL}/${path}/${made.body.id}/erase`, { key: here.key })).status).toBe(204);
    expect(await tablesWith(/marks|555-?0199/i)).toEqual([]);
    for (const id of ids) expect((await errorsOf(world, here, id)).map(({ row }) => row)).toContain(7);
  }
});

/** The tables with a row whose text matches. */
async function tablesWith(pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const name of Object.keys(TABLES)) {
    const rows = await world.db.sql<{ text: string }>(`select t::text as text from ${name} t`);
    if (rows.some(({ text }) => pattern.test(text))) found.push(name);
  }
  return found;
}

test("a revert removes what the import made and changed itself, and keeps what somebody changed since", async () => {
  const here = await world.newPartner();
  const again = "Person again,+14152000000\nPerson again,+14152000001\n";
  const { body } = await sendFile(world, here, `${csvOf(ROWS_PER_STEP)}${again}`, { mode: "upsert" });
  while (await step(here, body.id));
  expect(await get(here, body.id)).toMatchObject({ created: ROWS_PER_STEP, updated: 2 });
  const { data } = (await world.call("GET", `${GENERAL}/contacts?q=again`, { key: here.key })).body;
  const [kept] = data;
  const touched = await world.call("PATCH", `${GENERAL}/contacts/${kept.id}`, { key: here.key, body: { company: "Harbour" } });
  expect([kept.version, touched.status]).toEqual([2, 200]);
  await world.call("POST", `${GENERAL}/imports/${body.id}/revert`, { key: here.key });
  while (await step(here, body.id));
  expect(await get(here, body.id)).toMatchObject({
    status: "reverted",
    revert: { removed: ROWS_PER_STEP - 1, restored: 0, kept: 1 },
  });
  const { body: left } = await world.call("GET", `${GENERAL}/contacts`, { key: here.key });
  expect(left.data).toMatchObject([{ id: kept.id, name: "Person again", company: "Harbour", version: 3 }]);
});

test("a revert does not restore over a change that somebody made while the import ran", async () => {
  const here = await world.newPartner();
  const ada = await world.newContact(here, { name: "Ada", phone: "+14152000000" });
  const csv = `${csvOf(ROWS_PER_STEP)}Ada again,+14152000000\n`;
  const { body } = await sendFile(world, here, csv, { mode: "upsert" });
  await step(here, body.id);
  await world.call("PATCH", `${GENERAL}/contacts/${ada.id}`, { key: here.key, body: { company: "Harbour" } });
  while (await step(here, body.id));
  await world.call("POST", `${GENERAL}/imports/${body.id}/revert`, { key: here.key });
  while (await step(here, body.id));
  expect(await get(here, body.id)).toMatchObject({ status: "reverted", revert: { restored: 0, kept: 1 } });
  const { body: left } = await world.call("GET", `${GENERAL}/contacts/${ada.id}`, { key: here.key });
  expect(left).toMatchObject({ name: "Ada again", company: "Harbour" });
});

test("consents are imported with their source and time, kept in the history, and taken back", async () => {
  const here = await world.newPartner();
  const ada = await world.newContact(here, { name: "Ada", phone: "+14155552671" });
  const path = `${GENERAL}/contacts/${ada.id}/consent`;
  const given = { sms: { status: "granted", source: "Form" }, email: { status: "granted", source: "Form" } };
  expect((await world.call("PUT", path, { key: here.key, body: given })).status).toBe(200);
  const csv = [
    "name,phone,consent.sms,SMS consent source,consent.email,consent.calls,consent.calls.at",
    "Ada,+14155552671,denied,STOP by SMS,granted,,2026-01-31T10:00:00Z",
    "Bo,+14155552672,granted,Fair,unknown,denied,2026-01-31T10:00:00Z",
    "Cy,+14155552673,perhaps,,,granted,2036-01-31T10:00:00Z",
    "Di,+14155552674,,,,granted,2036-01-31T10:00:00Z",
  ].join("\n");
  const { body } = await sendFile(world, here, csv, { mode: "upsert" });
  expect(body.unmapped_columns).toEqual([]);
  await step(here, body.id);
  const errors = await errorsOf(world, here, body.id);
  expect(errors.map(({ row, column }) => [row, column])).toEqual([
    [4, "consent.sms"],
    [5, "consent.calls.at"],
  ]);
  expect(await get(here, body.id)).toMatchObject({ status: "completed", created: 1, updated: 1, failed: 2 });
  const { body: after } = await world.call("GET", path, { key: here.key });
  expect(after).toMatchObject({
    sms: { status: "denied", source: "STOP by SMS" },
    email: given.email,
    calls: { status: "unknown" },
  });
  expect(after.history).toHaveLength(3);
  const { data } = (await world.call("GET", `${GENERAL}/contacts?q=Bo`, { key: here.key })).body;
  const bo = (await world.call("GET", `${GENERAL}/contacts/${data[0].id}/consent`, { key: here.key })).body;
  expect(bo).toMatchObject({
    sms: { status: "granted", source: "Fair" },
    calls: { status: "denied", at: "2026-01-31T10:00:00.000Z" },
  });
  expect(bo.history).toHaveLength(2);
  const { text } = await world.call("GET", `${GENERAL}/contacts?format=csv`, { key: here.key });
  const again = await sendFile(world, here, text, { mode: "upsert" });
  await step(here, again.body.id);
  expect(await get(here, again.body.id)).toMatchObject({ unchanged: 2, failed: 0 });
  await world.call("POST", `${GENERAL}/imports/${body.id}/revert`, { key: here.key });
  while (await step(here, body.id));
  expect((await world.call("GET", path, { key: here.key })).body).toMatchObject(given);
});

const LEADS = [
  "name,phone,email,status,reason,tags,owner_id,external_id,country,utm_source,custom",
  "Ada,+14155552671,ada@x.example,working,,a;b,,l1,DE,spring,",
  "Bo,,bo@x.example,disqualified,no budget,,,,,,",
  "Cy,,,,,,usr_01jd3k5y5cf7m8n9p0q1r2s3t4,,,,",
  ",,,,,only tags,,,,,",
  "Di,12,,,,,,,,,",
  "Ada again,+14155552671,,,,,,,,,",
  'Ed,,ED@x.example,,,,,l2,,,"{""nothing"":1}"',
  "Fy,,fy@x.example,,,,,l2,,,",
  "Gus,,gus@x.example,new,not for this status,,,,,,",
];
const DEALS = [
  "name,company,amount_cents,currency,stage,lost_reason,contact.name,contact.email,tags,owner_id,contact_id,pipeline_id,external_id,expected_close_on,plan",
  "Seats,Harbour,120000,eur,Proposal,,Ada,ada@x.example,a;b,,,,d1,2027-01-31,",
  "More,,,,,,,,,,,,,,",
  "Won,Berg,100,,Won,,,,,,,,d2,,",
  "Lost,Berg,,,Lost,too dear,,,,,,,,,",
  "Nowhere,,,,Nowhere,,,,,,,,,,",
  "Owner,,,,,,,,,usr_01jd3k5y5cf7m8n9p0q1r2s3t4,,,,,",
  "Contact,,,,,,,,,,con_01jd3k5y5cf7m8n9p0q1r2s3t4,,,,",
  "Pipeline,,,,,,,,,,,pip_01jd3k5y5cf7m8n9p0q1r2s3t4,,,",
  "Plan,,,,,,,,,,,,,,gold",
  "Again,,,,,,,,,,,,d1,,",
];

test.each([
  ["leads", "lead", LEADS, 3],
  ["deals", "deal", DEALS, 4],
] as const)("%s that are imported together are the same as one by one", async (path, resource, [header, ...rows], created) => {
  const here = await world.newPartner();
  const results: Json[] = [];
  for (const files of [[rows], rows.map((row) => [row])]) {
    const { id: account_id } = await world.newClient(here);
    const failures: string[] = [];
    for (const lines of files) {
      const { body } = await sendFile(world, here, [header, ...lines].join("\n"), { resource, account_id });
      while (await step(here, body.id));
      const errors = await errorsOf(world, here, body.id);
      failures.push(...errors.map(({ column, code, value }) => [column, code, value].join(" ")));
    }
    const { body: list } = await world.call("GET", `${GENERAL}/${path}?account_id=${account_id}&sort=created_at`, here);
    const { body: feed } = await world.call("GET", `${GENERAL}/changes?resource=${resource}&account_id=${account_id}`, here);
    const histories = resource === "lead" ? [] : await historiesOf(here, list.data);
    results.push(JSON.parse(JSON.stringify({ failures, list, feed, histories }, withoutIds)));
  }
  expect(results[0].list.data).toHaveLength(created);
  expect(results[0]).toEqual(results[1]);
});

async function historiesOf(here: TestPartner, deals: Json[]): Promise<Json[]> {
  return Promise.all(deals.map(async ({ id }) => (await world.call("GET", `${GENERAL}/deals/${id}/history`, here)).body.data));
}

const VARYING = ["id", "account_id", "next_cursor", "pipeline_id", "stage_id", "to_stage_id"];
const withoutIds = (name: string, value: unknown) => (VARYING.includes(name) ? undefined : value);
