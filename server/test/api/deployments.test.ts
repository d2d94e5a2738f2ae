import { beforeAll, describe, expect, test } from "vitest";
import { deploymentJobs } from "../../src/features/snapshots/deployments/jobs.ts";
import { feed, walk } from "../harness/lists.ts";
import { pipeline, scoring, snapshotsOf, stage, V1, V2 } from "../harness/snapshots.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
const { call, rowsOf, liveOf, publish, push, deploy, rollback, install, pipelineNamed, editStages, create } = snapshotsOf(
  world,
  () => partner,
);

beforeAll(async () => {
  partner = await world.newPartner();
});

const DAY_MS = 86_400_000;
const newClient = async (fields: object = {}): Promise<string> => (await world.newClient(partner, fields)).id;
const counted = async (...tables: string[]) => {
  const counts = tables.map((table) => world.db.sql(`select count(*)::int as count from ${table}`));
  return (await Promise.all(counts)).map(([row]: Json[]) => row.count);
};
/** Everything that a deployment writes besides the configuration. */
const written = () =>
  counted(
    "deployments",
    "snapshot_installs",
    "snapshot_plans",
    "events",
    "audit_entries",
    "pipelines",
    "stages",
    "custom_fields",
  );
const codesOf = (conflicts: Json[]) => conflicts.map(({ key, code, path }: Json) => [key, code, path]);
const stagesOf = ({ stages }: Json) => stages.map(({ name, probability }: Json) => [name, probability]);

describe("a plan", () => {
  test("is what a deployment does: a dry run writes nothing, and its hash applies just that", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    const before = [await written(), await rowsOf(client, true)];
    const dry = await deploy(client, snapshot, { dry_run: true });
    expect([dry.status, dry.body.id, dry.body.status, dry.body.version]).toEqual([200, null, "planned", 1]);
    expect([await written(), await rowsOf(client, true)]).toEqual(before);
    const { status, body, headers } = await deploy(client, snapshot, { plan_hash: dry.body.plan_hash });
    expect([status, headers.location, body.status]).toEqual([201, `${BASE}/deployments/${body.id}`, "succeeded"]);
    const { id: _, status: __, created_at: ___, finished_at: ____, ...planned } = dry.body;
    expect(body).toMatchObject(planned);
    expect(body.counts).toMatchObject({ conflict: 0 });
    const { id, ...care } = await pipelineNamed(client, "Care");
    expect(care.stages.map(({ name, required_fields }: Json) => [name, required_fields])).toEqual([
      ["new", []],
      ["offer", ["custom.budget"]],
      ["won", []],
      ["lost", []],
    ]);
    expect((await call("GET", `${BASE}/deployments/${body.id}`)).body).toEqual(body);
    const live = await liveOf(client);
    expect([live.account_tags, live.message_templates, live.custom_fields].map((rows) => rows.length)).toEqual([1, 1, 1]);
  });

  test("that the account has left behind is not applied", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    await push(snapshot, ...V2);
    const { plan_hash } = (await deploy(client, snapshot, { dry_run: true })).body;
    await editStages(await pipelineNamed(client, "Care"), { offer: { probability: 55 } });
    const before = [await written(), await rowsOf(client, true)];
    const stale = await deploy(client, snapshot, { plan_hash });
    expect([stale.status, stale.body.code]).toEqual([409, "plan_stale"]);
    expect([await written(), await rowsOf(client, true)]).toEqual(before);
    const again = (await deploy(client, snapshot, { dry_run: true })).body.plan_hash;
    expect((await deploy(client, snapshot, { plan_hash: again })).status).toBe(201);
  });

  test("is the same for accounts in the same state, and each gets its own records", async () => {
    const snapshot = await publish(...V1);
    const clients = [await newClient(), await newClient()];
    const deployed = await Promise.all(clients.map((client) => install(client, snapshot)));
    expect(new Set(deployed.map(({ plan_hash }) => plan_hash)).size).toBe(1);
    const ids = await Promise.all(clients.map(async (client) => (await pipelineNamed(client, "Care")).id));
    expect(new Set(ids).size).toBe(2);
  });

  test("of a new account that nobody has used is the one of an account whose first pipeline was shown", async () => {
    const snapshot = await publish(pipeline("Sales", [stage("new")], { is_default: true }));
    const [unused, used] = [await newClient(), await newClient()];
    await pipelineNamed(used, "Sales");
    const [one, other] = await Promise.all([unused, used].map((client) => install(client, snapshot)));
    expect(one.plan_hash).toBe(other.plan_hash);
    for (const client of [unused, used]) {
      const second = await deploy(client, snapshot);
      expect([second.status, second.body.id]).toEqual([200, client === unused ? one.id : other.id]);
    }
  });
});

describe("a second deployment", () => {
  test("of the same version changes nothing, and answers with the one that stands", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    const first = await install(client, snapshot);
    const before = [await written(), await rowsOf(client, true)];
    const second = await deploy(client, snapshot);
    expect([second.status, second.body]).toEqual([200, first]);
    expect([await written(), await rowsOf(client, true)]).toEqual(before);
  });

  test("brings the next version: fields, order, new and removed records", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    const before = await pipelineNamed(client, "Care");
    expect(await push(snapshot, ...V2)).toBe(2);
    const { status, body } = await deploy(client, snapshot);
    expect([status, body.status, body.version, body.previous_version]).toEqual([201, "succeeded", 2, 1]);
    const after = await pipelineNamed(client, "Care");
    expect(after.id).toBe(before.id);
    expect(stagesOf(after)).toEqual([
      ["new", 20],
      ["check", 30],
      ["offer", 60],
      ["won", 100],
      ["lost", 0],
    ]);
    expect(after.stages[2].id).toBe(before.stages[1].id);
    const { account_tags, message_templates, custom_fields } = await liveOf(client);
    expect(account_tags).toEqual([]);
    expect(message_templates[0].text).toBe("Good day");
    expect(custom_fields.map(({ key, label }: Json) => [key, label]).toSorted()).toEqual([
      ["budget", "Budget"],
      ["source", "deal.source"],
    ]);
  });

  test("of rules that score leads rescores them at once, and so does a rollback", async () => {
    const client = await newClient();
    const lead = await world.newLead(partner, { account_id: client });
    const scored = async () => {
      const { rescoring } = (await call("GET", `${GENERAL}/leads/scoring?account_id=${client}`)).body;
      return [rescoring, (await call("GET", `${GENERAL}/leads/${lead.id}`)).body.score];
    };
    const always = (points: number) => scoring({ name: "Any", field: "status", op: "exists", value: null, points });
    const snapshot = await publish(always(35));
    const first = await install(client, snapshot);
    expect(await scored()).toEqual([false, 35]);
    await push(snapshot, always(45));
    const second = await install(client, snapshot);
    expect(await scored()).toEqual([false, 45]);
    await rollback(second.id);
    expect(await scored()).toEqual([false, 35]);
    await rollback(first.id);
    expect(await scored()).toEqual([false, lead.score]);
  });

  test("to an older version goes back", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await push(snapshot, ...V2);
    await install(client, snapshot);
    const { body } = await deploy(client, snapshot, { version: 1 });
    expect([body.status, body.version, body.previous_version]).toEqual(["succeeded", 1, 2]);
    expect(stagesOf(await pipelineNamed(client, "Care")).map(([name]: Json) => name)).toEqual(["new", "offer", "won", "lost"]);
  });
});

describe("what a client has changed", () => {
  /** An account with the first version, of which the client has changed what the second changes, too. */
  async function edited() {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    const care = await pipelineNamed(client, "Care");
    await editStages(care, { offer: { probability: 75 }, new: { target_days: 3 } }, [{ name: "Ours", type: "open" }]);
    await push(snapshot, ...V2);
    return { client, snapshot };
  }
  const both = [["care", "both_changed", "/stages/offer/probability"]];
  const order = ["Ours", "new", "check", "offer", "won", "lost"];

  test.each([
    ["merge", "partial", both, [20, 30, 75], 3],
    ["skip", "succeeded", [], [10, 75], 3],
    ["overwrite", "succeeded", [], [20, 30, 60], null],
  ])("with %s is %s", async (conflict_policy, status, conflicts, probabilities, target_days) => {
    const { client, snapshot } = await edited();
    const { body } = await deploy(client, snapshot, { conflict_policy });
    expect([body.status, codesOf(body.conflicts)]).toEqual([status, conflicts]);
    const { stages } = await pipelineNamed(client, "Care");
    const came = stages.filter(({ name }: Json) => ["new", "check", "offer"].includes(name));
    expect(came.map(({ probability }: Json) => probability)).toEqual(probabilities);
    expect(stages.map(({ name }: Json) => name)).toEqual(order.filter((name) => conflict_policy !== "skip" || name !== "check"));
    expect(stages[1].target_days).toBe(target_days);
    expect((await deploy(client, snapshot, { conflict_policy })).status).toBe(200);
  });

  test("with fail refuses the deployment with the conflicts, and nothing changes", async () => {
    const { client, snapshot } = await edited();
    const before = [await written(), await rowsOf(client, true)];
    const { status, body } = await deploy(client, snapshot, { conflict_policy: "fail" });
    expect([status, body.code, codesOf(body.conflicts)]).toEqual([409, "snapshot_conflict", both]);
    expect([await written(), await rowsOf(client, true)]).toEqual(before);
    const dry = await deploy(client, snapshot, { conflict_policy: "fail", dry_run: true });
    expect([dry.status, codesOf(dry.body.conflicts)]).toEqual([200, both]);
  });

  test("shows as drift where the snapshot is listed", async () => {
    const [client, other] = [await newClient(), await newClient()];
    const snapshot = await publish(...V1);
    await Promise.all([client, other].map((id) => install(id, snapshot)));
    const at = async (id: string) => (await call("GET", `${BASE}/clients/${id}/snapshots`)).body.data[0];
    expect(await at(client)).toMatchObject({ version: 1, latest_version: 1, drift: "none", differences: [] });
    await editStages(await pipelineNamed(client, "Care"), { offer: { probability: 75 } });
    expect(await at(client)).toMatchObject({
      drift: "modified",
      differences: [{ type: "pipeline", key: "care", drift: "modified" }],
    });
    const { id } = (await call("GET", `/v1/tags?account_id=${client}`)).body.data[0];
    expect((await call("DELETE", `/v1/tags/${id}`)).status).toBe(204);
    await push(snapshot, ...V2);
    await install(other, snapshot);
    const installs = await walk(world, partner.key, `/snapshots/${snapshot}/installs`, { limit: 1 });
    expect(
      installs.map(({ client_id, version, latest_version, drift }: Json) => [client_id, version, latest_version, drift]),
    ).toEqual([
      [client, 1, 2, "missing"],
      [other, 2, 2, "none"],
    ]);
    expect((await walk(world, partner.key, `/snapshots/${snapshot}/installs`, { version: 2 })).length).toBe(1);
  });

  test("a stage with deals that is no longer in the snapshot stays under every policy, and goes once it is empty", async () => {
    for (const conflict_policy of ["merge", "skip", "overwrite"]) {
      const [client, snapshot] = [await newClient(), await publish(pipeline("Care", [stage("new"), stage("offer")]))];
      await install(client, snapshot);
      const { id: pipeline_id } = await pipelineNamed(client, "Care");
      const deal = await create("/deals", { name: "One", account_id: client, pipeline_id, stage: "offer" });
      await push(snapshot, pipeline("Care", [stage("new")]));
      const { body } = await deploy(client, snapshot, { conflict_policy });
      expect([body.status, codesOf(body.conflicts)]).toEqual(["partial", [["care", "in_use", "/stages/offer"]]]);
      expect(body.conflicts[0].detail).toContain("1");
      expect(stagesOf(await pipelineNamed(client, "Care")).map(([name]: Json) => name)).toEqual(["new", "offer", "won", "lost"]);
      expect((await deploy(client, snapshot, { conflict_policy })).status).toBe(200);
      await call("POST", `/v1/deals/${deal.id}/stage`, { stage: "new" });
      expect((await deploy(client, snapshot, { conflict_policy })).body.status).toBe("succeeded");
      expect(stagesOf(await pipelineNamed(client, "Care")).map(([name]: Json) => name)).toEqual(["new", "won", "lost"]);
    }
  });

  test("records of its own are not touched, not even their version", async () => {
    const client = await newClient();
    await create("/pipelines", { name: "Own", account_id: client });
    await create("/custom-fields", { resource: "deal", key: "own", label: "Own", type: "text", account_id: client });
    const before = await rowsOf(client, true);
    const snapshot = await publish(...V1);
    await install(client, snapshot);
    await push(snapshot, ...V2);
    await install(client, snapshot, { conflict_policy: "overwrite" });
    const after = await rowsOf(client, true);
    for (const table of ["pipelines", "stages", "custom_fields"]) {
      const ids = new Set(before[table]?.map(({ id }) => id));
      expect(after[table]?.filter(({ id }) => ids.has(id))).toEqual(before[table]);
    }
  });
});

describe("a rollback", () => {
  test("brings back what was there, ids included, and repeating it changes nothing", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    await editStages(await pipelineNamed(client, "Care"), { new: { target_days: 3 } }, [{ name: "Ours", type: "open" }]);
    const before = await liveOf(client);
    await push(snapshot, ...V2);
    const { id } = await install(client, snapshot);
    const { status, body } = await rollback(id);
    expect([status, body.status, body.conflicts]).toEqual([200, "rolled_back", []]);
    expect(await liveOf(client)).toEqual(before);
    expect((await call("GET", `${BASE}/clients/${client}`)).body.snapshots).toEqual([
      { snapshot_id: snapshot, version: 1, status: "installed" },
    ]);
    const rows = await written();
    expect((await rollback(id)).body).toEqual(body);
    expect(await written()).toEqual(rows);
    const events = (await feed(world, partner.key)).filter(({ data }) => data.deployment_id === id);
    expect(events.map(({ data }) => [data.status, data.version, data.previous_version])).toEqual([
      ["succeeded", 2, 1],
      ["rolled_back", 2, 1],
    ]);
  });

  test("of a first deployment leaves nothing that it made, and one after the other goes back to the start", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await pipelineNamed(client, "Sales");
    await create("/deals", { name: "Elsewhere", account_id: client });
    const before = await liveOf(client);
    const first = await install(client, snapshot);
    await push(snapshot, ...V2);
    const second = await install(client, snapshot);
    expect((await rollback(first.id)).body).toMatchObject({ code: "deployment_not_revertible", reason: "superseded" });
    for (const { id } of [second, first]) expect((await rollback(id)).body.status).toBe("rolled_back");
    expect(await liveOf(client)).toEqual(before);
    expect((await call("GET", `${GENERAL}/pipelines?account_id=${client}&archived=true`)).body.data).toEqual([]);
    expect((await call("GET", `${BASE}/clients/${client}`)).body.snapshots).toEqual([]);
    expect((await call("GET", `${BASE}/clients/${client}/snapshots`)).body.data).toEqual([]);
    expect((await deploy(client, snapshot)).status).toBe(201);
  });

  test("keeps what the client has changed since, and lists it", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    await push(snapshot, ...V2);
    const { id } = await install(client, snapshot);
    await editStages(await pipelineNamed(client, "Care"), { offer: { probability: 75 } });
    const { body } = await rollback(id);
    expect([body.status, codesOf(body.conflicts)]).toEqual([
      "rolled_back",
      [["care", "both_changed", "/stages/offer/probability"]],
    ]);
    expect(stagesOf(await pipelineNamed(client, "Care"))).toEqual([
      ["new", 10],
      ["offer", 75],
      ["won", 100],
      ["lost", 0],
    ]);
  });

  test("is refused after 30 days, when what it needs is deleted", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    const { id } = await install(client, snapshot);
    world.clock.advance(-31 * DAY_MS);
    const old = await newClient();
    const { id: old_id } = await install(old, snapshot);
    world.clock.advance(31 * DAY_MS);
    expect((await rollback(old_id)).body).toMatchObject({ code: "deployment_not_revertible", reason: "too_old" });
    const [job] = deploymentJobs(world.app.services, "03:20");
    const { db } = world.app.services;
    await job?.run({ db, owner: db, clock: world.clock });
    const kept = await world.db.sql("select id, changed is not null as kept from deployments where id = any ($1) order by id", [
      [id, old_id],
    ]);
    expect(new Map(kept.map((row: Json) => [row.id, row.kept]))).toEqual(
      new Map([
        [id, true],
        [old_id, false],
      ]),
    );
    expect((await rollback(id)).status).toBe(200);
  });
});
