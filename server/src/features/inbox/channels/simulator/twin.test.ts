import fc from "fast-check";
import { expect, test } from "vitest";
import { chanceOf, courseOf } from "./twin.ts";

const statuses = (faults: object, place: string) => courseOf(faults, chanceOf(7, place)).map(({ status }) => status);

test("without faults a message is sent and delivered", () => {
  expect(courseOf({}, chanceOf(1, "x"))).toEqual([
    { status: "sent", after_ms: 0 },
    { status: "delivered", after_ms: 0 },
  ]);
});

test("faults are those of the seed and the message, each as often as it is asked for", () => {
  const places = Array.from({ length: 400 }, (_, index) => `+1555${index}`);
  expect(statuses({ reorder: 1 }, "x")).toEqual(["delivered", "sent"]);
  expect(statuses({ duplicate: 1 }, "x")).toEqual(["sent", "sent", "delivered", "delivered"]);
  expect(places.map((place) => statuses({ reorder: 0.5 }, place))).toEqual(
    places.map((place) => statuses({ reorder: 0.5 }, place)),
  );
  const reordered = places.filter((place) => statuses({ reorder: 0.5 }, place)[0] === "delivered").length;
  expect(reordered).toBeGreaterThan(140);
  expect(reordered).toBeLessThan(260);
  fc.assert(
    fc.property(fc.string(), fc.nat(60_000), (place, delay_ms) => {
      const times = courseOf({ delay_ms }, chanceOf(3, place)).map(({ after_ms }) => after_ms);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(Math.max(...times)).toBeLessThanOrEqual(2 * delay_ms);
    }),
  );
});
