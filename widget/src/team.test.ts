import { expect, test } from "vitest";
import { awayText } from "./team.ts";

test("who is away says when it is back, and stops saying so then", () => {
  const at = (time: string) => new Date(`2026-11-02T${time}:00`);
  const team = (open: boolean, time: string | null) => ({ open, changes_at: time === null ? null : at(time).toISOString() });
  expect(awayText(null, at("12:00"))).toBe("");
  expect(awayText(team(true, "17:00"), at("12:00"))).toBe("");
  expect(awayText(team(false, "17:00"), at("12:00"))).toBe(
    "We are away, and back on Monday at 17:00. Leave a message until then.",
  );
  expect(awayText(team(false, "17:00"), at("17:00"))).toBe("");
  for (const gone of [team(true, "17:00"), team(false, null)])
    expect(awayText(gone, at("18:00"))).toBe("We are away right now. Leave a message, and we will answer.");
});
