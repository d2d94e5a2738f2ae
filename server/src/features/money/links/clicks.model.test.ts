import { describe, expect, test } from "vitest";
import { newId } from "../../../kernel/ids.ts";
import { dayCounts, flagged, lastClicks, visitorOf } from "./clicks.model.ts";

const START_MS = Date.parse("2026-11-02T09:30:00Z");
const [ada, ben] = ["ada", "ben"];

const click = (minute: number, visitor: string, bot: "agent" | null = null, link_id = "lnk_a") => ({
  id: newId("click", START_MS + minute * 60_000),
  partner_id: "ptr_a",
  link_id,
  referrer_host: null,
  bot,
  visitor,
});

describe("the clicks of a visitor", () => {
  test("within an hour of the last one are repeats, and the first of the day is a unique one", () => {
    const rows = flagged([click(0, ada), click(59, ada), click(118, ada), click(178, ada), click(178, ben)], []);
    expect(rows.map(({ repeat, first }) => [repeat, first])).toEqual([
      [false, true],
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(dayCounts(rows)).toEqual([{ link_id: "lnk_a", day: "2026-11-02", clicks: 5, visitors: 2, bots: 0, repeats: 2 }]);
  });

  test("are told apart by link, in whatever order they come, and bots are nobody", () => {
    const [late, early] = [click(10, ada), click(0, ada)];
    const rows = flagged([late, click(5, ada, null, "lnk_b"), early, click(6, ben, "agent"), click(7, ben)], []);
    expect(rows.map(({ id, repeat }) => [id === late.id, repeat])).toContainEqual([true, true]);
    expect(dayCounts(rows)).toEqual([
      { link_id: "lnk_a", day: "2026-11-02", clicks: 3, visitors: 2, bots: 1, repeats: 1 },
      { link_id: "lnk_b", day: "2026-11-02", clicks: 1, visitors: 1, bots: 0, repeats: 0 },
    ]);
  });

  test("have a last one, of which bots have none", () => {
    const [late, other] = [click(10, ada), click(5, ada, null, "lnk_b")];
    const last = lastClicks([late, other, click(0, ada), click(6, ben, "agent")]);
    expect(last.map(({ id }) => id)).toEqual([late.id, other.id]);
  });

  test("go on from what is stored", () => {
    const earlier = [{ link_id: "lnk_a", visitor: ada, id: newId("click", START_MS - 30 * 60_000) }];
    expect(flagged([click(0, ada), click(31, ben)], earlier)).toMatchObject([
      { repeat: true, first: false },
      { repeat: false, first: true },
    ]);
  });
});

test("a visitor is another one under another salt, on another link, from another address or with another browser", () => {
  const visit = { link_id: "lnk_a", ip: "203.0.113.7", agent: "Browser" };
  const salt = "01".repeat(32);
  const visitors = [
    visitorOf(salt, visit),
    visitorOf("02".repeat(32), visit),
    visitorOf(salt, { ...visit, link_id: "lnk_b" }),
    visitorOf(salt, { ...visit, ip: "203.0.113.8" }),
    visitorOf(salt, { ...visit, agent: "Other" }),
  ];
  expect(new Set(visitors).size).toBe(5);
  expect(visitorOf(salt, visit)).toBe(visitors[0]);
});

test("clicks are counted by day in UTC and by link, in their order", () => {
  const midnight = (Date.parse("2026-11-03T00:00:00Z") - START_MS) / 60_000;
  const clicks = [
    click(midnight, ada, null, "lnk_b"),
    click(midnight, ada),
    click(midnight - 1, ada),
    click(midnight - 1440, ben),
  ];
  const rows = clicks.map((one) => ({ ...one, repeat: false, first: true }));
  expect(dayCounts(rows).map(({ link_id, day, clicks: count }) => [link_id, day, count])).toEqual([
    ["lnk_a", "2026-11-02", 2],
    ["lnk_a", "2026-11-03", 1],
    ["lnk_b", "2026-11-03", 1],
  ]);
});

test("the last click of a visitor is the latest, in whatever order they come", () => {
  const [early, late] = [click(0, ada), click(10, ada)];
  for (const clicks of [
    [early, late],
    [late, early],
  ])
    expect(lastClicks(clicks).map(({ id }) => id)).toEqual([late.id]);
});

test("a visitor is 16 bytes in hexadecimal", () => {
  expect(visitorOf("01", { link_id: "lnk_a", ip: "203.0.113.7", agent: "Browser" })).toMatch(/^[0-9a-f]{32}$/);
});
