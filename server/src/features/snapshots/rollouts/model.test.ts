import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { Refusal } from "../../../kernel/errors.ts";
import {
  type Action,
  advanced,
  canaryOf,
  defaultCanary,
  MEMBER_STATUSES,
  type MemberStatus,
  mayAct,
  newCounts,
  type Progress,
  phaseOf,
  STATUSES,
  type Status,
  toldStatus,
  withMoves,
} from "./model.ts";

function rollout(total: number, canary_members: number, changes: Partial<Progress> = {}): Progress {
  return {
    status: canary_members > 0 ? "canary" : "running",
    status_reason: null,
    dry_run: false,
    total,
    canary_members,
    max_failure_percent: 5,
    counts: newCounts(total),
    canary_counts: newCounts(canary_members),
    rolled_back_at: null,
    ...changes,
  };
}

const moves = (to: MemberStatus, count: number, canary = false) => [{ from: "queued" as const, to, canary, count }];

describe("the phases of a rollout", () => {
  test("the others follow once every member of the canary is through", () => {
    const begun = advanced(rollout(100, 2), moves("succeeded", 1, true));
    expect([begun.status, begun.counts.queued]).toEqual(["canary", 99]);
    expect(advanced(begun, moves("skipped", 1, true)).status).toBe("running");
  });

  test("one failure of two halts a canary, whatever the whole has", () => {
    const halted = advanced(rollout(1_000, 2), moves("failed", 1, true));
    expect([halted.status, halted.status_reason]).toEqual(["halted", "too_many_failures"]);
  });

  test("the bound is of the members of the phase, and is not exceeded by what equals it", () => {
    const running = rollout(100, 0);
    expect(advanced(running, moves("failed", 5)).status).toBe("running");
    expect(advanced(running, moves("failed", 6)).status).toBe("halted");
    expect(advanced(rollout(100, 0, { max_failure_percent: 100 }), moves("failed", 99)).status).toBe("running");
  });

  test("failures of the canary are not counted against the others", () => {
    const accepted = { ...withMoves(rollout(100, 10), moves("failed", 10, true)), status: "running" as const };
    expect(advanced(accepted, moves("failed", 4)).status).toBe("running");
    expect(advanced(accepted, moves("failed", 5)).status).toBe("halted");
  });

  test("what was resumed goes on until the next failure", () => {
    const resumed = withMoves(rollout(100, 0), moves("failed", 50));
    expect(advanced(resumed, moves("succeeded", 10)).status).toBe("running");
    expect(advanced(resumed, moves("failed", 1)).status).toBe("halted");
  });

  test("it ends with its last member, with or without errors, and a dry run never halts", () => {
    expect(advanced(rollout(3, 0), moves("succeeded", 3)).status).toBe("completed");
    expect(advanced(rollout(3, 0), moves("failed", 3)).status).toBe("completed_with_errors");
    expect(advanced(rollout(3, 0, { dry_run: true }), moves("failed", 2)).status).toBe("running");
  });

  test("a rollback goes on as a rollback", () => {
    expect(phaseOf(rollout(10, 2, { rolled_back_at: new Date(0) }))).toBe("rolling_back");
  });

  test("counts sum to the total, whatever happens", () => {
    const one = fc.record({
      from: fc.constantFrom(...MEMBER_STATUSES),
      to: fc.constantFrom(...MEMBER_STATUSES),
      canary: fc.boolean(),
      count: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.nat(1_000), fc.array(one), (total, list) => {
        const { counts } = withMoves(rollout(total, 0), list);
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
      }),
    );
  });
});

/** The statuses in which an action is possible, and those in which it changes nothing. */
function possible(action: Action, rolled_back_at: Date | null = null): Record<string, Status[]> {
  const outcome = (status: Status) => {
    try {
      return mayAct({ status, rolled_back_at }, action) ? "possible" : "done";
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      return "refused";
    }
  };
  return { ...Object.groupBy(STATUSES, outcome) } as Record<string, Status[]>;
}

describe("what a caller can do", () => {
  test("is as the table says", () => {
    expect(possible("pause").possible).toEqual(["queued", "canary", "running"]);
    expect(possible("resume").possible).toEqual(["paused", "halted"]);
    expect(possible("cancel")).toMatchObject({
      possible: ["queued", "canary", "running", "paused", "halted"],
      done: ["cancelled"],
    });
    expect(possible("rollback")).toMatchObject({ refused: ["queued"], done: ["rolling_back", "rolled_back"] });
    expect(possible("retry").refused).toEqual(["cancelled", "rolling_back", "rolled_back"]);
  });

  test("a rollback that was halted is not retried, but resumed", () => {
    expect(possible("retry", new Date(0)).possible).toBeUndefined();
    expect(possible("resume", new Date(0)).possible).toEqual(["paused", "halted"]);
  });
});

test("what is told: failed where nothing succeeded, partial where anything is missing", () => {
  const told = (counts: Partial<Record<MemberStatus, number>>, status: Status = "completed") =>
    toldStatus({ status, counts: { ...newCounts(0), ...counts } });
  expect(told({ succeeded: 3, skipped: 1 })).toBe("succeeded");
  expect(told({ succeeded: 118, partial: 2 })).toBe("partial");
  expect(told({ succeeded: 1, failed: 1 })).toBe("partial");
  expect(told({ failed: 2, skipped: 1 })).toBe("failed");
  expect(told({ unchanged: 4 })).toBe("succeeded");
  expect(told({ failed: 2 }, "halted")).toBe("halted");
});

describe("a canary", () => {
  const ids = Array.from({ length: 200 }, (_, index) => `cli_${index}`);

  test("is one of a hundred by default, at most 50, and none of fewer than ten", () => {
    expect([9, 10, 101, 100_000].map(defaultCanary)).toEqual([null, { count: 1 }, { count: 2 }, { count: 50 }]);
  });

  test("has the size that was asked for, the same members each time, and others for another rollout", () => {
    const chosen = canaryOf({ count: 20 }, "roll_1", ids);
    expect(chosen.size).toBe(20);
    expect(canaryOf({ count: 20 }, "roll_1", ids.toReversed())).toEqual(chosen);
    expect(canaryOf({ count: 20 }, "roll_2", ids)).not.toEqual(chosen);
    expect(canaryOf({ percent: 1 }, "roll_1", ids).size).toBe(2);
    expect(canaryOf({ count: 500 }, "roll_1", ids).size).toBe(200);
    expect(canaryOf(null, "roll_1", ids).size).toBe(0);
  });
});

test("a refusal says what the rollout is, and what it can become", () => {
  const refusal = (status: Status, action: Action) => refusalOf(() => mayAct({ status, rolled_back_at: null }, action));
  expect(refusal("completed", "pause")).toMatchObject({
    code: "invalid_state_transition",
    meta: { from: "completed", allowed: ["canary", "running", "rolling_back"] },
    message: "The rollout is completed. That does not allow to pause it.",
  });
  expect(refusal("queued", "rollback")).toMatchObject({
    meta: { from: "queued", allowed: ["paused", "cancelled"] },
    message: "The rollout is queued. That does not allow a rollback.",
  });
  expect(refusal("rolled_back", "cancel")?.meta).toEqual({ from: "rolled_back", allowed: [] });
});

test("one failure among others halts, and what was stopped is told as it is", () => {
  const both = [...moves("succeeded", 1), ...moves("failed", 10)];
  expect(advanced(rollout(100, 0), both).status).toBe("halted");
  const told = (counts: Partial<Record<MemberStatus, number>>, status: Status = "completed") =>
    toldStatus({ status, counts: { ...newCounts(0), ...counts } });
  for (const status of ["halted", "cancelled", "rolled_back"] as const) expect(told({ failed: 2 }, status)).toBe(status);
  expect(told({ skipped: 3 })).toBe("succeeded");
  expect(told({ failed: 1, succeeded: 1, unchanged: 1 })).toBe("partial");
  expect(told({ failed: 1, partial: 1, succeeded: 1 })).toBe("partial");
});

test("a canary of named clients has these, and one by percent its share, rounded up", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `cli_${index}`);
  expect(canaryOf({ client_ids: ["cli_3", "cli_7"] }, "roll_1", ids)).toEqual(new Set(["cli_3", "cli_7"]));
  expect(canaryOf({ percent: 50 }, "roll_1", ids).size).toBe(15);
  expect(canaryOf({ percent: 1 }, "roll_1", ids).size).toBe(1);
});
