import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { walk } from "../harness/lists.ts";
import { catalogueOf, fieldAsset, manifestOf, pipelineAsset, SALES } from "../harness/manifests.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let other: TestPartner;

beforeAll(async () => {
  [partner, other] = [await world.newPartner(), await world.newPartner()];
});

const PATH = `${BASE}/snapshots`;
const { call, create } = catalogueOf(world, () => partner);

const push = (id: string, ...assets: Json[]) => call("POST", `/${id}/versions`, { body: { manifest: manifestOf(...assets) } });
const counted = async (table: string) => (await world.db.sql(`select count(*)::int as count from ${table}`))[0]?.count;

describe("a snapshot", () => {
  test("with a manifest has its first version and is published; without, it is an empty draft", async () => {
    const reply = await call("POST", "", { body: { name: "Dental", description: "Recalls", manifest: manifestOf(SALES) } });
    expect([reply.status, reply.headers.location, reply.headers.etag]).toEqual([201, `${PATH}/${reply.body.id}`, '"1"']);
    expect(reply.body).toMatchObject({
      name: "Dental",
      description: "Recalls",
      status: "published",
      origin: "own",
      visibility: "private",
      price_cents: 0,
      latest_version: 1,
      left_out: [],
    });
    const { left_out: _, ...shown } = reply.body;
    expect((await call("GET", `/${shown.id}`)).body).toEqual(shown);
    const empty = await call("POST", "", { body: { name: "Empty" } });
    expect(empty.body).toMatchObject({ status: "draft", latest_version: null });
    expect((await call("POST", "", { body: { name: "No", status: "published" } })).body.errors).toMatchObject([
      { pointer: "#/status", code: "no_version" },
    ]);
    expect((await create({ status: "draft" })).status).toBe("draft");
  });

  test("has a name of its own among those that are not archived", async () => {
    const { id } = await create({ name: "Unique" });
    const again = await call("POST", "", { body: { name: "UNIQUE" } });
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "duplicate_snapshot", id]);
    const another = await create();
    expect((await call("PATCH", `/${another.id}`, { body: { name: "unique" } })).body).toMatchObject({ existing_id: id });
    await create({ name: "Unique" }, other);
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    await create({ name: "Unique" });
  });

  test("goes from draft to published, deprecated and archived, and then no longer changes", async () => {
    const { id } = (await call("POST", "", { body: { name: "Life" } })).body;
    const to = (status: string) => call("PATCH", `/${id}`, { body: { status } });
    expect((await to("published")).body.errors).toMatchObject([{ code: "no_version" }]);
    expect((await push(id, SALES)).status).toBe(201);
    expect((await to("deprecated")).body).toMatchObject({
      code: "invalid_state_transition",
      from: "draft",
      to: "deprecated",
      allowed: ["published", "archived"],
    });
    for (const status of ["published", "published", "deprecated", "published", "deprecated", "archived"])
      expect((await to(status)).body.status).toBe(status);
    expect((await to("published")).body).toMatchObject({ code: "invalid_state_transition", allowed: [] });
    expect((await call("PATCH", `/${id}`, { body: { name: "Other" } })).body.code).toBe("invalid_state_transition");
    expect((await push(id, SALES)).body.code).toBe("invalid_state_transition");
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
  });

  test("is changed at the version that was seen, and every act is audited", async () => {
    const { id } = await create({ name: "Audited" });
    const body = { name: "Renamed", description: null };
    expect((await call("PATCH", `/${id}`, { body, headers: { "if-match": '"7"' } })).body.code).toBe("version_mismatch");
    expect((await call("PATCH", `/${id}`, { body, headers: { "if-match": '"1"' } })).body).toMatchObject({ version: 2 });
    expect((await call("PATCH", `/${id}`, { body })).body.version).toBe(2);
    await push(id, SALES, fieldAsset("deal.budget", "Budget"));
    await call("DELETE", `/${id}`);
    const entries = await walk(world, partner.key, "/audit-log", { target: id });
    expect(entries.map(({ action }: Json) => action).toSorted()).toEqual([
      "snapshots.archive",
      "snapshots.create",
      "snapshots.create_version",
      "snapshots.update",
    ]);
  });

  test("is listed by status, origin and name", async () => {
    const listed = await world.newPartner();
    const names = async (query: string) =>
      (await call("GET", `?${query}`, { key: listed.key })).body.data.map(({ name }: Json) => name);
    await create({ name: "Dental practice" }, listed);
    await create({ name: "Dentist 100%", status: "draft" }, listed);
    const { id } = await create({ name: "Gym" }, listed);
    await world.db.sql("update snapshots set owner_partner_id = 'ptr_1' where id = $1", [id]);
    expect(await names("")).toEqual(["Gym", "Dentist 100%", "Dental practice"]);
    expect(await names("status=draft&status=archived")).toEqual(["Dentist 100%"]);
    expect(await names("origin=own&q=DENT")).toEqual(["Dentist 100%", "Dental practice"]);
    expect(await names("q=0%25")).toEqual(["Dentist 100%"]);
    expect(await names("origin=bought")).toEqual(["Gym"]);
    const page = (await call("GET", "?limit=1", { key: listed.key })).body;
    expect(page.has_more).toBe(true);
    for (const [method, path, body] of [
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["POST", "/versions", { manifest: manifestOf(SALES) }],
    ] as const)
      expect((await call(method, `/${id}${path}`, { key: listed.key, body })).body.code).toBe("snapshot_bought");
  });

  test("of another partner is not found, and a bound key reads but does not write", async () => {
    const { id } = await create({}, other);
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", "", undefined],
      ["GET", "/versions", undefined],
      ["GET", "/versions/1", undefined],
      ["POST", "/versions", { manifest: manifestOf(SALES) }],
      ["GET", "/diff", undefined],
    ] as const)
      expect([path, (await call(method, `/${id}${path}`, { body })).status]).toEqual([path, 404]);
    const own = await create();
    const { id: client_id } = await world.newClient(partner);
    const key = await world.newKey(partner, { clients: [client_id] });
    expect((await call("GET", `/${own.id}/versions/1`, { key })).status).toBe(200);
    expect((await call("DELETE", `/${own.id}`, { key })).body.code).toBe("partner_wide_key_required");
  });

  test("500 of them are the limit of a partner", async () => {
    const full = await world.newPartner();
    await world.db.sql(
      `insert into snapshots (partner_id, id, owner_partner_id, name, status, currency, created_by, created_at, updated_at)
       select $1, 'snap_' || i, $1, 'S' || i, 'draft', 'usd', 'x', now(), now() from generate_series(1, 500) i`,
      [full.partner_id],
    );
    const reply = await call("POST", "", { key: full.key, body: { name: "One more" } });
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringContaining("at most 500")]);
  });
});

describe("a manifest", () => {
  const BAD: [string, Json, string, string][] = [
    ["another format", { format: 2, assets: [] }, "#/manifest/format", "unsupported_format"],
    ["an unknown type", manifestOf({ type: "robot", key: "r", spec: {} }), "#/manifest/assets/0/type", "unknown_type"],
    ["a key twice", manifestOf(SALES, SALES), "#/manifest/assets/1/key", "duplicate_key"],
    ["a name twice", manifestOf(SALES, pipelineAsset("other", "SALES")), "#/manifest/assets/1/spec", "duplicate_name"],
    [
      "a reference to nothing",
      manifestOf(
        pipelineAsset("sales", "Sales", {
          stages: [
            { key: "new", name: "New", type: "open", required_fields: ["custom.budget"] },
            { key: "won", name: "Won", type: "won" },
            { key: "lost", name: "Lost", type: "lost" },
          ],
        }),
      ),
      "#/manifest/assets/0/spec/stages/0/required_fields/0",
      "dangling_reference",
    ],
    [
      "a spec of another shape",
      manifestOf(pipelineAsset("sales", "Sales", { stages: 3 })),
      "#/manifest/assets/0/spec/stages",
      "type",
    ],
  ];

  test.each(BAD)("with %s is refused whole, and nothing is written", async (_, manifest, pointer, code) => {
    const before = [await counted("snapshots"), await counted("snapshot_versions"), await counted("snapshot_contents")];
    const reply = await call("POST", "", { body: { name: "Bad", manifest } });
    expect([reply.status, reply.body.code]).toEqual([422, "validation_failed"]);
    expect(reply.body.errors.map((fault: Json) => [fault.pointer, fault.code])).toContainEqual([pointer, code]);
    expect([await counted("snapshots"), await counted("snapshot_versions"), await counted("snapshot_contents")]).toEqual(before);
  });

  test("is sent with a source, or in vain, only to be refused", async () => {
    const { id } = await create();
    const { id: client_id } = await world.newClient(partner);
    const both = await call("POST", `/${id}/versions`, { body: { manifest: manifestOf(SALES), source_client_id: client_id } });
    expect(both.body.errors).toMatchObject([{ pointer: "#/source_client_id", code: "only_one" }]);
    expect((await call("POST", `/${id}/versions`, { body: {} })).body.errors).toMatchObject([{ code: "no_content" }]);
    const unknown = await call("POST", `/${id}/versions`, { body: { source_client_id: newId("client", Date.now()) } });
    expect(unknown.body.errors).toMatchObject([{ pointer: "#/source_client_id", code: "unknown_client" }]);
  });

  test("of two MiB is read, and a larger one is not", async () => {
    const { id } = await create();
    const send = (length: number) =>
      call("POST", `/${id}/versions`, { body: `${JSON.stringify({ manifest: manifestOf(SALES) })}${" ".repeat(length)}` });
    expect((await send(1_500_000)).status).toBe(200);
    const larger = await send(2_097_152);
    expect([larger.status, larger.body.limit_bytes]).toEqual([413, 2_097_152]);
    expect((await call("PATCH", `/${id}`, { body: `{"name":"x"}${" ".repeat(300_000)}` })).status).toBe(413);
  });
});

describe("a version", () => {
  test("holds the whole manifest in its canonical form, and is listed with the latest first", async () => {
    const { id } = await create();
    const pushed = await push(id, SALES, fieldAsset("deal.budget", "Budget", { type: "number" }));
    expect([pushed.status, pushed.headers.location]).toEqual([201, `${PATH}/${id}/versions/2`]);
    expect(pushed.body).toMatchObject({ version: 2, asset_counts: { custom_field: 1, pipeline: 1 }, left_out: [] });
    const { manifest, ...version } = (await call("GET", `/${id}/versions/2`)).body;
    expect(version).toEqual({ ...pushed.body, left_out: undefined });
    expect(manifest.assets.map(({ type, key }: Json) => `${type}/${key}`)).toEqual([
      "custom_field/deal.budget",
      "pipeline/sales",
    ]);
    expect(manifest.assets[0].spec).toMatchObject({ label: "Budget", type: "number", options: [], required: false });
    const { data } = (await call("GET", `/${id}/versions`)).body;
    expect(data.map((one: Json) => one.version)).toEqual([2, 1]);
    const first = (await call("GET", `/${id}/versions?limit=1`)).body;
    const rest = (await call("GET", `/${id}/versions?limit=1&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...rest.data]).toEqual(data);
    expect((await call("GET", `/${id}/versions/3`)).body.detail).toBe(`Version 3 of ${id} was not found.`);
    for (const number of ["0", "01", "x", "1234567890"])
      expect((await call("GET", `/${id}/versions/${number}`)).status).toBe(404);
  });

  test("is not added for equal content, however it is written", async () => {
    const { id } = await create();
    const full = (await call("GET", `/${id}/versions/1`)).body.manifest;
    const again = await call("POST", `/${id}/versions`, { body: { manifest: full, changelog: "Nothing" } });
    expect([again.status, again.body.version, again.body.changelog]).toEqual([200, 1, null]);
    expect((await call("GET", `/${id}`)).body).toMatchObject({ latest_version: 1, version: 1 });
    await push(id, pipelineAsset("sales", "Sales EU"));
    expect((await push(id, SALES)).body.version).toBe(3);
    const [one, , three] = await Promise.all([1, 2, 3].map(async (n) => (await call("GET", `/${id}/versions/${n}`)).body));
    expect(three.sha256).toBe(one.sha256);
  });

  test("is added at the version of the snapshot that was seen", async () => {
    const { id } = await create();
    const body = { manifest: manifestOf(pipelineAsset("sales", "Sales 2")) };
    const stale = await call("POST", `/${id}/versions`, { body, headers: { "if-match": '"9"' } });
    expect([stale.status, stale.body.code]).toEqual([412, "version_mismatch"]);
    expect((await call("POST", `/${id}/versions`, { body, headers: { "if-match": '"1"' } })).status).toBe(201);
  });

  test("of several at once has a number of its own, and equal ones are one", async () => {
    const { id } = await create();
    const replies = await Promise.all(["A", "B", "C", "C", "C"].map((name) => push(id, pipelineAsset("sales", name))));
    const { data } = (await call("GET", `/${id}/versions`)).body;
    const created = replies.filter(({ status }) => status === 201).map(({ body }) => body.version);
    expect(data.map((one: Json) => one.version)).toEqual([...created, 1].toSorted((a, b) => b - a));
    expect(new Set(created).size).toBe(created.length);
    for (const { body } of replies) expect(data.find((one: Json) => one.version === body.version).sha256).toBe(body.sha256);
    const seen = (await call("GET", `/${id}`)).headers.etag ?? "";
    const race = await Promise.all(
      ["D", "E"].map((name) =>
        call("POST", `/${id}/versions`, {
          body: { manifest: manifestOf(pipelineAsset("sales", name)) },
          headers: { "if-match": seen },
        }),
      ),
    );
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 412]);
  });

  test("keeps the types of what stays, and 1,000 are the limit", async () => {
    const { id } = await create({ manifest: manifestOf(fieldAsset("deal.budget", "Budget")) });
    const changed = await push(id, fieldAsset("deal.budget", "Budget", { type: "number" }));
    expect(changed.body.errors).toMatchObject([{ code: "type_stays" }]);
    await world.db.sql(
      `insert into snapshot_versions select partner_id, snapshot_id, i, sha256, null, asset_counts, created_by, created_at
       from snapshot_versions, generate_series(2, 1000) i where snapshot_id = $1`,
      [id],
    );
    await world.db.sql("update snapshots set latest_version = 1000 where id = $1", [id]);
    expect((await push(id, SALES)).body.detail).toContain("at most 1000 versions");
  });

  test("differs from another by assets and fields", async () => {
    const { id } = await create();
    await push(id, pipelineAsset("sales", "Sales EU"), fieldAsset("deal.budget", "Budget"));
    const latest = (await call("GET", `/${id}/diff`)).body;
    expect(latest).toMatchObject({ from: 1, to: 2 });
    expect(latest.steps.map(({ type, action }: Json) => [type, action])).toEqual([
      ["custom_field", "create"],
      ["pipeline", "update"],
    ]);
    expect((await call("GET", `/${id}/diff?from=2&to=2`)).body.steps).toEqual([]);
    expect((await call("GET", `/${id}/diff?from=2&to=1`)).body.steps.map(({ action }: Json) => action)).toEqual([
      "update",
      "remove",
    ]);
    expect((await call("GET", `/${id}/diff?from=0&to=1`)).body.steps).toMatchObject([{ type: "pipeline", action: "create" }]);
    expect((await call("GET", `/${id}/diff?to=9`)).status).toBe(404);
  });
});
