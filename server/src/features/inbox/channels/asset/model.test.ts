import { expect, test } from "vitest";
import { channelRules } from "./model.ts";

const { complete, natural, validate, portable } = channelRules;
const channel = (rest: object = {}) => complete({ kind: "webchat", name: "Chat", ...rest });
const faults = (rest: object) => validate(channel(rest), null).map(({ pointer, code }) => `${pointer} ${code}`);

test("a spec has all its members, and a name in any case", () => {
  expect(channel()).toEqual({ kind: "webchat", name: "Chat", config: {}, hours: null, timezone: null, per_minute: 60 });
  expect(natural({ name: "CHAT" }, null)).toBe("chat");
});

test("only what is not an account's own is in a configuration", () => {
  expect(faults({ config: { title: "Hello" } })).toEqual([]);
  expect(faults({ config: { origins: ["https://a.example"] } })).toEqual([expect.stringMatching(/^\/config\/origins /)]);
  expect(faults({ config: { title: 7 } })).toEqual([expect.stringMatching(/^\/config\/title /)]);
  expect(faults({ kind: "email", config: { title: "Hello" } })).toEqual([expect.stringMatching(/^\/config\/title /)]);
  expect(faults({ kind: "email", config: {} })).toEqual([]);
});

test("hours need their time zone", () => {
  expect(faults({ hours: { mon: [{ from: "09:00", to: "12:00" }] }, timezone: "UTC" })).toEqual([]);
  expect(faults({ hours: { mon: [] } })).toEqual(["/timezone timezone_required"]);
  expect(faults({ hours: { mon: [{ from: "09:00", to: "08:00" }] }, timezone: "UTC" })).toEqual(["/hours/mon/0 empty_period"]);
});

test("a simulator stays where it is", () => {
  expect(portable(channel())).toEqual({ spec: channel(), left_out: [] });
  expect(portable(channel({ kind: "simulator" }))).toEqual({
    spec: null,
    left_out: ["The channel Chat is a simulator, which is not for other accounts."],
  });
});
