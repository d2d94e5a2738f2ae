import { fail } from "../../../../kernel/errors.ts";

export const REQUEST_STATUSES = ["open", "granted", "declined"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** A request for API access, with its JSON. */
export type AccessRequest = { id: string; partner_id: string; status: RequestStatus; version: number; json: string };

/** Whether there is anything to decide. The same decision again changes nothing; another one needs a new request. */
export function checkDecision({ status }: AccessRequest, decision: "granted" | "declined"): boolean {
  if (status === decision) return false;
  if (status === "open") return true;
  fail("invalid_state_transition", {
    detail: `The request was ${status} already. Change api_access of the partner directly, or decide on a new request.`,
    meta: { from: status, to: decision, allowed: [] },
  });
}
