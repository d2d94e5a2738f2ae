import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { lowerCase } from "../../src/kernel/lower-case.ts";
import { auditLog, feed, walk } from "../harness/lists.ts";
import { newPerson } from "../harness/people.ts";
import { field, pipeline, snapshotsOf, stage, tag, template, V1, V2 } from "../harness/snapshots.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
const { call, liveOf, publish, push, deploy, rollback, install, pipelineNamed, patch, create } = snapshotsOf(
  world,
  () => partner,
);

beforeAll(async () => {
  partner = await world.newPartner();
});

const newClient = async (fields: object = {}): Promise<string> => (await world.newClient(partner, fields)).id;

describe("a new client", () => {
  const setDefaults = async (...default_snapshots: string[]) =>
    expect((await call("PATCH", `${BASE}/account`, { default_snapshots })).status).toBe(200);

  test("gets the defaults in one transaction, told in order", async () => {
    const fresh = await world.newPartner();
    const own = snapshotsOf(world, () => fresh);
    const ids = [
      await own.publish(pipeline("Sales", [stage("new")], { is_default: true })),
      await own.publish(tag("vip"), template("welcome")),
      await own.publish(field("lead.size")),
    ];
    await own.call("PATCH", `${BASE}/account`, { default_snapshots: ids });
    const { body } = await own.call("POST", `${BASE}/clients`, { company: "Harbour Dental" });
    expect(body.snapshots).toEqual(ids.map((snapshot_id) => ({ snapshot_id, version: 1, status: "installed" })));
    expect((await own.call("GET", `${BASE}/clients/${body.id}`)).body).toEqual(body);
    const events = await feed(world, fresh.key);
    expect(events.map(({ type }) => type)).toEqual(["client.created", "client.activated", ...ids.map(() => "snapshot.deployed")]);
    expect(events[0].data.snapshots).toEqual(ids);
    expect(events.slice(2).map(({ data }) => data.snapshot_id)).toEqual(ids);
    const transactions = await world.db.sql("select count(distinct xmin::text)::int as count from events where partner_id = $1", [
      fresh.partner_id,
    ]);
    expect(transactions).toEqual([{ count: 1 }]);
    const live = await own.liveOf(body.id);
    expect([live.pipelines.length, live.account_tags.length, live.custom_fields.length]).toEqual([1, 1, 1]);
    const pipelines = await walk(world, fresh.key, "/v1/pipelines", { account_id: body.id });
    expect(pipelines.map(({ name, is_default, stages }) => [name, is_default, stages.length])).toEqual([["Sales", true, 3]]);
    for (const snapshot_id of ids) expect((await own.deploy(body.id, snapshot_id)).status).toBe(200);
  });

  test("gets several snapshots as if they were deployed one after the other, their conflicts included", async () => {
    const first = await publish(...V1, pipeline("Sales", [stage("call")]));
    const second = await publish(...V2, tag("vip", { name: "VIP", description: "Second" }), pipeline("Own", [stage("new")]));
    const at_once = await newClient({ snapshots: [{ snapshot_id: first }, { snapshot_id: second }] });
    const in_turn = await newClient({ snapshots: [] });
    for (const id of [first, second]) await install(in_turn, id);
    const stepsOf = async (client_id: string) => {
      const made = await walk(world, partner.key, "/deployments", { client_id });
      const whole = await Promise.all(made.map(({ id }) => call("GET", `${BASE}/deployments/${id}`)));
      return whole.map(({ body: { status, steps, counts, conflicts } }) => ({ status, steps, counts, conflicts }));
    };
    const named = async (client_id: string) => {
      const withoutIds = ({ id: _, account_id: __, pipeline_id: ___, created_at: ____, ...row }: Json) => JSON.stringify(row);
      const live = Object.entries((await liveOf(client_id)) as Record<string, Json[]>);
      return live.map(([table, rows]) => [table, rows.map(withoutIds).toSorted()]);
    };
    expect((await stepsOf(at_once)).map(({ status }) => status)).toEqual(["partial", "succeeded"]);
    expect(await stepsOf(at_once)).toEqual(await stepsOf(in_turn));
    expect(await named(at_once)).toEqual(await named(in_turn));
    for (const id of [first, second]) expect((await deploy(at_once, id)).status).toBe(200);
  });

  test("gets what is asked for instead, or nothing", async () => {
    const snapshot = await publish(...V1);
    await setDefaults(snapshot);
    await push(snapshot, ...V2);
    const asked = await newClient({ snapshots: [{ snapshot_id: snapshot, version: 1 }] });
    const bare = await newClient({ snapshots: [] });
    const shown = async (id: string) => (await call("GET", `${BASE}/clients/${id}`)).body.snapshots;
    expect(await shown(asked)).toEqual([{ snapshot_id: snapshot, version: 1, status: "installed" }]);
    expect([await shown(bare), await pipelineNamed(bare, "Care")]).toEqual([[], undefined]);
    expect((await pipelineNamed(bare, "Sales")).is_default).toBe(true);
    await setDefaults();
    const refused = [[{ snapshot_id: newId("snapshot", 0) }], [{ snapshot_id: snapshot }, { snapshot_id: snapshot, version: 1 }]];
    for (const snapshots of refused) {
      const { status, body } = await call("POST", `${BASE}/clients`, { company: "No", snapshots });
      expect([status, body.code, body.errors.length]).toEqual([422, "validation_failed", 1]);
    }
    const unknown = await call("POST", `${BASE}/clients`, { company: "No", snapshots: [{ snapshot_id: snapshot, version: 9 }] });
    expect([unknown.status, unknown.body.code]).toEqual([422, "snapshot_not_deployable"]);
    const key = await world.newKey(partner, { scopes: ["clients:write"] });
    const { status, body } = await call("POST", `${BASE}/clients`, { company: "No", snapshots: [] }, key);
    expect([status, body.required_scope]).toEqual([403, "snapshots:deploy"]);
  });

  test("is created without a default that cannot be deployed any more, which is audited", async () => {
    const [gone, kept] = [await publish(tag("a")), await publish(tag("b"))];
    await setDefaults(gone, kept);
    await world.db.sql("update snapshots set status = 'archived' where id = $1", [gone]);
    const client = await newClient();
    expect((await call("GET", `${BASE}/clients/${client}`)).body.snapshots).toEqual([
      { snapshot_id: kept, version: 1, status: "installed" },
    ]);
    const denied = (await auditLog(world, partner.key, { client_id: client })).filter(({ outcome }) => outcome === "denied");
    expect(denied.map(({ action, target, code }) => [action, target, code])).toEqual([
      ["snapshots.deploy", gone, "snapshot_not_deployable"],
    ]);
    await setDefaults();
  });

  test("of a won deal gets the defaults before the deal is told", async () => {
    const fresh = await world.newPartner();
    const own = snapshotsOf(world, () => fresh);
    const id = await own.publish(tag("vip"));
    await own.call("PATCH", `${BASE}/account`, { default_snapshots: [id] });
    const sale = { name: "Sale", company: "Quay Legal", plan: "Growth", mrr_cents: 100, stage: "Won" };
    const { body } = await own.call("POST", `${BASE}/deals`, sale);
    const told = (await feed(world, fresh.key)).filter(({ data }) => data.client_id === body.client_id).map(({ type }) => type);
    const wanted = ["client.created", "client.activated", "snapshot.deployed", "deal.won"];
    expect(told.filter((type) => wanted.includes(type))).toEqual(wanted);
  });

  test("with more than 200 assets is left to the worker", async () => {
    const many = await publish(...Array.from({ length: 201 }, (_, index) => tag(`tag-${index}`)));
    const client = await newClient({ snapshots: [{ snapshot_id: many }] });
    expect((await call("GET", `${BASE}/clients/${client}`)).body.snapshots).toEqual([
      { snapshot_id: many, version: 1, status: "queued" },
    ]);
    const queued = await walk(world, partner.key, "/deployments", { client_id: client });
    expect(queued.map(({ status, steps }) => [status, steps])).toEqual([["queued", undefined]]);
  });

  test("is found by its snapshot and version", async () => {
    const snapshot = await publish(...V1);
    const [one, two] = [await newClient(), await newClient()];
    await install(one, snapshot);
    await push(snapshot, ...V2);
    await install(two, snapshot);
    const found = async (query: Record<string, string | number>) =>
      (await walk(world, partner.key, "/clients", query)).map(({ id }) => id).toSorted();
    expect(await found({ snapshot_id: snapshot })).toEqual([one, two].toSorted());
    expect(await found({ snapshot_id: snapshot, version: 2 })).toEqual([two]);
    const installs = (query: string) => call("GET", `${BASE}/snapshots/${snapshot}/installs?limit=1${query}`);
    const { next_cursor } = (await installs("")).body;
    expect((await installs(`&version=2&cursor=${next_cursor}`)).body.code).toBe("invalid_cursor");
    const alone = await call("GET", `${BASE}/clients?version=2`);
    expect([alone.status, alone.body.code]).toEqual([400, "invalid_parameter"]);
  });
});

/** Letters of Unicode 16, which PostgreSQL before 18 and the C library of many systems do not know. */
const TOO_NEW = ["\u1c89"];

describe("names", () => {
  test("are the same for a plan as for the database, in every script", async () => {
    const names = ["ΟΔΟΣ", "İstanbul", "Straße"];
    const client = await newClient();
    for (const name of ["οδοσ", "istanbul", "straße", "STRASSE"]) await create("/tags", { name, account_id: client });
    const snapshot = await publish(...names.map((name, index) => tag(`t${index}`, { name })));
    const { steps } = await install(client, snapshot);
    expect(steps.map(({ action }: Json) => action)).toEqual(names.map(() => "adopt"));
    expect((await liveOf(client)).account_tags.length).toBe(4);
    const letters = Array.from({ length: 0x2500 - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)).filter(
      (letter) => !TOO_NEW.includes(letter),
    );
    const [row] = await world.db.sql(
      "select array(select lower(l) from unnest($1::text[]) with ordinality as v (l, n) order by n) as low",
      [letters],
    );
    expect(letters.map(lowerCase)).toEqual(row?.low);
  });
});

describe("access", () => {
  test("is that of the key: its client, its partner, its scope", async () => {
    const [client, other] = [await newClient(), await newClient()];
    const snapshot = await publish(...V1);
    const bound = await world.newKey(partner, { clients: [client] });
    const stranger = (await world.newPartner()).key;
    const reader = await world.newKey(partner, { scopes: ["snapshots:read", "clients:read"] });
    const deployed = await deploy(client, snapshot, {}, bound);
    expect(deployed.status).toBe(201);
    expect((await deploy(other, snapshot, {}, bound)).status).toBe(404);
    const { id } = await install(other, snapshot);
    for (const key of [bound, stranger]) {
      expect((await deploy(other, snapshot, {}, key)).status).toBe(404);
      expect((await call("GET", `${BASE}/deployments/${id}`, undefined, key)).status).toBe(404);
      expect((await call("GET", `${BASE}/clients/${other}/snapshots`, undefined, key)).status).toBe(404);
      expect((await rollback(id, key)).status).toBe(404);
    }
    expect((await walk(world, bound, "/deployments")).map((one) => one.id)).toEqual([deployed.body.id]);
    expect((await walk(world, bound, `/snapshots/${snapshot}/installs`)).map((one) => one.client_id)).toEqual([client]);
    expect((await deploy((await world.newClient({ partner_id: "", key: stranger })).id, snapshot, {}, stranger)).status).toBe(
      404,
    );
    for (const reply of [await deploy(client, snapshot, {}, reader), await rollback(id, reader)])
      expect([reply.status, reply.body.required_scope]).toEqual([403, "snapshots:deploy"]);
    const person = await newPerson(world, partner, { role: "read_only" });
    const read = await person.call("POST", `${BASE}/clients/${client}/snapshots`, { body: { snapshot_id: snapshot } });
    expect([read.status, read.body.code]).toEqual([403, "insufficient_scope"]);
  });

  test("ends with a suspension: nothing is deployed, planned or rolled back", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    const { id } = await install(client, snapshot);
    await call("POST", `${BASE}/clients/${client}/suspend`);
    for (const reply of [await deploy(client, snapshot), await deploy(client, snapshot, { dry_run: true }), await rollback(id)])
      expect([reply.status, reply.body.code]).toEqual([409, "client_inactive"]);
  });

  test("needs a version that can be deployed: drafts never, deprecated ones only where they run", async () => {
    const [runs, client] = [await newClient(), await newClient()];
    const snapshot = await publish(...V1);
    await install(runs, snapshot);
    await push(snapshot, ...V2);
    await call("PATCH", `${BASE}/snapshots/${snapshot}`, { status: "deprecated" });
    expect((await deploy(client, snapshot)).body).toMatchObject({ code: "snapshot_not_deployable", reason: "deprecated" });
    expect((await deploy(runs, snapshot)).status).toBe(201);
    expect((await deploy(runs, snapshot, { version: 7 })).body).toMatchObject({
      code: "snapshot_not_deployable",
      reason: "no_version",
    });
  });
});

describe("at the same time", () => {
  test("two deployments to one client happen one after the other, whichever version is first", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await push(snapshot, ...V2);
    const replies = await Promise.all([1, 2, 1, 2].map((version) => deploy(client, snapshot, { version })));
    expect(replies.map(({ status }) => status).every((status) => status === 200 || status === 201)).toBe(true);
    const applied = (await walk(world, partner.key, "/deployments", { client_id: client })).reverse();
    for (const [index, { previous_version }] of applied.entries())
      expect(previous_version).toBe(index === 0 ? null : applied[index - 1].version);
  });

  test("the client's staff edit and lose nothing", async () => {
    const [client, snapshot] = [await newClient(), await publish(...V1)];
    await install(client, snapshot);
    await push(snapshot, ...V2);
    const { id } = await pipelineNamed(client, "Care");
    const made = Array.from({ length: 6 }, (_, index) => create("/tags", { name: `Own ${index}`, account_id: client }));
    const [renamed, ...replies] = await Promise.all([
      patch(`/pipelines/${id}`, { name: "Ours" }),
      deploy(client, snapshot),
      deploy(client, snapshot, { version: 1 }),
      ...made,
    ]);
    expect(renamed.name).toBe("Ours");
    expect(replies.filter((reply) => "status" in reply && reply.status > 201)).toEqual([]);
    expect((await pipelineNamed(client, "Ours")).id).toBe(id);
    const { account_tags } = await liveOf(client);
    expect(account_tags.filter(({ name }: Json) => name.startsWith("Own")).length).toBe(6);
  });
});
