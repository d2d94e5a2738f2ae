import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { checkStatus, obstacleOf, refuseArchived, requireOwn, type Snapshot, type SnapshotStatus } from "./model.ts";

const STATUSES: SnapshotStatus[] = ["draft", "published", "deprecated", "archived"];
const snapshot = (status: SnapshotStatus, latest_version: number | null = 1, rest: Partial<Snapshot> = {}) =>
  ({ name: "Dental", status, latest_version, origin: "own", ...rest }) as Snapshot;

describe("the status of a snapshot", () => {
  const NEXT = {
    draft: ["published", "archived"],
    published: ["deprecated", "archived"],
    deprecated: ["published", "archived"],
    archived: [],
  } as Record<SnapshotStatus, SnapshotStatus[]>;

  test.each(STATUSES)("goes on from %s, or stays", (from) => {
    for (const to of STATUSES) {
      const refusal = refusalOf(() => checkStatus(snapshot(from), to));
      if (from === to || NEXT[from].includes(to)) expect(refusal).toBeNull();
      else expect(refusal).toMatchObject({ code: "invalid_state_transition", meta: { from, to, allowed: NEXT[from] } });
    }
  });

  test("one without a version is not published, and may be archived", () => {
    expect(refusalOf(() => checkStatus(snapshot("draft", null), "published"))).toMatchObject({
      code: "validation_failed",
      faults: ["#/status no_version"],
    });
    expect(refusalOf(() => checkStatus(snapshot("draft", null), "archived"))).toBeNull();
  });
});

test("what was bought is changed by its seller alone", () => {
  expect(refusalOf(() => requireOwn(snapshot("published")))).toBeNull();
  expect(refusalOf(() => requireOwn(snapshot("published", 1, { origin: "bought" })))?.code).toBe("snapshot_bought");
});

test("what is archived no longer changes", () => {
  expect(STATUSES.map((status) => refusalOf(() => refuseArchived(snapshot(status)))?.meta ?? null)).toEqual([
    null,
    null,
    null,
    { from: "archived", allowed: [] },
  ]);
});

test("a snapshot is deployed where it has a version and is published; a deprecated one is only updated", () => {
  const both = (status: SnapshotStatus, latest: number | null = 1) =>
    (["install", "update"] as const).map((how) => obstacleOf({ status, latest_version: latest }, how));
  expect(both("published")).toEqual([null, null]);
  expect(both("deprecated")).toEqual(["deprecated", null]);
  expect(both("draft")).toEqual(["draft", "draft"]);
  expect(both("archived")).toEqual(["archived", "archived"]);
  expect(both("published", null)).toEqual(["no_version", "no_version"]);
});
