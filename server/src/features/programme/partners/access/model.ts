import { fail } from "../../../../kernel/errors.ts";

export const REQUEST_STATUSES = ["open", "granted", "declined"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A request as its row is read, with the JSON that the API shows of it. */
export type AccessRequest = { id: string; partner_id: string; status: RequestStatus; version: number; json: string };

/** Whether there is anything to decide. Deciding the same again is nothing; deciding otherwise takes a new request. */
export function checkDecision({ status }: AccessRequest, decision: "granted" | "declined"): boolean {
  if (status === decision) return false;
  if (status === "open") return true;
  fail("invalid_state_transition", {
    detail: `The request was ${status} before. The partner may ask again, or change its api_access directly.`,
    meta: { from: status, to: decision, allowed: [] },
  });
}
