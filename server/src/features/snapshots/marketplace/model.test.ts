import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import {
  isSameSubmission,
  type Listing,
  listed,
  PURCHASE_STATUSES,
  type Purchase,
  REVIEWS,
  requireDue,
  requireListed,
  requirePending,
  type Submission,
  submitted,
} from "./model.ts";

const AT = new Date("2026-05-01T00:00:00Z");
const NOW = new Date("2026-06-01T00:00:00Z");
const SUBMISSION: Submission = {
  submitted_version: 2,
  submitted_name: "Dental",
  submitted_description: "For dentists",
  submitted_by: "usr_1",
  submitted_at: AT,
};
const listing = (rest: Partial<Listing> = {}) =>
  ({
    ...SUBMISSION,
    id: "snp_1",
    visibility: "marketplace",
    name: "Old",
    description: null,
    listed_version: 1,
    listed_at: AT,
    review: "approved",
    review_reason: "fine",
    reviewed_by: "op_1",
    reviewed_at: AT,
    ...rest,
  }) as Listing;

describe("a submission", () => {
  test("is the same by its version and texts, whoever sends it", () => {
    expect(isSameSubmission(SUBMISSION, { ...SUBMISSION, submitted_by: "usr_2", submitted_at: NOW })).toBe(true);
    for (const other of [{ submitted_version: 3 }, { submitted_name: "X" }, { submitted_description: null }])
      expect(isSameSubmission(SUBMISSION, { ...SUBMISSION, ...other })).toBe(false);
  });

  test("waits for review, and what is listed stays listed", () => {
    const next = { ...SUBMISSION, submitted_version: 3, submitted_at: NOW };
    expect(submitted(listing(), next)).toEqual({
      ...listing(),
      ...next,
      review: "pending",
      review_reason: null,
      reviewed_by: null,
      reviewed_at: null,
    });
  });

  test("that waits already keeps its turn; one that was decided begins anew", () => {
    const waiting = listing({ review: "pending" });
    expect(submitted(waiting, { ...SUBMISSION, submitted_at: NOW })).toBe(waiting);
    expect(submitted(waiting, { ...SUBMISSION, submitted_name: "X" }).submitted_name).toBe("X");
    expect(submitted(listing({ review: "rejected" }), { ...SUBMISSION, submitted_at: NOW })).toMatchObject({
      review: "pending",
      submitted_at: NOW,
    });
  });
});

describe("what is listed", () => {
  test("is what was submitted, from now on, by the one who decided", () => {
    expect(listed(listing({ review: "pending" }), NOW, "op_2")).toEqual({
      ...listing(),
      name: "Dental",
      description: "For dentists",
      listed_version: 2,
      listed_at: NOW,
      review_reason: null,
      reviewed_by: "op_2",
      reviewed_at: NOW,
    });
  });

  test("keeps its time while its version stays, and needs nobody where there is no review", () => {
    const same = listed(listing({ submitted_version: 1 }), NOW, null);
    expect(same).toMatchObject({ listed_at: AT, reviewed_by: null, reviewed_at: null, review: "approved" });
  });
});

test("a decision needs something that waits", () => {
  expect(refusalOf(() => requirePending(listing({ review: "pending" }), "approved"))).toBeNull();
  expect(refusalOf(() => requirePending(listing({ review: "pending", visibility: "unlisted" }), "approved"))).toBeNull();
  const withdrawn = refusalOf(() => requirePending(listing({ review: "pending", visibility: "private" }), "approved"));
  expect(withdrawn).toMatchObject({ code: "invalid_state_transition", meta: { from: "withdrawn", to: "approved", allowed: [] } });
  for (const review of REVIEWS.filter((one) => one !== "pending"))
    expect(refusalOf(() => requirePending(listing({ review }), "rejected"))?.meta).toEqual({
      from: review,
      to: "rejected",
      allowed: [],
    });
});

test("what nobody sees is not taken down", () => {
  expect(refusalOf(() => requireListed(listing()))).toBeNull();
  expect(refusalOf(() => requireListed(listing({ listed_version: null })))).toMatchObject({
    code: "invalid_state_transition",
    meta: { from: "approved", to: "rejected", allowed: [] },
  });
});

test("a purchase is completed or cancelled once", () => {
  const outcomes = PURCHASE_STATUSES.map((status) => refusalOf(() => requireDue({ status } as Purchase, "completed")));
  expect(outcomes.map((refusal) => refusal?.meta ?? null)).toEqual([
    null,
    { from: "completed", to: "completed", allowed: [] },
    { from: "cancelled", to: "completed", allowed: [] },
  ]);
  expect(outcomes[1]?.code).toBe("invalid_state_transition");
});
