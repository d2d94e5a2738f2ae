import { type Fault, fail } from "../../../../kernel/errors.ts";

/** The grades of a partner, in ascending order. */
export const GRADES = ["registered", "silver", "gold", "platinum"] as const;
export type Grade = (typeof GRADES)[number];

export const PARTNER_STATUSES = ["active", "suspended"] as const;

/** The maximum number of ancestors of a partner: as many levels as earn an override. */
export const UPLINE_MAX = 3;

/** What the operator may change of a partner: the columns of the update. */
export type PartnerFields = { company: string; parent_id: string | null; grade: string; api_access: boolean };

export const PARTNER_FIELDS = ["company", "parent_id", "grade", "api_access"] as const satisfies (keyof PartnerFields)[];

/** A partner as the operator sees it, with its JSON. */
export type Partner = PartnerFields & {
  id: string;
  status: (typeof PARTNER_STATUSES)[number];
  suspension_reason: string | null;
  version: number;
  json: string;
};

export function directionBetween(from: string, to: string): "up" | "down" | "none" {
  const steps = GRADES.indexOf(to as Grade) - GRADES.indexOf(from as Grade);
  if (steps === 0) return "none";
  return steps > 0 ? "up" : "down";
}

/** Refuses a parent that is the partner itself or a descendant of it, or would make the tree too deep. */
export function validateParent(partner_id: string | null, parent_id: string, upline: string[], levels_below: number): void {
  const line = [parent_id, ...upline];
  if (partner_id !== null && line.includes(partner_id)) {
    refuseParent("cycle", `parent_id must not be ${partner_id} itself or a partner below it.`);
  }
  if (line.length + levels_below > UPLINE_MAX) {
    refuseParent("too_deep", `A partner can have at most ${UPLINE_MAX} partners above it.`);
  }
}

export function refuseParent(code: "unknown_partner" | "cycle" | "too_deep", detail: string): never {
  const faults: Fault[] = [{ in: "body", pointer: "#/parent_id", code, detail }];
  fail("validation_failed", { detail, faults });
}
