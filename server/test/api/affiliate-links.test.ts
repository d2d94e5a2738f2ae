import { beforeAll, describe, expect, test } from "vitest";
import { linksOf } from "../harness/links.ts";
import { walk } from "../harness/lists.ts";
import { setProgramme } from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const { create, newLink, stats, click, visit } = linksOf(world);
let partner: TestPartner;
let other: TestPartner;
let operator: string;

beforeAll(async () => {
  [partner, other] = [await world.newPartner(), await world.newPartner()];
  operator = await world.newOperator();
});

const PATH = `${BASE}/affiliate-links`;
const call = (method: string, path: string, options: { key?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
  world.call(method, `${PATH}${path}`, { key: partner.key, ...options });
const admin = (method: string, path: string, body?: object) =>
  world.call(method, `${ADMIN}/affiliate-links${path}`, { key: operator, ...(body === undefined ? {} : { body }) });

describe("a link", () => {
  test("has a random code, the window of the programme and the address to share by default", async () => {
    const reply = await create(partner, { destination_url: "https://SHOP.example" });
    expect(reply.status).toBe(201);
    expect(reply.headers.location).toBe(`${PATH}/${reply.body.id}`);
    expect(reply.headers.etag).toBe('"1"');
    expect(reply.body).toMatchObject({
      code: expect.stringMatching(/^[a-z2-9]{8}$/),
      url: `http://tributary.test/r/${reply.body.code}`,
      destination_url: "https://shop.example/",
      campaign: null,
      window_days: 90,
      expires_at: null,
      status: "active",
    });
    expect((await call("GET", `/${reply.body.id}`)).body).toEqual(reply.body);
  });

  test("is changed at the version that was seen, and each change is audited", async () => {
    const link = await newLink(partner, { code: "Change-Me", campaign: "Spring" });
    const body = { destination_url: "https://shop.example/new", campaign: null, window_days: 30, status: "paused" };
    expect((await call("PATCH", `/${link.id}`, { body, headers: { "if-match": '"7"' } })).body.code).toBe("version_mismatch");
    const changed = await call("PATCH", `/${link.id}`, { body, headers: { "if-match": '"1"' } });
    expect(changed.body).toMatchObject({ ...body, version: 2 });
    expect((await call("PATCH", `/${link.id}`, { body })).body.version).toBe(2);
    expect((await call("PATCH", `/${link.id}`, { body: { code: "other-code" } })).status).toBe(422);
    const entries = await walk(world, partner.key, "/audit-log", { target: link.id });
    expect(entries.map(({ action }: Json) => action).toSorted()).toEqual(["affiliate_links.create", "affiliate_links.update"]);
  });

  test("is archived by DELETE, keeps its code, and can be restored", async () => {
    const link = await newLink(partner, { code: "archive-me" });
    expect((await call("DELETE", `/${link.id}`)).status).toBe(204);
    expect((await call("DELETE", `/${link.id}`)).status).toBe(204);
    expect((await call("GET", `/${link.id}`)).body).toMatchObject({ status: "archived", version: 2 });
    expect((await create(partner, { destination_url: "https://shop.example", code: "ARCHIVE-ME" })).body).toMatchObject({
      code: "duplicate_link",
      existing_id: link.id,
    });
    expect((await call("PATCH", `/${link.id}`, { body: { status: "active" } })).body.status).toBe("active");
  });

  test("has an https destination without credentials, on a host that the programme allows", async () => {
    for (const [destination_url, reason] of [
      ["http://shop.example/", "not_https"],
      ["https://user:secret@shop.example/", "credentials"],
      ["javascript:alert(1)", "not_https"],
      ["https://tributary.test/r/abcd", null],
      ["http://tributary.test/r/abcd", "not_https"],
    ]) {
      const { status, body } = await create(partner, { destination_url });
      expect([status, body.reason ?? null]).toEqual(reason === null ? [201, null] : [422, reason]);
      if (reason !== null) expect(body.code).toBe("link_destination_refused");
    }
    const link = await newLink(partner);
    await setProgramme(world, operator, { link_hosts: ["shop.example"], link_window_days: 45 });
    const elsewhere = { destination_url: "https://evil.example/" };
    expect((await create(partner, elsewhere)).body).toMatchObject({ reason: "host_not_allowed" });
    expect((await call("PATCH", `/${link.id}`, { body: elsewhere })).body).toMatchObject({ code: "link_destination_refused" });
    expect((await newLink(partner, { destination_url: "https://www.shop.example/" })).window_days).toBe(45);
    await setProgramme(world, operator, { link_hosts: [], link_window_days: 90 });
  });
});

describe("a code", () => {
  test("is taken once, in any case and with look-alikes, and another partner's link is not told", async () => {
    const link = await newLink(partner, { code: "Oil-2027" });
    for (const code of ["oil-2027", "OIL-2027", "0il-2027", "o1l-2o27", "0I1-2O27"]) {
      const own = await create(partner, { destination_url: "https://shop.example", code });
      expect(own.body).toMatchObject({ status: 409, code: "duplicate_link", existing_id: link.id });
      const foreign = await create(other, { destination_url: "https://shop.example", code });
      expect(foreign.body).toMatchObject({ status: 409, code: "duplicate_link", existing_id: null });
      expect(foreign.text).not.toContain(link.id);
    }
    expect((await create(partner, { destination_url: "https://shop.example", code: "oil-2028" })).status).toBe(201);
  });

  test.each(["abc", "a".repeat(33), "a_bc", "a/bc", "äbcd", "ab cd", ""])("is not %j", async (code) => {
    expect((await create(partner, { destination_url: "https://shop.example", code })).body.code).toBe("validation_failed");
  });

  test("that twenty requests of two partners want at once is one link's", async () => {
    const wanted = Array.from({ length: 20 }, (_, index) =>
      create(index % 2 === 0 ? partner : other, {
        destination_url: "https://shop.example",
        code: index % 3 === 0 ? "RACE-100" : "race-1oo",
      }),
    );
    const replies = await Promise.all(wanted);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const [row] = await world.db.sql<{ count: number }>(
      "select count(*)::int as count from affiliate_links where code_key = 'race-100'",
    );
    expect(row?.count).toBe(1);
  });
});

describe("the list", () => {
  test("is filtered by status, campaign and code, and is a CSV file too", async () => {
    const mine = await world.newPartner();
    const [first, second] = [
      await newLink(mine, { code: "list-0ne", campaign: "Autumn" }),
      await newLink(mine, { code: "list-two", campaign: "autumn" }),
    ];
    const third = await newLink(mine, { code: "list-three" });
    await world.call("DELETE", `${PATH}/${third.id}`, { key: mine.key });
    const ids = async (query: Record<string, string>) =>
      (await walk(world, mine.key, "/affiliate-links", query)).map(({ id }: Json) => id);
    expect(await ids({})).toEqual([third.id, second.id, first.id]);
    expect(await ids({ campaign: "AUTUMN" })).toEqual([second.id, first.id]);
    expect(await ids({ status: "archived" })).toEqual([third.id]);
    expect(await ids({ code: "LIST-ONE" })).toEqual([first.id]);
    const { body } = await world.call("GET", `${PATH}?format=csv`, { key: mine.key });
    expect(body.split("\r\n")).toHaveLength(5);
    expect(body).toContain("list-two");
  });

  test("has the totals of each link on request", async () => {
    const mine = await world.newPartner();
    const link = await newLink(mine);
    await click(link);
    await world.app.clicks.flush();
    const { body } = await world.call("GET", `${PATH}?totals=true`, { key: mine.key });
    const none = { bots: 0, repeats: 0, leads: 0, deals: 0, won: 0, commissions: [] };
    expect(body.data).toMatchObject([{ id: link.id, totals: { clicks: 1, unique: 1, ...none } }]);
    expect((await world.call("GET", PATH, { key: mine.key })).body.data[0]).not.toHaveProperty("totals");
  });
});

describe("who may", () => {
  test("see a link: its partner alone, with a key for all clients", async () => {
    const link = await newLink(partner);
    const client = await world.newClient(partner);
    const bound = await world.newKey(partner, { clients: [client.id] });
    const reader = await world.newKey(partner, { scopes: ["affiliate_links:read"] });
    for (const path of [`/${link.id}`, `/${link.id}/stats`]) {
      expect((await call("GET", path, { key: other.key })).body.code).toBe("not_found");
      expect((await call("GET", path, { key: bound })).body.code).toBe("partner_wide_key_required");
      expect((await call("GET", path, { key: reader })).status).toBe(200);
    }
    for (const [method, body] of [
      ["PATCH", { status: "paused" }],
      ["DELETE", undefined],
    ] as const) {
      expect((await call(method, `/${link.id}`, { key: other.key, body })).body.code).toBe("not_found");
      expect((await call(method, `/${link.id}`, { key: reader, body })).body.code).toBe("insufficient_scope");
    }
    expect((await walk(world, other.key, "/affiliate-links", {})).map(({ id }: Json) => id)).not.toContain(link.id);
  });

  test("have more than a thousand links that are not archived: nobody", async () => {
    const mine = await world.newPartner();
    const link = await newLink(mine);
    await world.db.sql(
      `insert into affiliate_links (partner_id, id, code, code_key, destination_url, window_days, status, created_by, created_at, updated_at)
       select partner_id, 'lnk_' || lpad(i::text, 26, '0'), 'x' || i, 'x' || i, destination_url, 90, 'paused', 'system', now(), now()
       from affiliate_links, generate_series(1, 999) i where id = $1`,
      [link.id],
    );
    const refused = await create(mine, { destination_url: "https://shop.example" });
    expect(refused.body).toMatchObject({ code: "link_limit_reached", limit: 1000 });
    await world.call("DELETE", `${PATH}/${link.id}`, { key: mine.key });
    const last = await newLink(mine);
    expect((await world.call("PATCH", `${PATH}/${link.id}`, { key: mine.key, body: { status: "active" } })).body.code).toBe(
      "link_limit_reached",
    );
    // One that was archived before it was blocked does not count, either.
    expect((await admin("POST", `/${link.id}/block`, { reason: "Phishing" })).status).toBe(200);
    await world.call("DELETE", `${PATH}/${last.id}`, { key: mine.key });
    await newLink(mine);
  });
});

describe("statistics", () => {
  test("have every day of the range, by default the last thirty", async () => {
    const link = await newLink(partner);
    const body = await stats(partner, link);
    expect(body).toMatchObject({ link_id: link.id, from: "2026-10-04", to: "2026-11-02" });
    expect(body.data).toHaveLength(30);
    expect(body.data.at(-1).day).toBe("2026-11-02");
    const nothing = { clicks: 0, unique: 0, bots: 0, repeats: 0, leads: 0, deals: 0, won: 0, commissions: [] };
    expect(body.totals).toEqual(nothing);
    expect((await stats(partner, link, "?from=2025-11-03&to=2026-11-02")).data).toHaveLength(365);
    for (const query of ["?from=2026-11-03", "?from=2025-01-01&to=2026-11-02", "?from=2026-13-01", "?to=x"])
      expect((await stats(partner, link, query)).code).toBe("invalid_parameter");
  });

  test("are a CSV file too", async () => {
    const link = await newLink(partner);
    const { body } = await call("GET", `/${link.id}/stats?from=2026-11-01&to=2026-11-02&format=csv`);
    expect(body.split("\r\n").slice(0, 2)).toEqual([
      "day,clicks,unique,bots,repeats,leads,deals,won,commissions",
      "2026-11-01,0,0,0,0,0,0,0,",
    ]);
  });
});

describe("the operator", () => {
  test("lists the links of all partners, by partner, status and code", async () => {
    const [mine, theirs] = [await newLink(partner, { code: "Mine-100" }), await newLink(other)];
    await world.call("PATCH", `${PATH}/${theirs.id}`, { key: other.key, body: { status: "paused" } });
    const ids = async (query: string) => (await admin("GET", query)).body.data.map(({ id }: Json) => id);
    expect((await ids("")).slice(0, 2)).toEqual([theirs.id, mine.id]);
    expect((await admin("GET", `?partner_id=${other.partner_id}&limit=1`)).body.data).toMatchObject([
      { id: theirs.id, partner_id: other.partner_id, partner_company: "Test Agency", status: "paused" },
    ]);
    expect(await ids("?code=mine-1OO")).toEqual([mine.id]);
    expect(await ids(`?status=active&partner_id=${other.partner_id}`)).not.toContain(theirs.id);
    expect(await ids("?status=paused")).toContain(theirs.id);
    expect((await admin("GET", "?code=mine-100&format=csv")).text).toContain(mine.url);
  });

  test("blocks a link: it leads nowhere, and the partner cannot change it until it is unblocked", async () => {
    const link = await newLink(partner);
    const lead = await click(link);
    const blocked = await admin("POST", `/${link.id}/block`, { reason: "Phishing" });
    expect([blocked.status, blocked.body.status, blocked.body.version]).toEqual([200, "blocked", 2]);
    expect((await admin("POST", `/${link.id}/block`, { reason: "Phishing" })).body.version).toBe(2);
    expect((await admin("GET", `/${link.id}`)).body).toEqual(blocked.body);
    const { status, location } = await visit(`/r/${link.code}`);
    expect([status, location]).toEqual([404, ""]);
    for (const [method, body] of [
      ["PATCH", { status: "active" }],
      ["DELETE", undefined],
    ] as const) {
      const refused = await call(method, `/${link.id}`, body === undefined ? {} : { body });
      expect([refused.status, refused.body.code]).toEqual([409, "invalid_state_transition"]);
    }
    const audited = await walk(world, partner.key, "/audit-log", { action: "affiliate_links.block" });
    expect(audited[0]).toMatchObject({ target: link.id, changes: { reason: { to: "Phishing" } } });
    const body = { name: "Visitor", email: "visitor@client.example", source: { click_id: lead } };
    const before = await world.call("POST", `${GENERAL}/leads`, { key: partner.key, body });
    expect(before.body.affiliate_link_id).toBe(link.id);
    expect((await admin("POST", `/${link.id}/unblock`)).body.status).toBe("paused");
    const [undone] = await walk(world, partner.key, "/audit-log", { action: "affiliate_links.unblock" });
    expect(undone).toMatchObject({ target: link.id, changes: { status: { from: "blocked", to: "paused" } } });
    expect((await visit(`/r/${link.code}`)).status).toBe(302);
    expect((await call("PATCH", `/${link.id}`, { body: { status: "active" } })).status).toBe(200);
    expect((await admin("POST", "/lnk_01jd3k5y5cf7m8n9p0q1r2s3t4/block", { reason: "None" })).status).toBe(404);
  });

  test("unblocks a link that was archived as an archived one", async () => {
    const link = await newLink(partner);
    await call("DELETE", `/${link.id}`);
    const statuses = [];
    for (const act of ["block", "unblock", "block", "unblock"])
      statuses.push(
        (await admin("POST", `/${link.id}/${act}`, act === "block" ? { reason: "Phishing" } : undefined)).body.status,
      );
    expect(statuses).toEqual(["blocked", "archived", "blocked", "archived"]);
    expect((await call("PATCH", `/${link.id}`, { body: { status: "active" } })).status).toBe(200);
    await admin("POST", `/${link.id}/block`, { reason: "Phishing" });
    expect((await admin("POST", `/${link.id}/unblock`)).body.status).toBe("paused");
  });
});

test("leads and deals are found by the link that they came by", async () => {
  const link = await newLink(partner);
  const post = async (path: string, body: object) =>
    (await world.call("POST", `${GENERAL}${path}`, { key: partner.key, body })).body;
  const lead = await post("/leads", { name: "Came", email: "came@client.example", source: { click_id: await click(link) } });
  await post("/leads", { name: "Others", email: "others@client.example" });
  const deal = await post("/deals", { name: "Seats", click_id: await click(link) });
  await post("/deals", { name: "Others" });
  for (const [path, id] of [
    ["/leads", lead.id],
    ["/deals", deal.id],
  ]) {
    const { body } = await world.call("GET", `${GENERAL}${path}?affiliate_link_id=${link.id}`, { key: partner.key });
    expect(body.data.map((row: Json) => row.id)).toEqual([id]);
  }
});
