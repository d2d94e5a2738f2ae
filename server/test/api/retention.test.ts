import { beforeAll, expect, test } from "vitest";
import { QUALIFY_LEADS } from "../../src/features/agents/engine/index.ts";
import { sandboxJobs } from "../../src/features/agents/sandbox/jobs.ts";
import { suiteJobs } from "../../src/features/agents/suites/jobs.ts";
import { paymentJobs } from "../../src/features/billing/payments/jobs.ts";
import { feature as imports, workImport } from "../../src/features/crm/imports/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { agentsOf } from "../harness/agents.ts";
import { errorsOf, sendFile } from "../harness/imports.ts";
import { GENERAL, type Json, keptDaysAgo, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
let partner: TestPartner;
let agent: Json;
const { call, newAgent } = agentsOf(world, () => partner);

beforeAll(async () => {
  partner = await world.newPartner();
  agent = await newAgent((await world.newClient(partner)).id, QUALIFY_LEADS);
});

async function runJob(name: string): Promise<void> {
  const { services } = world.app;
  const jobs = [
    ...sandboxJobs(services, "03:00"),
    ...suiteJobs(services, "03:00"),
    ...paymentJobs(services),
    ...(imports.jobs?.(services, "03:00") ?? []),
  ];
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  await job.run({ db: services.db, owner: services.db, clock: world.clock });
}

/** What is there at the end of its time and after the job, and a moment later. */
async function atItsEnd(name: string, after_ms: number, look: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  world.clock.advance(after_ms);
  for (const _ of ["at the end", "later"]) {
    await runJob(name);
    seen.push(await look());
    world.clock.advance(1);
  }
  return seen;
}

test("a run in the sandbox whose process has ended is given up after ten minutes, and deleted after 30 days", async () => {
  const { body } = await call("POST", `/agents/${agent.id}/sandbox`, { messages: [{ text: "Hi" }] });
  await expect.poll(async () => (await call("GET", `/sandbox-runs/${body.id}`)).body.status).toBe("completed");
  const state = async () =>
    (await world.db.sql<{ status: string }>("select status from sandbox_runs where id = $1", [body.id]))[0];
  await world.db.sql("update sandbox_runs set status = 'running', created_at = $2 where id = $1", [body.id, world.clock.now()]);
  expect(await atItsEnd("sandbox_lost_runs", 10 * MINUTE_MS, state)).toEqual([{ status: "running" }, { status: "error" }]);
  await world.db.sql("update sandbox_runs set created_at = $2 where id = $1", [body.id, world.clock.now()]);
  expect(await atItsEnd("sandbox_retention", 30 * DAY_MS, state)).toEqual([{ status: "error" }, undefined]);
});

test("a run of tests is deleted after 90 days", async () => {
  const added = await call("POST", `/agents/${agent.id}/tests`, {
    name: "Greets",
    request: { messages: [{ text: "Hi" }], assert: [{ type: "handed_off", value: false }] },
  });
  expect(added.status).toBe(201);
  const { body: run } = await call("POST", `/agents/${agent.id}/test-runs`, {});
  const status = async () => (await call("GET", `/test-runs/${run.id}`)).status;
  expect(await atItsEnd("test_run_retention", 90 * DAY_MS, status)).toEqual([200, 404]);
});

test("what a payment provider told is forgotten after 30 days", async () => {
  await world.db.sql(
    "insert into provider_events (partner_id, provider_id, event_id, type, handled_at) values ($1, 'pvd_1', 'evt_1', 'charge.paid', $2)",
    [partner.partner_id, world.clock.now()],
  );
  const known = async () =>
    (await world.db.sql("select 1 from provider_events where partner_id = $1", [partner.partner_id])).length;
  expect(await atItsEnd("provider_events_forgotten", 30 * DAY_MS, known)).toEqual([1, 0]);
});

test("what failed in an import, and what its revert needs, is kept for 30 days", async () => {
  const [old, young] = [await endedImport(31), await endedImport(29)];
  await runJob("import_retention");
  const kept = async (id: string) => {
    const [images] = await world.db.sql("select count(*)::int from record_images where source_id = $1", [id]);
    return [(await errorsOf(world, partner, id)).length, images?.count];
  };
  expect([await kept(old), await kept(young)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  const { body } = await world.call("POST", `${GENERAL}/imports/${old}/revert`, { key: partner.key });
  expect([body.code, body.reason]).toEqual(["import_not_revertible", "too_old"]);
});

/** An import that changed a contact and failed in one row, and that ended some days ago. */
async function endedImport(days: number): Promise<string> {
  const { phone } = await world.newContact(partner);
  const { body } = await sendFile(world, partner, `name,phone\nAda Berg,${phone}\nBo,12\n`, { mode: "upsert" });
  await workImport(world.app.services, { partner_id: partner.partner_id, id: body.id });
  await world.db.sql("update imports set finished_at = $2 where id = $1", [body.id, keptDaysAgo(world, days)]);
  return body.id;
}

test("the pieces of a file whose upload broke off are kept for a day, those of an import for as long as it runs", async () => {
  const hoursAgo = (hours: number) => newId("import", keptDaysAgo(world, hours / 24).getTime());
  const [old, young] = [hoursAgo(25), hoursAgo(23)];
  const { body } = await sendFile(world, partner, "name,phone\nAda,+14155552671\n");
  const queued = hoursAgo(26);
  await world.db.sql("update imports set id = $2 where id = $1", [body.id, queued]);
  await world.db.sql("update import_chunks set import_id = $2 where import_id = $1", [body.id, queued]);
  for (const id of [old, young])
    await world.db.sql("insert into import_chunks (partner_id, import_id, ordinal, data) values ($1, $2, 0, '')", [
      partner.partner_id,
      id,
    ]);
  await runJob("import_retention");
  const left = await world.db.sql("select import_id from import_chunks where import_id = any ($1)", [[old, young, queued]]);
  expect(left.map(({ import_id }) => import_id)).toEqual([queued, young]);
});
