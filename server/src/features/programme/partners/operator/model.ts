import { type Fault, fail } from "../../../../kernel/errors.ts";

export const PARTNER_STATUSES = ["active", "suspended"] as const;

/** The maximum number of ancestors of a partner: as many levels as earn an override. */
export const UPLINE_MAX = 3;

/** What the operator and the reviews of grades change of a partner: the columns of the update. */
export type PartnerFields = {
  company: string;
  parent_id: string | null;
  grade: string;
  /** Whether the operator has set the grade by hand, so that metrics do not change it, and until when. */
  pinned: boolean;
  pinned_until: string | null;
  /** When the partner loses its grade, because it no longer meets the requirements. */
  grace_until: string | null;
  api_access: boolean;
};

export const PARTNER_FIELDS = [
  "company",
  "parent_id",
  "grade",
  "pinned",
  "pinned_until",
  "grace_until",
  "api_access",
] as const satisfies (keyof PartnerFields)[];

/** A partner as the operator sees it, with its JSON. */
export type Partner = PartnerFields & {
  id: string;
  status: (typeof PARTNER_STATUSES)[number];
  suspension_reason: string | null;
  version: number;
  json: string;
};

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
