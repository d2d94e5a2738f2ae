import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { Settings } from "../../../platform/record/context.ts";
import { checkedConfig, checkHours, checkSecrets, isOpen, patchMembers, presence, refuseSimulator } from "./model.ts";

const settings = (rest: Partial<Settings> = {}) => ({ demo: false, egress: "public", ...rest }) as Settings;

test("the simulator is for demos and development", () => {
  const refused = (kind: "simulator" | "sms", rest: object) =>
    refusalOf(() => refuseSimulator(kind, settings(rest)))?.faults ?? null;
  expect(refused("simulator", {})).toEqual(["#/kind simulator_off"]);
  expect(refused("simulator", { demo: true })).toBeNull();
  expect(refused("simulator", { egress: "development" })).toBeNull();
  expect(refused("sms", {})).toBeNull();
});

test("a patch changes some members, and null removes one", () => {
  expect(patchMembers({ a: 1, b: 2, c: 3 }, { b: null, c: 4, d: 5, e: null })).toEqual({ a: 1, c: 4, d: 5 });
});

describe("the members of a kind of channel", () => {
  const pointers = async (call: Promise<unknown>) => {
    try {
      await call;
      return null;
    } catch (error) {
      return error instanceof Refusal ? error.explanation.faults?.map(({ pointer }) => pointer) : error;
    }
  };

  test("are checked, below their place", async () => {
    expect(await pointers(checkedConfig("api", { url: 7 }, settings()))).toEqual(["#/config/url"]);
    expect(await pointers(checkSecrets("webchat", { unknown: "x" }))).toEqual(["#/secrets/identity_secret", "#/secrets/unknown"]);
    expect(await pointers(checkSecrets("api", { secret: "x" }))).toEqual(["#/secrets/secret"]);
  });

  test("have addresses in their one form", async () => {
    expect(await checkedConfig("api", { url: "HTTPS://A.example" }, settings())).toEqual({ url: "https://a.example/" });
    expect(await pointers(checkedConfig("api", { url: "ftp://a.example" }, settings()))).toEqual(["#/config/url"]);
  });
});

describe("the hours of a channel", () => {
  const period = (from: string, to: string) => ({ from, to });
  const faults = (...given: Parameters<typeof checkHours>) => refusalOf(() => checkHours(...given))?.faults ?? null;

  test("need a time zone that there is", () => {
    expect(faults(null, null)).toBeNull();
    expect(faults(null, "Europe/Berlin")).toBeNull();
    expect(faults(null, "Europe/Atlantis")).toEqual(["#/timezone unknown_time_zone"]);
    expect(faults({ mon: [] }, null)).toEqual(["#/timezone timezone_required"]);
    expect(faults({ mon: [], tue: undefined }, "UTC")).toBeNull();
  });

  test("have periods one after the other", () => {
    const mon = (...periods: { from: string; to: string }[]) => faults({ mon: periods }, "UTC");
    expect(mon(period("09:00", "12:00"), period("12:00", "13:00"))).toBeNull();
    expect(mon(period("09:00", "09:00"))).toEqual(["#/hours/mon/0 empty_period"]);
    expect(mon(period("10:00", "09:00"))).toEqual(["#/hours/mon/0 empty_period"]);
    expect(mon(period("09:00", "12:00"), period("11:59", "13:00"))).toEqual(["#/hours/mon/1 overlapping_period"]);
    expect(faults({ mon: [period("09:00", "12:00")], tue: [period("08:00", "09:00")] }, "UTC")).toBeNull();
  });
});

test("a channel is open within the hours of its own time zone", () => {
  const hours = { mon: [{ from: "09:00", to: "12:00" }], sun: [{ from: "22:00", to: "24:00" }] };
  const at = (time: string) => isOpen(hours, "Europe/Berlin", new Date(time));
  expect(at("2026-11-02T08:00:00Z")).toBe(true);
  expect(at("2026-11-02T07:59:59Z")).toBe(false);
  expect(at("2026-11-02T11:00:00Z")).toBe(false);
  expect(at("2026-11-03T09:00:00Z")).toBe(false);
  expect(at("2026-11-01T22:59:00Z")).toBe(true);
  expect(at("2026-07-06T07:00:00Z")).toBe(true);
  expect(isOpen(null, null, new Date(0))).toBe(true);
});

test("a channel says when somebody is there again, and until when", () => {
  const hours = {
    mon: [
      { from: "09:00", to: "12:00" },
      { from: "13:00", to: "17:00" },
    ],
    sat: [{ from: "22:00", to: "24:00" }],
    sun: [{ from: "00:00", to: "02:00" }],
  };
  const at = (time: string) => presence(hours, "Europe/Berlin", new Date(time));
  const state = (open: boolean, time: string) => ({ open, changes_at: new Date(time) });
  expect(at("2026-11-02T08:30:00Z")).toEqual(state(true, "2026-11-02T11:00:00Z"));
  expect(at("2026-11-02T11:30:00Z")).toEqual(state(false, "2026-11-02T12:00:00Z"));
  expect(at("2026-11-02T17:00:00Z")).toEqual(state(false, "2026-11-07T21:00:00Z"));
  expect(at("2026-11-07T21:00:00Z")).toEqual(state(true, "2026-11-08T01:00:00Z"));
  // The clocks go back on 25 October.
  expect(at("2026-10-25T12:00:00Z")).toEqual(state(false, "2026-10-26T08:00:00Z"));
  expect(presence({}, "UTC", new Date(0))).toEqual({ open: false, changes_at: null });
  expect(presence(null, null, new Date(0))).toBeNull();
});
