import { describe, expect, test } from "vitest";
import { untilWaiting, useHolds } from "../harness/holds.ts";
import { feed } from "../harness/lists.ts";
import { expectSum, rolloutsOf } from "../harness/rollouts.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

/** Nobody works on rollouts here but the tests themselves, batch by batch. */
const world = useWorld({}, "api");
const { errors, post, step, work, newScene, newVersion, start, act, get, members, configuration, obstruct } = rolloutsOf(world);
const hold = useHolds(() => world.db.connect());

const V1 = { label: "Budget v1", stages: ["due v1", "kept v1", "gone v1"] };
const V2 = { label: "Budget v2", stages: ["due v2", "kept v2", "gone v2"] };
const NONE = { label: null, stages: null };
const statusesOf = async (here: TestPartner, id: string) =>
  Object.fromEntries((await members(here, id)).map(({ client_id, status }) => [client_id, status]));

async function told(here: TestPartner): Promise<Json[]> {
  const events = await feed(world, here.key, "type=snapshot.deployed");
  return events.map(({ data }: Json) => data).filter(({ scope }: Json) => scope === "rollout");
}

describe("a rollout", () => {
  test("deploys to every active client, the canary first, and says how far it is", async () => {
    const { here, clients, snapshot_id } = await newScene(12);
    await post(here, `/clients/${clients[3]}/suspend`, { reason: "Late" });
    const made = await start(here, snapshot_id);
    expect(made).toMatchObject({
      status: "queued",
      version: 1,
      total: 11,
      canary_members: 1,
      canary: { count: 1 },
      counts: { queued: 11 },
    });
    const seen = [made];
    while (await step(here)) seen.push(await get(here, made.id));
    for (const one of seen) expectSum(one);
    expect(seen.map(({ status, counts }) => [status, counts.succeeded])).toEqual([
      ["queued", 0],
      ["canary", 0],
      ["running", 1],
      ["completed", 11],
    ]);
    expect(seen[2]?.canary_counts).toMatchObject({ succeeded: 1, queued: 0 });
    const { body: pace } = await world.call("GET", `${BASE}/rollouts/${made.id}/pace`, { key: here.key });
    expect(pace.minutes.reduce((sum: number, { clients: done }: Json) => sum + done, 0)).toBe(11);
    expect(pace).toMatchObject({ rollout_id: made.id, canary_done_at: expect.any(String), minutes: [{ failed: 0 }] });
    for (const id of clients.filter((_, index) => index !== 3)) expect(await configuration(here, id)).toEqual(V1);
    expect(await configuration(here, clients[3] ?? "")).toEqual(NONE);
    expect(await told(here)).toEqual([
      expect.objectContaining({
        rollout_id: made.id,
        status: "succeeded",
        version: 1,
        counts: expect.objectContaining({ succeeded: 11 }),
      }),
    ]);
    expect(errors).toEqual([]);
  });

  test("has the members that it was created with, and skips those that were suspended meanwhile", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    const { id } = await start(here, snapshot_id);
    const late = await world.newClient(here);
    await post(here, `/clients/${clients[1]}/suspend`, { reason: "Late" });
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "completed", total: 3, counts: { succeeded: 2, skipped: 1 } });
    expect(await members(here, id, "&status=skipped")).toEqual([
      expect.objectContaining({ client_id: clients[1], failure: expect.objectContaining({ code: "client_inactive" }) }),
    ]);
    expect(await configuration(here, late.id)).toEqual(NONE);
  });

  test("goes to the clients that are named, or that a filter finds, or that run the snapshot", async () => {
    const { here, clients, snapshot_id } = await newScene(4);
    await world.call("PATCH", `${BASE}/clients/${clients[0]}`, {
      key: here.key,
      body: { tags: ["first"] },
      headers: { "if-match": "*" },
    });
    const filtered = await start(here, snapshot_id, { target: { filter: { tag: ["first"] } } });
    expect((await members(here, filtered.id)).map(({ client_id }) => client_id)).toEqual([clients[0]]);
    const named = await start(here, snapshot_id, { target: { client_ids: [clients[2], clients[1]] } });
    await work(here);
    expect((await members(here, named.id)).map(({ client_id }) => client_id)).toEqual([clients[1], clients[2]]);
    const installed = await start(here, snapshot_id, { target: "installed" });
    expect(installed.total).toBe(3);
    await work(here);
    expect(await get(here, installed.id)).toMatchObject({ status: "completed", counts: { unchanged: 3 } });
    const list = await world.call("GET", `${BASE}/rollouts?status=completed&snapshot_id=${snapshot_id}`, { key: here.key });
    expect(list.body.data.map(({ id }: Json) => id)).toEqual([installed.id, named.id, filtered.id]);
  });

  test("is refused for the house account, for others' clients, for none, and for a canary that is not in it", async () => {
    const { here, clients, snapshot_id } = await newScene(1);
    const other = await world.newClient(await world.newPartner());
    const house = await world.call("GET", `${BASE}/clients?include_house=true`, { key: here.key });
    const house_id = house.body.data.find(({ id }: Json) => id !== clients[0]).id;
    for (const client_id of [other.id, house_id]) {
      const { status, body } = await post(here, `/snapshots/${snapshot_id}/rollouts`, {
        target: { client_ids: [clients[0], client_id] },
      });
      expect([status, body.errors[0]]).toMatchObject([422, { pointer: "#/target/client_ids/1", code: "unknown_client" }]);
    }
    const none = await post(here, `/snapshots/${snapshot_id}/rollouts`, { target: { filter: { tag: ["nobody"] } } });
    expect(none.body.errors[0]).toMatchObject({ pointer: "#/target", code: "no_clients" });
    const canary = await post(here, `/snapshots/${snapshot_id}/rollouts`, { target: "all", canary: { client_ids: [other.id] } });
    expect(canary.body.errors[0]).toMatchObject({ pointer: "#/canary/client_ids/0", code: "not_in_target" });
  });

  test("is one of five at most that are worked on", async () => {
    const { here, snapshot_id } = await newScene(1);
    const ask = () => post(here, `/snapshots/${snapshot_id}/rollouts`, { target: "all" });
    const asked = await Promise.all(Array.from({ length: 7 }, ask));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 202, 202, 409, 409]);
    const first = asked.find(({ status }) => status === 202)?.body.id;
    await act(here, first, "pause");
    const sixth = await ask();
    expect(sixth.status).toBe(202);
    const { status, body } = await post(here, `/rollouts/${first}/resume`);
    expect([status, body.code, body.limit]).toEqual([409, "rollout_limit_reached", 5]);
  });
});

describe("a canary", () => {
  test("that fails halts the rollout, and nobody else is touched", async () => {
    const { here, clients, snapshot_id } = await newScene(12);
    const [bad = "", ...others] = clients;
    await obstruct(here, bad);
    const { id } = await start(here, snapshot_id, { conflict_policy: "fail", canary: { client_ids: [bad] } });
    await work(here);
    const halted = await get(here, id);
    expect(halted).toMatchObject({ status: "halted", status_reason: "too_many_failures", counts: { failed: 1, queued: 11 } });
    expect(await members(here, id, "&status=failed")).toEqual([
      expect.objectContaining({ client_id: bad, canary: true, failure: expect.objectContaining({ code: "snapshot_conflict" }) }),
    ]);
    for (const one of others) expect(await configuration(here, one)).toEqual(NONE);
    expect(await told(here)).toEqual([
      expect.objectContaining({ status: "halted", counts: expect.objectContaining({ queued: 11 }) }),
    ]);
    expect(await step(here)).toBe(false);

    await act(here, id, "resume", { max_failure_percent: 100 });
    await work(here);
    expect(await get(here, id)).toMatchObject({
      status: "completed_with_errors",
      max_failure_percent: 100,
      counts: { failed: 1, succeeded: 11 },
    });
    expect((await told(here)).map(({ status }) => status)).toEqual(["halted", "partial"]);
  });

  test("that failed is tried again once its fault is mended, and nobody who had it gets it twice", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    await obstruct(here, clients[0] ?? "");
    const { id } = await start(here, snapshot_id, { conflict_policy: "fail", max_failure_percent: 100 });
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "completed_with_errors", counts: { failed: 1, succeeded: 2 } });
    const before = await members(here, id, "&status=succeeded");
    await world.db.sql("delete from custom_fields where account_id = $1", [clients[0]]);
    expect(await act(here, id, "retry")).toMatchObject({
      status: "running",
      counts: { failed: 0, queued: 1 },
      finished_at: null,
    });
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "completed", counts: { succeeded: 3 } });
    expect(await members(here, id, "&status=succeeded")).toEqual(expect.arrayContaining(before));
    expect(await act(here, id, "retry")).toMatchObject({ status: "completed" });
  });
});

describe("whoever stops a rollout", () => {
  test("pauses it: a batch under way commits before the answer, and nothing after it", async () => {
    const { here, clients, snapshot_id } = await newScene(4);
    const { id } = await start(here, snapshot_id, { canary: { count: 2 } });
    await step(here);
    const held = await hold("select 1 from clients where partner_id = $1 for update", [here.partner_id]);
    const batch = step(here);
    await untilWaiting(world.db.sql, ["transactionid", "tuple"], 1);
    const answer = act(here, id, "pause");
    await untilWaiting(world.db.sql, ["advisory"], 1);
    await held.release();
    const paused = await answer;
    expect(await batch).toBe(true);
    expect(paused).toMatchObject({ status: "paused", counts: { succeeded: 2, queued: 2 } });
    expect(await step(here)).toBe(false);
    expect(await get(here, id)).toEqual(paused);
    expect(await act(here, id, "pause")).toEqual(paused);
    expect(await act(here, id, "resume")).toMatchObject({ status: "running" });
    await work(here);
    expect((await get(here, id)).counts).toMatchObject({ succeeded: 4 });
    for (const one of clients) expect(await configuration(here, one)).toEqual(V1);
  });

  test("cancels it: what was deployed stays, the others are never touched, and it is not resumed", async () => {
    const { here, snapshot_id } = await newScene(4);
    const { id } = await start(here, snapshot_id, { canary: { count: 1 } });
    await step(here);
    await step(here);
    const cancelled = await act(here, id, "cancel");
    expect(cancelled).toMatchObject({ status: "cancelled", counts: { succeeded: 1, cancelled: 3, queued: 0 } });
    expectSum(cancelled);
    const { body: pace } = await world.call("GET", `${BASE}/rollouts/${id}/pace`, { key: here.key });
    expect(pace.minutes).toMatchObject([{ clients: 1, failed: 0 }]);
    expect(await step(here)).toBe(false);
    expect(await act(here, id, "cancel")).toEqual(cancelled);
    const { status, body } = await post(here, `/rollouts/${id}/resume`);
    expect([status, body.code, body.allowed]).toEqual([409, "invalid_state_transition", ["rolling_back"]]);
    expect((await told(here)).map((one) => one.status)).toEqual(["cancelled"]);
  });

  test("revokes its key: it halts with the reason, and goes on for whoever resumes it", async () => {
    const { here, snapshot_id } = await newScene(3);
    const body = { name: "Rollout", scopes: ["snapshots:deploy"], clients: "all" };
    const key = (await post(here, "/keys", body)).body;
    const { id } = await start({ key: key.api_key }, snapshot_id);
    expect((await world.call("DELETE", `${BASE}/keys/${key.id}`, { key: here.key })).status).toBe(204);
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "halted", status_reason: "invalid_credentials", counts: { queued: 3 } });
    await act(here, id, "resume");
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "completed", status_reason: null, counts: { succeeded: 3 } });
  });
});

describe("two requests for one client", () => {
  test("the younger rollout stands: the older one skips what it superseded", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    await newVersion(here, snapshot_id, 2);
    const older = await start(here, snapshot_id, { version: 1 });
    await act(here, older.id, "pause");
    const younger = await start(here, snapshot_id, { version: 2, target: { client_ids: [clients[0]] } });
    await work(here);
    await act(here, older.id, "resume");
    await work(here);
    expect(await get(here, younger.id)).toMatchObject({ counts: { succeeded: 1 } });
    expect(await get(here, older.id)).toMatchObject({ status: "completed", counts: { skipped: 1, succeeded: 2 } });
    expect((await members(here, older.id, "&status=skipped"))[0].failure.code).toBe("superseded");
    expect(await configuration(here, clients[0] ?? "")).toEqual(V2);
    expect(await configuration(here, clients[1] ?? "")).toEqual(V1);
  });

  test("an older rollout that came first is no reason to skip", async () => {
    const { here, clients, snapshot_id } = await newScene(2);
    await newVersion(here, snapshot_id, 2);
    const older = await start(here, snapshot_id, { version: 1 });
    const younger = await start(here, snapshot_id, { version: 2 });
    await work(here);
    expect(await get(here, younger.id)).toMatchObject({ counts: { succeeded: 2 } });
    expectSum(await get(here, older.id));
    for (const one of clients) expect(await configuration(here, one)).toEqual(V2);
  });

  test("wait for each other, and each finds what the other has left", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    const second = await post(here, "/snapshots", {
      name: "Second",
      manifest: { format: 1, assets: [{ type: "tag", key: "emea", spec: { name: "EMEA" } }] },
    });
    const first = await start(here, snapshot_id);
    const other = await start(here, second.body.id);
    while ((await Promise.all([step(here), step(here), step(here)])).some((busy) => busy));
    expect(await get(here, first.id)).toMatchObject({ status: "completed", counts: { succeeded: 3 } });
    expect(await get(here, other.id)).toMatchObject({ status: "completed", counts: { succeeded: 3 } });
    for (const one of clients) {
      expect(await configuration(here, one)).toEqual(V1);
      const tags = await world.call("GET", `${GENERAL}/tags?account_id=${one}`, { key: here.key });
      expect(tags.body.data.map(({ name }: Json) => name).toSorted()).toEqual(["EMEA", "VIP"]);
    }
    expect(errors).toEqual([]);
  });
});

describe("a rollback of all", () => {
  test("takes every client back to what it ran, and leaves one that has had a later deployment", async () => {
    const { here, clients, snapshot_id } = await newScene(4);
    const [later = "", ...others] = clients;
    await start(here, snapshot_id);
    await work(here);
    await newVersion(here, snapshot_id, 2);
    const { id } = await start(here, snapshot_id, { canary: { count: 1 } });
    await work(here);
    for (const one of clients) expect(await configuration(here, one)).toEqual(V2);
    await newVersion(here, snapshot_id, 3);
    expect((await post(here, `/clients/${later}/snapshots`, { snapshot_id })).status).toBe(201);

    expect(await act(here, id, "rollback")).toMatchObject({ status: "rolling_back" });
    await work(here);
    const over = await get(here, id);
    expect(over).toMatchObject({ status: "rolled_back", counts: { rolled_back: 3, succeeded: 1 } });
    expectSum(over);
    for (const one of others) expect(await configuration(here, one)).toEqual(V1);
    expect((await configuration(here, later)).label).toBe("Budget v3");
    expect((await members(here, id, "&status=succeeded"))[0]).toMatchObject({
      client_id: later,
      failure: { code: "deployment_not_revertible" },
    });
    expect((await told(here)).map(({ status }) => status)).toEqual(["succeeded", "succeeded", "rolled_back"]);
    expect(await act(here, id, "rollback")).toEqual(over);
  });

  test("in the middle of a rollout cancels the rest", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    const { id } = await start(here, snapshot_id, { canary: { count: 1 } });
    expect((await post(here, `/rollouts/${id}/rollback`)).status).toBe(409);
    await step(here);
    await step(here);
    await act(here, id, "rollback");
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "rolled_back", counts: { rolled_back: 1, cancelled: 2 } });
    for (const one of clients) expect(await configuration(here, one)).toEqual(NONE);
    expect(await statusesOf(here, id)).not.toContain("queued");
    const none = await post(here, `/snapshots/${snapshot_id}/rollouts`, { target: "installed" });
    expect(none.body.errors[0]).toMatchObject({ pointer: "#/target", code: "no_clients" });
  });
});

describe("a dry run", () => {
  test("plans for every client, changes nothing, and says which plans there are", async () => {
    const { here, clients, snapshot_id } = await newScene(4);
    await obstruct(here, clients[0] ?? "");
    const dry = await start(here, snapshot_id, { dry_run: true });
    expect(dry).toMatchObject({ canary: null, plans: null });
    await work(here);
    const over = await get(here, dry.id);
    expect(over).toMatchObject({ status: "completed", counts: { planned: 4 } });
    expect(over.plans.map(({ clients: count, conflicts }: Json) => [count, conflicts > 0])).toEqual([
      [3, false],
      [1, true],
    ]);
    const shown = await world.call("GET", `${BASE}/deployments/${over.plans[1].deployment_id}`, { key: here.key });
    expect(shown.body).toMatchObject({ client_id: clients[0], status: "planned", counts: over.plans[1].counts });
    expect(over.plans[0].counts.create).toBeGreaterThan(0);
    expect(await configuration(here, clients[1] ?? "")).toEqual(NONE);
    expect(await told(here)).toEqual([]);
    expect((await post(here, `/rollouts/${dry.id}/rollback`)).body.code).toBe("deployment_not_revertible");
  });

  test("tells accounts with the same records apart by which snapshot has brought them", async () => {
    const { here, clients, snapshot_id } = await newScene(2);
    const [brought = "", own = ""] = clients;
    const spec = { name: "VIP", description: "Ours" };
    const manifest = { format: 1, assets: [{ type: "tag", key: "ours", spec }] };
    const { body: other } = await post(here, "/snapshots", { name: "Other", manifest });
    expect((await post(here, `/clients/${brought}/snapshots`, { snapshot_id: other.id })).status).toBe(201);
    await world.call("POST", `${GENERAL}/tags`, { key: here.key, body: { account_id: own, ...spec } });
    const { id } = await start(here, snapshot_id, { dry_run: true });
    await work(here);
    const codes = (await members(here, id)).map(async (one) => {
      const { body } = await world.call("GET", `${BASE}/deployments/${one.id}`, { key: here.key });
      return [one.client_id, body.conflicts.some(({ code }: Json) => code === "owned_elsewhere")];
    });
    expect(Object.fromEntries(await Promise.all(codes))).toEqual({ [brought]: true, [own]: false });
  });

  test("is kept to: whoever has changed since fails, the others get exactly what was planned", async () => {
    const { here, clients, snapshot_id } = await newScene(3);
    const dry = await start(here, snapshot_id, { dry_run: true });
    await start(here, snapshot_id, { dry_run: true, conflict_policy: "skip" });
    const early = await post(here, `/snapshots/${snapshot_id}/rollouts`, { target: "all", plan_of: dry.id });
    expect(early.body.errors[0]).toMatchObject({ pointer: "#/plan_of" });
    await work(here);
    await obstruct(here, clients[2] ?? "");
    const { id } = await start(here, snapshot_id, { plan_of: dry.id, max_failure_percent: 100 });
    await work(here);
    expect(await get(here, id)).toMatchObject({ status: "completed_with_errors", counts: { succeeded: 2, failed: 1 } });
    expect((await members(here, id, "&status=failed"))[0]).toMatchObject({
      client_id: clients[2],
      failure: { code: "plan_stale" },
    });
    const skipping = { target: "all", plan_of: dry.id, conflict_policy: "skip" };
    const other = await post(here, `/snapshots/${snapshot_id}/rollouts`, skipping);
    expect(other.body.errors[0]).toMatchObject({ pointer: "#/plan_of" });
  });
});

test("what fails unexpectedly is tried client by client, five times, and fails alone", async () => {
  const { here, clients, snapshot_id } = await newScene(3);
  await world.db.sql(`
    create function refuse_one() returns trigger language plpgsql as
      $$ begin if new.account_id = '${clients[1]}' then raise exception 'out of order'; end if; return new; end $$`);
  await world.db.sql("create trigger refuse_one before insert on account_tags for each row execute function refuse_one()");
  const { id } = await start(here, snapshot_id, { max_failure_percent: 100 });
  await work(here);
  await world.db.sql("drop trigger refuse_one on account_tags");
  expect(await get(here, id)).toMatchObject({ status: "completed_with_errors", counts: { succeeded: 2, failed: 1 } });
  expect(await members(here, id, "&status=failed")).toEqual([
    expect.objectContaining({ client_id: clients[1], failure: expect.objectContaining({ code: "internal_error" }) }),
  ]);
  expect(await configuration(here, clients[1] ?? "")).toEqual(NONE);
  await act(here, id, "retry");
  await work(here);
  expect(await get(here, id)).toMatchObject({ status: "completed", counts: { succeeded: 3 } });
  errors.length = 0;
});
