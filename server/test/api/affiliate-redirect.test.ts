import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { noteVisitors } from "../../src/features/money/links/clicks.queries.ts";
import { createClicks } from "../../src/features/money/links/index.ts";
import { linkJobs } from "../../src/features/money/links/jobs.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { Queryable } from "../../src/platform/db/statement.ts";
import { BROWSER, linksOf } from "../harness/links.ts";
import { entriesRead, onCluster } from "../harness/reads.ts";
import { DAY_MS } from "../harness/sales.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const { newLink, visit, stats } = linksOf(world);
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const change = (link: Json, body: object) =>
  world.call("PATCH", `${BASE}/affiliate-links/${link.id}`, { key: partner.key, body });

/** The counts of a link, as one line. */
async function counts(link: Json): Promise<Record<string, number>> {
  const { clicks, unique, bots, repeats } = (await stats(partner, link)).totals;
  return { clicks, unique, bots, repeats };
}

describe("a click", () => {
  test("leads to the destination with its id, is not cached, and is counted", async () => {
    const link = await newLink(partner, {
      code: "Summer",
      destination_url: "https://shop.example/a?b=1#c",
      campaign: "Sun & sea",
    });
    const { status, headers, location, click_id, text } = await visit("/r/Summer?sub_id=mail-7&utm_source=letter&destination=x");
    expect([status, text, headers["cache-control"]]).toEqual([302, "", "no-store"]);
    expect(headers).not.toHaveProperty("set-cookie");
    expect(location).toBe(
      `https://shop.example/a?b=1&sub_id=mail-7&utm_source=letter&utm_campaign=Sun%20%26%20sea&click_id=${click_id}#c`,
    );
    expect(click_id).toMatch(/^clk_[0-9a-z]{26}\.Summer\.[A-Za-z0-9_-]{22}$/);
    expect(await counts(link)).toEqual({ clicks: 1, unique: 1, bots: 0, repeats: 0 });
  });

  test("finds its link by the code in any case and with look-alikes", async () => {
    const link = await newLink(partner, { code: "Holiday-100" });
    for (const code of ["holiday-100", "HOLIDAY-1OO", "ho1iday-l00", "h0lIday-i0o"]) {
      const { status, click_id } = await visit(`/r/${code}`);
      expect([status, click_id?.split(".")[1]]).toEqual([302, "Holiday-100"]);
    }
    expect(await counts(link)).toEqual({ clicks: 4, unique: 1, bots: 0, repeats: 3 });
  });

  test("of the same visitor is repeated within an hour, and unique once a day", async () => {
    const link = await newLink(partner);
    const at = async (minutes: number, ip: string, agent = BROWSER) => {
      world.clock.advance(minutes * 60_000);
      await visit(`/r/${link.code}`, { "user-agent": agent }, "GET", ip);
      await world.app.clicks.flush();
    };
    await at(0, "203.0.113.1");
    await at(59, "203.0.113.1");
    await at(61, "203.0.113.1");
    await at(0, "203.0.113.2");
    await at(0, "203.0.113.1", `${BROWSER} Edg/140.0.0.0`);
    expect(await counts(link)).toEqual({ clicks: 5, unique: 3, bots: 0, repeats: 1 });
    await at(24 * 60, "203.0.113.1");
    expect((await stats(partner, link)).data.slice(-2).map(({ clicks, unique }: Json) => [clicks, unique])).toEqual([
      [5, 3],
      [1, 1],
    ]);
  });

  test("by a bot or a prefetch is flagged, and by HEAD there is none", async () => {
    const link = await newLink(partner);
    const url = `/r/${link.code}`;
    await visit(url, { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" });
    await visit(url, { "user-agent": "" });
    await visit(url, { "sec-purpose": "prefetch;prerender" });
    await visit(url, { purpose: "prefetch" });
    await visit(url, { "x-moz": "prefetch" });
    const head = await visit(url, {}, "HEAD");
    expect([head.status, head.location]).toEqual([302, "https://shop.example/pricing"]);
    expect(await counts(link)).toEqual({ clicks: 0, unique: 0, bots: 5, repeats: 0 });
    const rows = await world.db.sql<{ bot: string }>("select bot from clicks where link_id = $1 order by id", [link.id]);
    expect(rows.map(({ bot }) => bot)).toEqual(["agent", "agent", "prefetch", "prefetch", "prefetch"]);
    expect((await visit(url, {}, "POST")).status).toBe(405);
  });

  test("keeps of the visitor neither address nor browser, and of the referrer its host", async () => {
    const link = await newLink(partner);
    await visit(`/r/${link.code}`, { referer: "https://news.example/letter?reader=ada%40example.com" }, "GET", "198.51.100.23");
    await world.app.clicks.flush();
    const [row] = await world.db.sql<{ text: string }>("select to_jsonb(c)::text as text from clicks c where link_id = $1", [
      link.id,
    ]);
    expect(row?.text).toContain('"news.example"');
    for (const trace of ["198.51.100", "Mozilla", "reader", "letter"]) expect(row?.text).not.toContain(trace);
  });
});

describe("a link whose clicks do not count still leads to its destination", () => {
  test.each<[string, (link: Json) => Promise<unknown>]>([
    ["paused", (link) => change(link, { status: "paused" })],
    ["archived", (link) => world.call("DELETE", `${BASE}/affiliate-links/${link.id}`, { key: partner.key })],
    ["expired", (link) => change(link, { expires_at: world.clock.now().toISOString() })],
  ])("%s", async (_, end) => {
    const link = await newLink(partner);
    await end(link);
    const { status, location } = await visit(`/r/${link.code}?sub_id=x`);
    expect([status, location]).toEqual([302, "https://shop.example/pricing?sub_id=x"]);
    expect(await counts(link)).toEqual({ clicks: 0, unique: 0, bots: 0, repeats: 0 });
  });

  test("of a suspended partner, until it is active again", async () => {
    const mine = await world.newPartner();
    const link = await newLink(mine);
    const set = (status: string) => world.db.sql("update partners set status = $2 where id = $1", [mine.partner_id, status]);
    await set("suspended");
    expect((await visit(`/r/${link.code}`)).location).toBe("https://shop.example/pricing");
    await set("active");
    expect((await visit(`/r/${link.code}`)).click_id).not.toBeNull();
  });
});

describe("an unknown code", () => {
  test.each(["/r/unknown", "/r/abc", "/r/%2e%2e%2fadmin", "/r/%F0%9F%99%82", `/r/${"a".repeat(500)}`, "/r/a%00bcd"])(
    "%s is a plain page",
    async (path) => {
      const { status, headers, text, location } = await visit(path);
      expect([status, headers["content-type"], location]).toEqual([404, "text/html; charset=utf-8", ""]);
      expect(text).toContain("Link not found");
      expect(text).not.toContain(path.slice(3));
    },
  );
});

test("no request leads anywhere but to the destination", async () => {
  const link = await newLink(partner, { code: "no-open" });
  const evil = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "%0d%0aLocation:%20https://evil.example",
  ];
  const names = ["destination_url", "url", "next", "to", "redirect", "sub_id", "utm_source", "utm_campaign", "click_id", "code"];
  for (const text of evil) {
    for (const name of names) {
      const { location, headers } = await visit(`/r/${link.code}?${name}=${text}`);
      const { origin, pathname, searchParams } = new URL(location);
      expect([origin, pathname, searchParams.getAll("click_id").length]).toEqual(["https://shop.example", "/pricing", 1]);
      expect(location).not.toMatch(/[\r\n]/);
      expect(headers).not.toHaveProperty("x");
    }
    const paths = [
      `/r/${text}`,
      `/r/${link.code}/${text}`,
      `/r/${link.code}${text}`,
      `/r//${text}`,
      `/r/${link.code}%2f..%2f${text}`,
    ];
    for (const path of paths) expect((await visit(path)).location).toBe("");
  }
  for (const headers of [
    { host: "evil.example" },
    { "x-forwarded-host": "evil.example" },
    { referer: "https://evil.example" },
  ] as Record<string, string>[])
    expect(new URL((await visit(`/r/${link.code}`, headers)).location).origin).toBe("https://shop.example");
});

describe("the buffer", () => {
  const noted = (link: Json, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: newId("click", world.clock.now().getTime()),
      partner_id: partner.partner_id,
      link_id: link.id,
      ip: `203.0.113.${index % 200}`,
      agent: BROWSER,
      referrer_host: null,
      bot: null,
    }));

  test("that is full drops clicks and says how many", async () => {
    const link = await newLink(partner);
    const dropped: number[] = [];
    const clicks = createClicks(world.app.services, { delayed: () => undefined, dropped: (count) => dropped.push(count) }, 600);
    for (const click of noted(link, 1_000)) clicks.note(click);
    await clicks.close();
    expect(dropped).toEqual([400]);
    expect((await counts(link)).clicks).toBe(600);
  });

  test("stores a click once, even if it is stored again, and keeps it while the database refuses", async () => {
    const link = await newLink(partner);
    const failed: unknown[] = [];
    const broken = { ...world.app.services, db: { ...world.app.services.db } };
    const reports = { delayed: (error: unknown) => failed.push(error), dropped: () => undefined };
    const clicks = createClicks(broken, reports);
    const some = noted(link, 3);
    for (const click of some) clicks.note(click);
    const { transaction } = broken.db;
    // As when the reply to a COMMIT is lost: it is stored, and nobody knows.
    broken.db.transaction = async (plan) => {
      await transaction(plan);
      throw new Error("Connection terminated");
    };
    await clicks.flush();
    broken.db.transaction = transaction;
    await clicks.close();
    expect(failed).toHaveLength(1);
    expect(await counts(link)).toEqual({ clicks: 3, unique: 3, bots: 0, repeats: 0 });
  });

  test("of two processes at once counts each visitor once", async () => {
    const link = await newLink(partner);
    const reports = { delayed: (error: unknown) => Promise.reject(error), dropped: () => undefined };
    const both = [createClicks(world.app.services, reports), createClicks(world.app.services, reports)];
    for (const clicks of both) for (const click of noted(link, 20)) clicks.note(click);
    await Promise.all(both.map((clicks) => clicks.close()));
    expect(await counts(link)).toEqual({ clicks: 40, unique: 20, bots: 0, repeats: 20 });
  });

  test.skipIf(onCluster())(
    "reads as much on a day with many clicks as on one with few, with and without statistics",
    async () => {
      const mine = await world.newPartner();
      const link = await newLink(mine);
      const reports = { delayed: (error: unknown) => Promise.reject(error), dropped: () => undefined };
      const store = async (count: number) => {
        const clicks = createClicks(world.app.services, reports);
        for (const click of noted(link, count)) clicks.note({ ...click, partner_id: mine.partner_id });
        await clicks.close();
      };
      const read = async () => {
        const known = await world.db.sql<{ link_id: string; visitor: string }>(
          "select distinct link_id, encode(visitor, 'hex') as visitor from clicks where link_id = $1 order by 2 limit 5",
          [link.id],
        );
        const [{ id } = { id: "" }] = noted(link, 1);
        const last = [...known, { link_id: link.id, visitor: "00" }].map((visit) => ({ ...visit, id }));
        const ask = async (db: Queryable) => expect(await noteVisitors(db, mine.partner_id, last)).toHaveLength(5);
        const counts: number[] = [];
        for (const plan of ["force_generic_plan", "force_custom_plan"] as const)
          for (const table of ["link_visitors", "clicks"]) counts.push(await entriesRead(world.db.service, table, plan, ask));
        return Math.max(...counts);
      };
      await store(200);
      const few = await read();
      await store(4_000);
      const many = await read();
      await world.db.sql("analyze link_visitors, clicks");
      // Six visitors are asked for. The entries of old versions of a row are read too, until they are removed; a day has 4,200.
      for (const count of [few, many, await read()]) expect(count).toBeLessThanOrEqual(60);
    },
  );

  test("forgets the salts and the visitors after two days", async () => {
    const link = await newLink(partner);
    await visit(`/r/${link.code}`);
    await world.app.clicks.flush();
    const salts = async () =>
      (await world.db.sql<{ day: string }>("select day::text from click_salts order by 1")).map(({ day }) => day);
    const visitors = async () =>
      (await world.db.sql<{ day: string }>("select distinct day::text from link_visitors order by 1")).map(({ day }) => day);
    const today = world.clock.now().toISOString().slice(0, 10);
    expect(await salts()).toContain(today);
    expect(await visitors()).toContain(today);
    const [job] = linkJobs(world.app.services, "03:20");
    const { db } = world.app.services;
    const later = (days: number) => ({ now: () => new Date(world.clock.now().getTime() + days * DAY_MS) });
    await job?.run({ db, owner: db, clock: later(1) });
    expect([await salts(), await visitors()]).toEqual([[today], [today]]);
    expect(await job?.run({ db, owner: db, clock: later(1) })).toBe("0 salts and 0 visitors deleted");
    await job?.run({ db, owner: db, clock: later(2) });
    expect([await salts(), await visitors()]).toEqual([[], []]);
  });
});

describe("a flood", () => {
  let limited: App;
  beforeAll(async () => {
    limited = await createApp({
      connection: world.db.service,
      connections_max: 4,
      secret_key: "x".repeat(32),
      baseUrl: () => "http://tributary.test",
      migration: 0,
      log: pino({ level: "silent" }),
      role: "api",
      clock: world.clock,
    });
  });
  afterAll(() => limited.close());

  test("from one network is refused, others go on, and known clicks are stored", async () => {
    const link = await newLink(partner);
    const from = (remoteAddress: string) =>
      limited.http.inject({ url: `/r/${link.code}`, headers: { "user-agent": BROWSER }, remoteAddress });
    const replies = await Promise.all(Array.from({ length: 300 }, () => from("203.0.113.99")));
    const statuses = replies.map(({ statusCode }) => statusCode);
    const followed = statuses.filter((status) => status === 302).length;
    expect(new Set(statuses)).toEqual(new Set([302, 429]));
    expect(followed).toBeGreaterThanOrEqual(100);
    const refused = replies.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ code: "rate_limit_exceeded" });
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await from("203.0.113.98")).statusCode).toBe(302);
    const guess = () => limited.http.inject({ url: "/r/unknown", remoteAddress: "203.0.113.97" });
    const guesses = await Promise.all(Array.from({ length: 300 }, guess));
    expect(new Set(guesses.map(({ statusCode }) => statusCode))).toEqual(new Set([404, 429]));
    await limited.clicks.flush();
    expect((await counts(link)).clicks).toBe(followed + 1);
  });
});
