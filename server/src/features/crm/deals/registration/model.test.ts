import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import {
  AUDITED,
  checkDecision,
  checkNotClosed,
  DECISIONS,
  daysAfter,
  isExpired,
  isProtecting,
  outcomeOf,
  REGISTRATION_COLUMNS,
  type Registration,
  STATUSES,
} from "./model.ts";

const NOW = new Date("2026-11-02T09:30:00.000Z");
const registration = (fields: Partial<Registration>): Registration => ({
  status: "submitted",
  protected_until: NOW.toISOString(),
  reason: null,
  submitted_at: NOW.toISOString(),
  decided_by: null,
  decided_at: null,
  upline: [],
  ...fields,
});

test("a deal protects its company while its registration is open or approved", () => {
  expect(STATUSES.filter((status) => isProtecting({ status }))).toEqual(["submitted", "approved", "needs_info"]);
});

test("protection ends at its instant", () => {
  const { protected_until } = registration({});
  expect(isExpired({ protected_until }, new Date(NOW.getTime() - 1))).toBe(false);
  expect(isExpired({ protected_until }, NOW)).toBe(true);
  expect(isExpired({ protected_until }, new Date(NOW.getTime() + 1))).toBe(true);
});

test("a number of days is counted in days of 24 hours", () => {
  expect(daysAfter(NOW, 0)).toBe("2026-11-02T09:30:00.000Z");
  expect(daysAfter(NOW, 90)).toBe("2027-01-31T09:30:00.000Z");
});

test.each([
  ["open", null, null],
  ["won", null, "won"],
  ["lost", null, "lost"],
  ["open", NOW, "lost"],
  ["won", NOW, "lost"],
] as const)("a deal that is %s, deleted at %j, ended as %j", (status, deleted_at, outcome) => {
  expect(outcomeOf({ status, deleted_at })).toBe(outcome);
});

describe("a decision", () => {
  const all = STATUSES.flatMap((status) => STATUSES.map((to) => ({ status, to })));

  test.each(all)("from $status to $to changes an open deal where the table says so", ({ status, to }) => {
    const refused = refusalOf(() => {
      expect(checkDecision({ status }, null, to)).toBe(status !== to);
    });
    if (status === to || DECISIONS[status].includes(to)) expect(refused).toBeNull();
    else
      expect(refused).toMatchObject({
        code: "invalid_state_transition",
        meta: { from: status, to, allowed: DECISIONS[status] },
      });
  });

  test("about a won deal is any but its withdrawal", () => {
    expect(checkDecision({ status: "approved" }, "won", "rejected")).toBe(true);
    expect(refusalOf(() => checkDecision({ status: "approved" }, "won", "withdrawn"))?.meta).toEqual({
      from: "approved",
      to: "withdrawn",
      allowed: ["rejected"],
    });
  });

  test("about a lost deal is none, but for the one that it has", () => {
    const refused = refusalOf(() => checkDecision({ status: "submitted" }, "lost", "approved"));
    expect(refused).toMatchObject({ code: "invalid_state_transition", meta: { allowed: [] } });
    expect(refused?.message).toContain("is lost");
    expect(refusalOf(() => checkDecision({ status: "withdrawn" }, "won", "approved"))?.message).toContain("is won");
    expect(checkDecision({ status: "approved" }, "lost", "approved")).toBe(false);
  });

  test("that was wrong can be made good, but a withdrawal is final", () => {
    expect(checkDecision({ status: "rejected" }, null, "approved")).toBe(true);
    expect(checkDecision({ status: "expired" }, null, "approved")).toBe(true);
    expect(checkDecision({ status: "needs_info" }, null, "rejected")).toBe(true);
    expect(DECISIONS.withdrawn).toEqual([]);
  });

  test("reaches every status but the first and the one that time brings", () => {
    const reached = new Set(Object.values(DECISIONS).flat());
    expect(STATUSES.filter((status) => !reached.has(status))).toEqual(["submitted", "expired"]);
  });
});

describe("a deal moves", () => {
  test.each(STATUSES)("with the registration %s, unless that was rejected or withdrawn", (status) => {
    const refused = refusalOf(() => checkNotClosed(registration({ status })));
    if (status === "rejected" || status === "withdrawn")
      expect(refused).toMatchObject({ code: "registration_closed", meta: { registration_status: status } });
    else expect(refused).toBeNull();
  });

  test("without a registration, and is told why it does not", () => {
    expect(refusalOf(() => checkNotClosed(null))).toBeNull();
    const messageOf = (reason: string | null) =>
      refusalOf(() => checkNotClosed(registration({ status: "rejected", reason })))?.message;
    expect(messageOf("Known already.")).toMatch(/rejected: Known already\.$/);
    expect(messageOf(null)).toMatch(/rejected\.$/);
  });
});

test("an audit entry compares columns of the registration", () => {
  expect(REGISTRATION_COLUMNS).toEqual(expect.arrayContaining(["decided_by", ...AUDITED]));
  expect(AUDITED).toContain("status");
});
