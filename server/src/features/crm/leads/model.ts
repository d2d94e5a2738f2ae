import { type Fault, fail } from "../../../kernel/errors.ts";
import type { Custom } from "../../accounts/custom-fields/index.ts";
import type { LeadMerge } from "../contacts/index.ts";

export const LEAD_STATUSES = ["new", "working", "qualified", "disqualified", "converted"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** The statuses that callers set. Only a conversion makes a lead converted. */
export const SETTABLE_STATUSES = ["new", "working", "qualified", "disqualified"] as const;

/** The allowed transitions between statuses. */
export const TRANSITIONS: Record<LeadStatus, readonly LeadStatus[]> = {
  new: ["working", "disqualified"],
  working: ["qualified", "disqualified"],
  qualified: ["disqualified"],
  disqualified: ["working"],
  converted: [],
};

/** The statuses on the shortest way from one to another, which comes last; null where there is none. */
export function wayBetween(from: LeadStatus, to: LeadStatus): LeadStatus[] | null {
  const ways: LeadStatus[][] = [[]];
  const seen = new Set<LeadStatus>([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    for (const next of TRANSITIONS[last].filter((status) => !seen.has(status))) {
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

/** The statuses that a lead can get to, step by step. */
export function reachable(from: LeadStatus): LeadStatus[] {
  return SETTABLE_STATUSES.filter((to) => to !== from && wayBetween(from, to) !== null);
}

export const CONVERTIBLE: readonly LeadStatus[] = ["new", "working", "qualified"];

export const SOURCE_KINDS = ["form", "chat", "sms", "email", "call", "ad", "affiliate", "referral", "import", "api"] as const;
export const UTM_FIELDS = ["source", "medium", "campaign", "term", "content"] as const;
export const SOURCE_FIELDS = ["name", "url", "referrer", "click_id"] as const;

type Texts<Name extends string> = { [Key in Name]?: string | null };
/** Where a lead came from, without unknown members. */
export type Source = { kind: (typeof SOURCE_KINDS)[number] } & Texts<(typeof SOURCE_FIELDS)[number]> & {
    utm?: Texts<(typeof UTM_FIELDS)[number]>;
  };

/** The fields of a lead that callers set. */
export type LeadFields = {
  name: string | null;
  phone: string | null;
  email: string | null;
  company: string | null;
  title: string | null;
  country: string | null;
  status: LeadStatus;
  disqualified_reason: string | null;
  source: Source;
  tags: string[];
  notes: string | null;
  custom: Custom;
  owner_id: string | null;
  external_id: string | null;
};

/** What is needed to undo a conversion. */
export type Conversion = LeadMerge & { status: LeadStatus; deal_version: number | null };

/** The row of a lead, with its JSON for the API. */
export type Lead = LeadFields & {
  id: string;
  account_id: string;
  score: number;
  affiliate_link_id: string | null;
  activity_count: number;
  last_activity_at: Date;
  converted_at: Date | null;
  converted_by: string | null;
  contact_id: string | null;
  deal_id: string | null;
  conversion: Conversion | null;
  deleted_at: Date | null;
  erased_at: Date | null;
  created_at: Date;
  version: number;
  /** How many of its versions rescoring made. */
  rescored: number;
  json: string;
};

/** The fields that callers set. Statements, audit entries and import images are built from this list. */
export const FIELDS = [
  "name",
  "phone",
  "email",
  "company",
  "title",
  "country",
  "status",
  "disqualified_reason",
  "source",
  "tags",
  "notes",
  "custom",
  "owner_id",
  "external_id",
] as const satisfies (keyof LeadFields)[];

/** Columns that are set when a lead is added, and every column that a change can set. */
export const NEW_COLUMNS = [...FIELDS, "score", "affiliate_link_id"] as const;
export const COLUMNS = [
  ...NEW_COLUMNS,
  "activity_count",
  "last_activity_at",
  "converted_at",
  "converted_by",
  "contact_id",
  "deal_id",
  "conversion",
  "deleted_at",
] as const satisfies (keyof Lead)[];

/** Audit entries cannot be erased, so of fields that may be personal they show only the name. */
export const PERSONAL: ReadonlySet<string> = new Set(FIELDS.filter((field) => field !== "owner_id" && field !== "status"));

export const IDENTIFYING = ["name", "phone", "email", "external_id"] as const;

/** Refuses a lead without anything that identifies it. */
export function checkIdentified(lead: Pick<LeadFields, (typeof IDENTIFYING)[number]>): void {
  if (IDENTIFYING.some((field) => lead[field] !== null)) return;
  refuseIdentity(IDENTIFYING);
}

export function refuseIdentity(fields: readonly string[]): never {
  const detail = `At least one of ${fields.join(", ")} is required.`;
  const faults = fields.map((field): Fault => ({ in: "body", pointer: `#/${field}`, code: "identity_required", detail }));
  fail("validation_failed", { detail, faults });
}

type StatusFields = Pick<LeadFields, "status" | "disqualified_reason">;
type StatusChange = { status?: LeadStatus | undefined; reason?: string | null | undefined };

/** The status after a change. An invalid transition is refused, and so is a reason for any status but disqualified. */
export function statusAfter(before: StatusFields, { status = before.status, reason }: StatusChange): StatusFields {
  if (status !== before.status && !TRANSITIONS[before.status].includes(status)) refuseTransition(before.status, status);
  if (status === "disqualified") {
    const kept = before.status === "disqualified" ? before.disqualified_reason : null;
    return { status, disqualified_reason: reason === undefined ? kept : reason };
  }
  checkReason(status, reason);
  return { status, disqualified_reason: null };
}

/** The status of a new lead. */
export function statusOfNew({ status = "new", reason }: StatusChange): StatusFields {
  if (status !== "disqualified") checkReason(status, reason);
  return { status, disqualified_reason: reason ?? null };
}

function checkReason(status: LeadStatus, reason: string | null | undefined): void {
  if (reason === undefined || reason === null) return;
  const detail = `reason is allowed only for a disqualified lead; this lead is ${status}.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/reason", code: "not_of_status", detail }] });
}

export function refuseTransition(from: LeadStatus, to: LeadStatus): never {
  const allowed = TRANSITIONS[from];
  const ways = allowed.length === 0 ? "Only undoing the conversion changes that." : `It can become ${allowed.join(" or ")}.`;
  const detail = `A lead that is ${from} cannot become ${to}. ${ways}`;
  fail("invalid_state_transition", { detail, meta: { from, to, allowed } });
}
