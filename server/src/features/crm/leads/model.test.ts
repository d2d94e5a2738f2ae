import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import {
  COLUMNS,
  CONVERTIBLE,
  checkIdentified,
  FIELDS,
  IDENTIFYING,
  LEAD_STATUSES,
  type LeadStatus,
  NEW_COLUMNS,
  PERSONAL,
  reachable,
  refuseIdentity,
  refuseTransition,
  SETTABLE_STATUSES,
  SOURCE_FIELDS,
  SOURCE_KINDS,
  statusAfter,
  statusOfNew,
  TRANSITIONS,
  UTM_FIELDS,
  wayBetween,
} from "./model.ts";

describe("a lead", () => {
  const nobody = { name: null, phone: null, email: null, external_id: null };

  test.each(IDENTIFYING)("is identified by its %s alone", (field) => {
    expect(refusalOf(() => checkIdentified({ ...nobody, [field]: "x" }))).toBeNull();
  });

  test("that nothing identifies is refused, naming what would", () => {
    const refused = refusalOf(() => checkIdentified(nobody));
    expect(refused?.code).toBe("validation_failed");
    expect(refused?.faults).toEqual(IDENTIFYING.map((field) => `#/${field} identity_required`));
    expect(refusalOf(() => refuseIdentity(["phone", "email"]))?.message).toContain("phone, email");
  });

  test("shows the values of no field in the audit log but its owner and its status", () => {
    expect(FIELDS.filter((field) => !PERSONAL.has(field))).toEqual(["status", "owner_id"]);
    expect(NEW_COLUMNS).toEqual([...FIELDS, "score", "affiliate_link_id"]);
    expect(COLUMNS).toEqual(expect.arrayContaining([...NEW_COLUMNS, "converted_at", "contact_id", "deleted_at"]));
  });

  test("comes from a known kind of source, with fields of their own names", () => {
    expect(SOURCE_KINDS).toContain("form");
    expect([...SOURCE_FIELDS, ...UTM_FIELDS].length).toBe(9);
  });
});

describe("the status of a lead", () => {
  const before = (status: LeadStatus, disqualified_reason: string | null = null) => ({ status, disqualified_reason });
  const all = LEAD_STATUSES.flatMap((from) => LEAD_STATUSES.map((to) => ({ from, to })));

  test.each(all)("changes from $from to $to where the table says so", ({ from, to }) => {
    const refused = refusalOf(() => expect(statusAfter(before(from), { status: to }).status).toBe(to));
    if (from === to || TRANSITIONS[from].includes(to)) expect(refused).toBeNull();
    else expect(refused).toMatchObject({ code: "invalid_state_transition", meta: { from, to, allowed: TRANSITIONS[from] } });
  });

  test("never changes a converted lead, and callers never convert by it", () => {
    expect(TRANSITIONS.converted).toEqual([]);
    expect(Object.values(TRANSITIONS).flat()).not.toContain("converted");
    expect(LEAD_STATUSES.filter((status) => !(SETTABLE_STATUSES as readonly string[]).includes(status))).toEqual(["converted"]);
    expect(CONVERTIBLE).toEqual(["new", "working", "qualified"]);
  });

  test("that cannot change says what it can become", () => {
    expect(refusalOf(() => refuseTransition("new", "qualified"))?.message).toContain("working or disqualified");
    expect(refusalOf(() => refuseTransition("converted", "new"))?.message).toContain("undoing the conversion");
  });

  test("stays where a change does not name one", () => {
    expect(statusAfter(before("working"), {})).toEqual(before("working"));
    expect(statusAfter(before("disqualified", "spam"), {})).toEqual(before("disqualified", "spam"));
  });

  test("disqualified has a reason: the new one, or its own; null removes it", () => {
    const disqualified = before("disqualified", "spam");
    expect(statusAfter(before("new"), { status: "disqualified", reason: "spam" })).toEqual(disqualified);
    expect(statusAfter(before("new"), { status: "disqualified" })).toEqual(before("disqualified"));
    expect(statusAfter(before("working", "stale"), { status: "disqualified" })).toEqual(before("disqualified"));
    expect(statusAfter(disqualified, { reason: "other" })).toEqual(before("disqualified", "other"));
    expect(statusAfter(disqualified, { reason: null })).toEqual(before("disqualified"));
    expect(statusAfter(disqualified, { status: "working" })).toEqual(before("working"));
  });

  test("that is any other has no reason", () => {
    const wrong = { code: "validation_failed", faults: ["#/reason not_of_status"] };
    expect(refusalOf(() => statusAfter(before("new"), { status: "working", reason: "x" }))).toMatchObject(wrong);
    expect(refusalOf(() => statusOfNew({ reason: "x" }))).toMatchObject(wrong);
    expect(statusAfter(before("new"), { reason: null })).toEqual(before("new"));
  });

  test("of a new lead is new, or what is asked for", () => {
    expect(statusOfNew({})).toEqual(before("new"));
    expect(statusOfNew({ status: "qualified" })).toEqual(before("qualified"));
    expect(statusOfNew({ status: "disqualified", reason: "spam" })).toEqual(before("disqualified", "spam"));
    expect(statusOfNew({ status: "disqualified" })).toEqual(before("disqualified"));
  });
});

test("a lead gets from status to status on the shortest way that there is", () => {
  expect(wayBetween("new", "qualified")).toEqual(["working", "qualified"]);
  expect(wayBetween("qualified", "working")).toEqual(["disqualified", "working"]);
  expect(wayBetween("working", "working")).toEqual([]);
  expect(wayBetween("converted", "working")).toBeNull();
  expect(reachable("new")).toEqual(["working", "qualified", "disqualified"]);
  expect(reachable("converted")).toEqual([]);
});
