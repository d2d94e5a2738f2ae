import { expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { type AccessRequest, checkDecision, REQUEST_STATUSES } from "./model.ts";

const request = (status: AccessRequest["status"]): AccessRequest => ({
  id: "acr_1",
  partner_id: "ptr_1",
  status,
  version: 1,
  json: "",
});

test("an open request is decided, and the same decision again changes nothing", () => {
  for (const decision of ["granted", "declined"] as const) {
    expect(checkDecision(request("open"), decision)).toBe(true);
    expect(checkDecision(request(decision), decision)).toBe(false);
  }
  expect(REQUEST_STATUSES).toEqual(["open", "granted", "declined"]);
});

test("a decided request cannot be decided otherwise", () => {
  expect(refusalOf(() => checkDecision(request("granted"), "declined"))).toMatchObject({
    code: "invalid_state_transition",
    meta: { from: "granted", to: "declined", allowed: [] },
  });
});
