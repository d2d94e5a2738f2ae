import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { expect, onTestFinished, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { administer } from "../harness/database.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { GENERAL, type Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

/** The suite runs it small; IMPORT_ROWS sets another size by hand. */
const ROWS = Number(process.env.IMPORT_ROWS ?? sized(4_000, 10_000));
const FAULTY_EVERY = 100;
const KNOWN = 300;
const TIMEOUT_MS = 600_000 * Math.max(1, ROWS / 50_000);

/** Only the worker is killed: what is sent and asked goes to a process that lives. */
const cluster = useCluster(1, { ROLE: "api" });

const phoneOf = (index: number) => `+1415${String(2_000_000 + index)}`;
const isFaulty = (index: number) => index % FAULTY_EVERY === 7;

function fileOfRows(): string {
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const phone = isFaulty(index) ? "12" : phoneOf(index);
    return `"Person ${index}, the ""${index}th""",${phone},person${index}@import.example,Company ${index % 50},imported;${index % 7}\r\n`;
  });
  return `name,phone,email,company,tags\r\n${lines.join("")}`;
}

async function getImport(id: string): Promise<Json> {
  return (await cluster.service(0).call("GET", `${GENERAL}/imports/${id}`, { key: cluster.key })).body;
}

const doneOf = ({ processed, revert }: Json) => processed + (revert?.removed ?? 0) + (revert?.restored ?? 0);

/** Every statement that writes contacts passes a gate. While it is shut, a worker stands in the middle of a transaction. */
const GATE = 7_214_999;
const waiting = `from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`;

async function makeGate() {
  await cluster.db.sql(`
    create function pass_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end'`);
  await cluster.db.sql("create trigger gate after insert or update on contacts for each statement execute function pass_gate()");
  const { holders } = cluster.db;
  const keepers = await Promise.all(holders.map((port) => cluster.db.connect(port)));
  onTestFinished(async () => void (await Promise.all(keepers.map((keeper) => keeper.end()))));
  const atEach = (text: string) => Promise.all(keepers.map((keeper) => keeper.query(text)));
  return {
    shut: () => atEach(`select pg_advisory_lock(${GATE})`),
    open: () => atEach(`select pg_advisory_unlock(${GATE})`),
    /** Whoever waits passes, and what comes after it waits again: locks are given in the order of asking. */
    letPass: () => atEach(`select pg_advisory_unlock(${GATE}); select pg_advisory_lock(${GATE})`),
    reached: () =>
      eventually("a worker at the gate", async () =>
        (await atEach(`select 1 ${waiting}`)).some(({ rowCount }) => rowCount === 1) ? true : null,
      ),
    /** As the database does once it has noticed that its client is gone. */
    clear: async () => {
      for (const port of holders)
        await administer((session) => session.query(`select pg_terminate_backend(pid, 60000) ${waiting}`), port);
    },
  };
}

type Gate = Awaited<ReturnType<typeof makeGate>>;

/** Kills a worker in the middle of its first batch, and another one in the middle of its second. */
async function killAtGate(gate: Gate): Promise<number> {
  await gate.shut();
  for (const batches of [0, 1]) {
    const worker = await cluster.start({ ROLE: "worker" });
    await gate.reached();
    if (batches > 0) {
      await gate.letPass();
      await gate.reached();
    }
    await worker.kill();
    await gate.clear();
  }
  await gate.open();
  return 2;
}

/** Has workers work on it until it is through: two are killed in the middle of a batch, others a moment after they have got somewhere. */
async function workUnderFire(id: string, gate: Gate): Promise<{ over: Json; kills: number; peak_kb: number }> {
  let kills = await killAtGate(gate);
  let peak_kb = 0;
  for (;;) {
    const worker: ServiceProcess = await cluster.start({ ROLE: "worker" });
    const before = doneOf(await getImport(id));
    await eventually("the work to go on", async () => {
      const now = await getImport(id);
      return doneOf(now) > before || !["queued", "running", "reverting"].includes(now.status) || null;
    });
    if (kills < 6) await sleep(randomInt(1, 60));
    else
      await eventually(
        "the end",
        async () => (["queued", "running", "reverting"].includes((await getImport(id)).status) ? null : true),
        TIMEOUT_MS,
      );
    peak_kb = Math.max(peak_kb, await peakMemory(worker.pid));
    await worker.kill();
    const now = await getImport(id);
    if (!["queued", "running", "reverting"].includes(now.status)) return { over: now, kills, peak_kb };
    kills += 1;
  }
}

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
}

/** What an account's contacts are, apart from how often they were changed. */
const CONTACTS = `
  select id, name, phone, email, company, tags, notes, custom, owner_id, external_id, consent from contacts
  where partner_id = $1 and deleted_at is null order by id`;

/** A worker has other work as well, which tells changes of its own: only those of contacts are the import's. */
const CHANGES_OF_CONTACTS = "select 1 from change_feed where subject like 'con\\_%'";

test("kill -9 of the worker in the middle of an import and of its revert: nothing twice, nothing left out, and back to where it was", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { db, key, partner_id } = cluster;
  const call = (method: string, path: string, body?: object) =>
    cluster.service(0).call(method, `${GENERAL}${path}`, { key, ...(body === undefined ? {} : { body }) });
  const contacts = Array.from({ length: KNOWN }, (_, index) => ({
    name: `Known ${index}`,
    phone: phoneOf(index * 3),
    notes: "Before.",
  }));
  expect((await call("POST", "/contacts/bulk", { action: "create", contacts })).body.succeeded).toBe(KNOWN);
  const before = await db.sql(CONTACTS, [partner_id]);
  const seen_changes = (await db.sql(CHANGES_OF_CONTACTS)).length;

  const sent = await fetch(`${cluster.service(0).base_url}${GENERAL}/imports?mode=upsert`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "text/csv" },
    body: fileOfRows(),
  });
  expect(sent.status).toBe(202);
  const { id } = (await sent.json()) as { id: string };
  const gate = await makeGate();
  const { over, kills, peak_kb } = await workUnderFire(id, gate);
  if (process.env.IMPORT_ROWS !== undefined) process.stdout.write(`${kills} workers killed, the largest had ${peak_kb} KB\n`);

  const faulty = Array.from({ length: ROWS }, (_, index) => index).filter(isFaulty);
  const updated = Array.from({ length: KNOWN }, (_, index) => index * 3).filter((index) => !isFaulty(index)).length;
  expect(over).toMatchObject({ status: "completed", total: ROWS, processed: ROWS, updated, failed: faulty.length, unchanged: 0 });
  expect(over.created).toBe(ROWS - updated - faulty.length);
  const [there] = await db.sql<{ count: number; phones: number }>(
    "select count(*)::int as count, count(distinct phone)::int as phones from contacts where partner_id = $1 and 'imported' = any (tags)",
    [partner_id],
  );
  expect(there).toEqual({ count: ROWS - faulty.length, phones: ROWS - faulty.length });
  const told = await db.sql<{ change: string; count: number }>(
    "select change, count(distinct subject)::int as count from change_feed where subject like 'con%' group by change, subject_version having count(*) = count(distinct subject) order by 1",
  );
  expect((await db.sql(CHANGES_OF_CONTACTS)).length - seen_changes).toBe(ROWS - faulty.length);
  expect(told.find(({ change }) => change === "updated")?.count).toBe(updated);
  const file = await call("GET", `/imports/${id}/failed-rows`);
  const [names, ...rows] = parse(file.text) as string[][];
  expect(names).toEqual(["name", "phone", "email", "company", "tags", "error"]);
  expect(rows.map(([name, phone]) => [name, phone])).toEqual(faulty.map((index) => [`Person ${index}, the "${index}th"`, "12"]));
  expect(await db.sql("select 1 from import_chunks")).toEqual([]);

  expect((await call("POST", `/imports/${id}/revert`)).status).toBe(202);
  const { over: reverted } = await workUnderFire(id, gate);
  expect(reverted).toMatchObject({ status: "reverted", revert: { removed: over.created, restored: updated, kept: 0 } });
  expect(await db.sql(CONTACTS, [partner_id])).toEqual(before);
});
