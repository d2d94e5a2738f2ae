import { beforeAll, describe, expect, test } from "vitest";
import { workWaiting } from "../../src/features/snapshots/rollouts/index.ts";
import { rolloutsOf } from "../harness/rollouts.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

/** Nobody works on what waits but the tests themselves. */
const world = useWorld({}, "api");
const { errors, post, newScene, obstruct, start, work: workRollouts, members } = rolloutsOf(world);
let here: TestPartner;

beforeAll(async () => {
  here = await world.newPartner();
});

const tags = (name: string) =>
  Array.from({ length: 101 }, (_, index) => ({
    type: "tag",
    key: `${name.replace(" ", "-")}_${index}`,
    spec: { name: `${name} ${index}` },
  }));
const publish = async (name: string): Promise<string> =>
  (await post(here, "/snapshots", { name, manifest: { format: 1, assets: tags(name) } })).body.id;
const work = () => workWaiting(world.app.services, here.partner_id, (error) => errors.push(error));
const get = async (path: string): Promise<Json> => (await world.call("GET", `${BASE}${path}`, { key: here.key })).body;
const shown = async (client_id: string): Promise<Json> => (await get(`/clients/${client_id}`)).snapshots;

/** A client that waits for two snapshots, too large together for the request that creates it. */
async function newWaiting(name: string): Promise<{ client_id: string; ids: string[] }> {
  const ids = [await publish(`${name} a`), await publish(`${name} b`)];
  const { id, snapshots } = await world.newClient(here, { snapshots: ids.map((snapshot_id) => ({ snapshot_id })) });
  expect(snapshots.map(({ status }: Json) => status)).toEqual(["queued", "queued"]);
  return { client_id: id, ids };
}

const deploymentsOf = async (client_id: string): Promise<Json[]> => (await get(`/deployments?client_id=${client_id}`)).data;

describe("a deployment that waits", () => {
  test("comes after the client was created, in its order", async () => {
    const { client_id, ids } = await newWaiting("first");
    expect([await work(), await work(), await work()]).toEqual([true, true, false]);
    expect(await shown(client_id)).toEqual(ids.map((snapshot_id) => ({ snapshot_id, version: 1, status: "installed" })));
    const count = await world.db.sql("select count(*)::int as count from account_tags where account_id = $1", [client_id]);
    expect(count).toEqual([{ count: 202 }]);
    expect(errors).toEqual([]);
  });

  test("and is skipped, because its client is suspended, is no longer waited for until it is retried", async () => {
    const { client_id } = await newWaiting("second");
    await post(here, `/clients/${client_id}/suspend`, { reason: "Late" });
    while (await work());
    const skipped = await deploymentsOf(client_id);
    expect(skipped.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
    expect(await shown(client_id)).toEqual([]);
    const retry = () => post(here, `/deployments/${skipped[0]?.id}/retry`);
    expect((await retry()).body.code).toBe("client_inactive");
    await post(here, `/clients/${client_id}/reactivate`);
    expect((await retry()).body).toMatchObject({ status: "queued", failure: null, finished_at: null });
    while (await work());
    expect(await shown(client_id)).toEqual([{ snapshot_id: skipped[0]?.snapshot_id, version: 1, status: "installed" }]);
  });

  test("and fails is no longer waited for, what runs stays, and it can be retried", async () => {
    const { client_id, ids } = await newWaiting("third");
    await work();
    await world.db.sql(`
      create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'out of order'; end $$`);
    await world.db.sql("create trigger refuse_all before insert on account_tags for each row execute function refuse_all()");
    while (await work());
    await world.db.sql("drop trigger refuse_all on account_tags");
    expect((await deploymentsOf(client_id)).map(({ status, failure }) => [status, failure?.code])).toEqual([
      ["failed", "internal_error"],
      ["succeeded", undefined],
    ]);
    const installed = { snapshot_id: ids[0], version: 1, status: "installed" };
    expect(await shown(client_id)).toEqual([installed]);
    errors.length = 0;
    const [failed, succeeded] = (await deploymentsOf(client_id)).map(({ id }) => id);
    const { body } = await post(here, `/deployments/${succeeded}/retry`);
    expect(body).toMatchObject({ code: "invalid_state_transition", from: "succeeded", to: "queued" });
    for (const _ of ["once", "twice"])
      expect((await post(here, `/deployments/${failed}/retry`)).body).toMatchObject({ status: "queued", failure: null });
    expect(await shown(client_id)).toEqual([installed, { snapshot_id: ids[1], version: 1, status: "queued" }]);
    while (await work());
    expect(await shown(client_id)).toEqual(ids.map((snapshot_id) => ({ snapshot_id, version: 1, status: "installed" })));
  });

  test("of a rollout is the rollout's to retry", async () => {
    const { here: other, clients, snapshot_id } = await newScene(1);
    await obstruct(other, clients[0] ?? "");
    const { id } = await start(other, snapshot_id, { conflict_policy: "fail" });
    await workRollouts(other);
    const [failed] = await members(other, id, "&status=failed");
    const { status, body } = await post(other, `/deployments/${failed.id}/retry`);
    expect([status, body.code, body.detail]).toEqual([409, "invalid_state_transition", expect.stringContaining(id)]);
    expect((await members(other, id)).map((member) => member.status)).toEqual(["failed"]);
  });

  test("does not bring back an older version than what was deployed meanwhile", async () => {
    const { client_id, ids } = await newWaiting("fourth");
    const [snapshot_id = ""] = ids;
    const manifest = { format: 1, assets: tags("fourth a").slice(1) };
    expect((await post(here, `/snapshots/${snapshot_id}/versions`, { manifest })).status).toBe(201);
    expect((await post(here, `/clients/${client_id}/snapshots`, { snapshot_id })).status).toBe(201);
    while (await work());
    const own = (await deploymentsOf(client_id)).filter((one) => one.snapshot_id === snapshot_id);
    expect(own.map(({ version, status, failure }) => [version, status, failure?.code])).toEqual([
      [2, "succeeded", undefined],
      [1, "skipped", "superseded"],
    ]);
    expect(await shown(client_id)).toEqual(
      expect.arrayContaining([
        { snapshot_id, version: 2, status: "installed" },
        { snapshot_id: ids[1], version: 1, status: "installed" },
      ]),
    );
  });
});
