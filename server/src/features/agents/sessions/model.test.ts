import { expect, test } from "vitest";
import { CLAIM_MS, isClaimable, TURN_MS, TURN_STATES, type TurnRow } from "./model.ts";

const NOW = new Date("2026-05-01T10:00:00Z");
const [before, after] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
const claimable = (rest: Partial<TurnRow>) => isClaimable({ run_at: NOW, claimed_until: null, ...rest } as TurnRow, NOW);

test("a worker begins a turn once it is due", () => {
  for (const state of ["queued", "approved"] as const) {
    expect(claimable({ state, run_at: before })).toBe(true);
    expect(claimable({ state, run_at: NOW })).toBe(true);
    expect(claimable({ state, run_at: after })).toBe(false);
  }
});

test("a running turn is taken over once the claim of its worker is over", () => {
  expect(claimable({ state: "running", claimed_until: before })).toBe(true);
  expect(claimable({ state: "running", claimed_until: NOW })).toBe(true);
  expect(claimable({ state: "running", claimed_until: after })).toBe(false);
  expect(claimable({ state: "running", claimed_until: null })).toBe(false);
  expect(TURN_MS).toBeLessThan(CLAIM_MS);
});

test("a turn that is over is never begun again", () => {
  const over = TURN_STATES.filter((state) => !["queued", "approved", "running"].includes(state));
  for (const state of over) expect(claimable({ state, run_at: before, claimed_until: before })).toBe(false);
});
