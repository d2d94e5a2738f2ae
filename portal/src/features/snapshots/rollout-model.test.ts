import { expect, test } from "vitest";
import { boundOf, minutesOf, phasesOf } from "./rollout-model.ts";
import type { Rollout } from "./rollouts.data.ts";

const counts = (some: Partial<Rollout["counts"]>) =>
  ({
    queued: 0,
    succeeded: 0,
    partial: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    cancelled: 0,
    planned: 0,
    rolled_back: 0,
    ...some,
  }) as const;

const rollout = (some: Partial<Rollout>) =>
  ({
    total: 1200,
    canary_members: 12,
    counts: counts({ queued: 564, succeeded: 633, failed: 3 }),
    canary_counts: counts({ succeeded: 12 }),
    max_failure_percent: 2,
    status: "running",
    created_at: "2026-04-01T14:20:00.000Z",
    finished_at: null,
    ...some,
  }) as Rollout;

test("the bound is that of the phase that goes on", () => {
  expect(boundOf(rollout({}))).toMatchObject({ failed: 3, members: 1188, more: 20, percent: "0.25%" });
  const canary = rollout({
    counts: counts({ queued: 1190, succeeded: 9, failed: 1 }),
    canary_counts: counts({ queued: 2, failed: 1 }),
  });
  expect(boundOf(canary)).toMatchObject({ failed: 1, members: 12, more: -1, share: 1 });
});

test("everyone follows when the canary is done", () => {
  const at = "2026-04-01T14:24:00.000Z";
  expect(phasesOf(rollout({}), at).map(({ name, done, state, from, to }) => [name, done, state, from, to])).toEqual([
    ["Canary", 12, "done", "2026-04-01T14:20:00.000Z", at],
    ["Everyone", 624, "now", at, null],
  ]);
  const before = rollout({
    status: "canary",
    counts: counts({ queued: 1195, succeeded: 5 }),
    canary_counts: counts({ queued: 7 }),
  });
  expect(phasesOf(before, at).map(({ state, done }) => [state, done])).toEqual([
    ["now", 5],
    ["later", 0],
  ]);
});

test("whoever a cancelled rollout did not reach is not done", () => {
  const cancelled = rollout({
    status: "cancelled",
    counts: counts({ succeeded: 11, failed: 1, cancelled: 1188 }),
    canary_counts: counts({ succeeded: 11, failed: 1 }),
    finished_at: "2026-04-01T14:30:00.000Z",
  });
  expect(boundOf(cancelled)).toMatchObject({ failed: 1, members: 12, more: -1 });
  expect(phasesOf(cancelled, "2026-04-01T14:24:00.000Z").map(({ state, done }) => [state, done])).toEqual([
    ["done", 12],
    ["later", 0],
  ]);
});

test("minutes without clients are drawn, too", () => {
  const minutes = [
    { at: "2026-04-01T14:20:00.000Z", clients: 12, failed: 0 },
    { at: "2026-04-01T14:23:00.000Z", clients: 80, failed: 3 },
  ];
  const drawn = minutesOf({ minutes });
  expect(drawn).toHaveLength(15);
  expect(drawn.slice(-4).map(({ value, bad }) => [value, bad])).toEqual([
    [12, 0],
    [0, 0],
    [0, 0],
    [77, 3],
  ]);
});
