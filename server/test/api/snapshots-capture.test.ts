import { beforeAll, describe, expect, test } from "vitest";
import { catalogueOf, manifestOf, pipelineAsset } from "../harness/manifests.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let other: TestPartner;

beforeAll(async () => {
  [partner, other] = [await world.newPartner(), await world.newPartner()];
});

const { call, create } = catalogueOf(world, () => partner);

describe("defaults of the partner", () => {
  const setDefaults = (key: string, default_snapshots: string[]) =>
    world.call("PATCH", `${BASE}/account`, { key, body: { default_snapshots } });

  test("are published snapshots that it has, and each other one is pointed at", async () => {
    const { id } = await create();
    const draft = await create({ status: "draft" });
    const stranger = await create({}, other);
    const reply = await setDefaults(partner.key, [id, draft.id, stranger.id]);
    expect(reply.body.errors.map(({ pointer, code }: Json) => [pointer, code])).toEqual([
      ["#/default_snapshots/1", "not_deployable"],
      ["#/default_snapshots/2", "unknown_snapshot"],
    ]);
    expect((await setDefaults(partner.key, [id])).body.default_snapshots).toEqual([id]);
  });

  test("are not archived, and one that was deprecated since may stay", async () => {
    const whose = await world.newPartner();
    const { id } = await create({}, whose);
    const { id: added } = await create({}, whose);
    await setDefaults(whose.key, [id]);
    const archived = await call("DELETE", `/${id}`, { key: whose.key });
    expect([archived.status, archived.body]).toMatchObject([409, { code: "resource_in_use", used_by: ["default_snapshots"] }]);
    expect((await call("PATCH", `/${id}`, { key: whose.key, body: { status: "archived" } })).status).toBe(409);
    expect((await call("PATCH", `/${id}`, { key: whose.key, body: { status: "deprecated" } })).status).toBe(200);
    expect((await setDefaults(whose.key, [added, id])).status).toBe(200);
    await setDefaults(whose.key, []);
    expect((await call("DELETE", `/${id}`, { key: whose.key })).status).toBe(204);
    expect((await setDefaults(whose.key, [id])).body.errors).toMatchObject([{ code: "not_deployable" }]);
  });

  test("and their archiving exclude each other", async () => {
    const whose = await world.newPartner();
    const { id } = await create({}, whose);
    const [set, archived] = await Promise.all([setDefaults(whose.key, [id]), call("DELETE", `/${id}`, { key: whose.key })]);
    expect([
      [200, 409],
      [422, 204],
    ]).toContainEqual([set.status, archived.status]);
  });
});

describe("a capture", () => {
  let account_id: string;
  const post = async (path: string, body: Json, method = "POST") => {
    const reply = await world.call(method, `${GENERAL}${path}`, { key: partner.key, body, headers: { "if-match": "*" } });
    expect([reply.status < 300, reply.text]).toEqual([true, reply.text]);
    return reply.body;
  };
  let pipeline: Json;

  beforeAll(async () => {
    account_id = (await world.newClient(partner)).id;
    const field = { account_id, resource: "deal", type: "text" };
    await post("/custom-fields", { ...field, key: "budget", label: "Budget" });
    const old = await post("/custom-fields", { ...field, key: "old", label: "Old" });
    pipeline = await post("/pipelines", {
      account_id,
      name: "Recalls",
      stages: [
        { name: "Due", type: "open", required_fields: ["custom.budget", "custom.old", "amount_cents"] },
        { name: "Kept", type: "won" },
        { name: "Gone", type: "lost" },
      ],
    });
    await world.call("DELETE", `${GENERAL}/custom-fields/${old.id}`, { key: partner.key });
    await post("/tags", { account_id, name: "VIP" });
    await post("/message-templates", { account_id, name: "Welcome", channel: "sms", text: "Hello {{contact.name}}" });
  });

  const versionOf = async (id: string, version: number, key = partner.key): Promise<Json> =>
    (await call("GET", `/${id}/versions/${version}`, { key })).body;
  const found = ({ manifest }: Json, type: string, key: string) =>
    manifest.assets.find((asset: Json) => asset.type === type && asset.key === key)?.spec;

  test("is the whole configuration of the account, and says what it left out", async () => {
    const made = await create({ source_client_id: account_id });
    expect(made).toMatchObject({ status: "published", latest_version: 1 });
    expect(made.left_out).toEqual([expect.stringMatching(/pipeline recalls .*deal\.old/)]);
    const version = await versionOf(made.id, 1);
    expect(version.asset_counts).toEqual({ custom_field: 1, tag: 1, message_template: 1, pipeline: 2, lead_scoring: 1 });
    expect(found(version, "pipeline", "recalls")).toMatchObject({
      name: "Recalls",
      stages: [
        { key: "due", required_fields: ["amount_cents", "custom.budget"] },
        { key: "kept", type: "won" },
        { key: "gone", type: "lost" },
      ],
    });
    expect(found(version, "message_template", "welcome")).toMatchObject({ channel: "sms" });
  });

  test("is a manifest that makes an equal version elsewhere, and none where nothing has changed", async () => {
    const made = await create({ source_client_id: account_id });
    const { sha256, manifest } = await versionOf(made.id, 1);
    const elsewhere = await create({ manifest }, other);
    expect((await versionOf(elsewhere.id, 1, other.key)).sha256).toBe(sha256);
    const again = await call("POST", `/${made.id}/versions`, { body: { source_client_id: account_id } });
    expect([again.status, again.body.version]).toEqual([200, 1]);
  });

  test("gives records the keys that they had, also if their names are others now", async () => {
    const made = await create({ source_client_id: account_id });
    const [due, ...stages] = pipeline.stages;
    await post(`/pipelines/${pipeline.id}`, { name: "Reminders", stages: [{ ...due, name: "Waiting" }, ...stages] }, "PATCH");
    await post("/pipelines", { account_id, name: "Recalls" });
    const again = await call("POST", `/${made.id}/versions`, { body: { source_client_id: account_id } });
    expect([again.status, again.body.version]).toEqual([201, 2]);
    const version = await versionOf(made.id, 2);
    expect(found(version, "pipeline", "recalls")).toMatchObject({
      name: "Reminders",
      stages: [{ key: "due", name: "Waiting" }, {}, {}],
    });
    expect(found(version, "pipeline", "recalls-2")).toMatchObject({ name: "Recalls" });
  });

  test("gives each record the key of its own snapshot, where the client runs several", async () => {
    const { id: client_id } = await world.newClient(partner);
    const install = async (key: string, name: string) => {
      const { id: snapshot_id } = await create({ manifest: manifestOf(pipelineAsset(key, name)) });
      const body = { snapshot_id };
      const reply = await world.call("POST", `${BASE}/clients/${client_id}/snapshots`, { key: partner.key, body });
      expect(reply.status, reply.text).toBe(201);
      return snapshot_id;
    };
    const snapshots = { alder: await install("alder", "Old alder"), birch: await install("birch", "Old birch") };
    const { body } = await world.call("GET", `${GENERAL}/pipelines?account_id=${client_id}`, { key: partner.key });
    for (const { id, name } of body.data) await post(`/pipelines/${id}`, { name: `${name} renamed` }, "PATCH");
    for (const [key, id] of Object.entries(snapshots)) {
      const captured = await call("POST", `/${id}/versions`, { body: { source_client_id: client_id } });
      expect(captured.status, captured.text).toBe(201);
      expect(found(await versionOf(id, 2), "pipeline", key)).toMatchObject({ name: `Old ${key} renamed` });
    }
  });

  test("of another partner's client is refused, and the house account can be captured", async () => {
    const stranger = await world.newClient(other);
    const refused = await call("POST", "", { body: { name: "Stolen", source_client_id: stranger.id } });
    expect(refused.body.errors).toMatchObject([{ pointer: "#/source_client_id", code: "unknown_client" }]);
    const { house_account_id } = (await world.call("GET", `${BASE}/account`, { key: partner.key })).body;
    expect((await create({ source_client_id: house_account_id })).latest_version).toBe(1);
  });
});
