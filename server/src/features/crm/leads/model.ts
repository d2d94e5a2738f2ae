import { type Fault, fail } from "../../../kernel/errors.ts";
import type { Custom } from "../../accounts/custom-fields/index.ts";
import type { LeadMerge } from "../contacts/index.ts";

export const LEAD_STATUSES = ["new", "working", "qualified", "disqualified", "converted"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** What a caller may set. Converted is what a conversion makes of a lead, and nothing else. */
export const SETTABLE_STATUSES = ["new", "working", "qualified", "disqualified"] as const;

/** Where a lead can go from where it is. */
export const TRANSITIONS: Record<LeadStatus, readonly LeadStatus[]> = {
  new: ["working", "disqualified"],
  working: ["qualified", "disqualified"],
  qualified: ["disqualified"],
  disqualified: ["working"],
  converted: [],
};

export const CONVERTIBLE: readonly LeadStatus[] = ["new", "working", "qualified"];

export const SOURCE_KINDS = ["form", "chat", "sms", "email", "call", "ad", "affiliate", "referral", "import", "api"] as const;
export const UTM_FIELDS = ["source", "medium", "campaign", "term", "content"] as const;
export const SOURCE_FIELDS = ["name", "url", "referrer", "click_id"] as const;

type Texts<Name extends string> = { [Key in Name]?: string | null };
/** Where a lead came from: what is not known is left out. */
export type Source = { kind: (typeof SOURCE_KINDS)[number] } & Texts<(typeof SOURCE_FIELDS)[number]> & {
    utm?: Texts<(typeof UTM_FIELDS)[number]>;
  };

/** What is kept of a lead besides its place and its times. */
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

/** What taking a conversion back needs to know. */
export type Conversion = LeadMerge & { status: LeadStatus; deal_version: number | null };

/** A lead as its row is read, with the JSON that the API shows of it. */
export type Lead = LeadFields & {
  id: string;
  account_id: string;
  score: number;
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
  json: string;
};

/** The fields that an audit entry compares. It cannot be erased, so what says anything of a person is only named in it. */
export const AUDITED = [
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
export const PERSONAL: ReadonlySet<string> = new Set(AUDITED.filter((field) => field !== "owner_id" && field !== "status"));

export const IDENTIFYING = ["name", "phone", "email", "external_id"] as const;

/** Refuses a lead that nobody could tell from another. */
export function refuseNameless(lead: Pick<LeadFields, (typeof IDENTIFYING)[number]>): void {
  if (IDENTIFYING.some((field) => lead[field] !== null)) return;
  refuseIdentity(IDENTIFYING);
}

export function refuseIdentity(fields: readonly string[]): never {
  const detail = `At least one of ${fields.join(", ")} is required.`;
  const faults = fields.map((field): Fault => ({ in: "body", pointer: `#/${field}`, code: "identity_required", detail }));
  fail("validation_failed", { detail, faults });
}

type Standing = Pick<LeadFields, "status" | "disqualified_reason">;
type Move = { status?: LeadStatus | undefined; reason?: string | null | undefined };

/** Where a lead stands after a change: repeating a move is no move, an impossible one is refused, and a reason belongs to a refusal. */
export function standingAfter(before: Standing, { status = before.status, reason }: Move): Standing {
  if (status !== before.status && !TRANSITIONS[before.status].includes(status)) refuseMove(before.status, status);
  if (status === "disqualified") {
    const kept = before.status === "disqualified" ? before.disqualified_reason : null;
    return { status, disqualified_reason: reason === undefined ? kept : reason };
  }
  refuseUnfitReason(status, reason);
  return { status, disqualified_reason: null };
}

/** Where a new lead stands. */
export function standingOfNew({ status = "new", reason }: Move): Standing {
  if (status !== "disqualified") refuseUnfitReason(status, reason);
  return { status, disqualified_reason: reason ?? null };
}

function refuseUnfitReason(status: LeadStatus, reason: string | null | undefined): void {
  if (reason === undefined || reason === null) return;
  const detail = `reason says why a lead is disqualified; this one is ${status}.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/reason", code: "not_of_status", detail }] });
}

export function refuseMove(from: LeadStatus, to: LeadStatus): never {
  const allowed = TRANSITIONS[from];
  const ways = allowed.length === 0 ? "Only a conversion taken back changes that." : `It can become ${allowed.join(" or ")}.`;
  const detail = `A lead that is ${from} cannot become ${to}. ${ways}`;
  fail("invalid_state_transition", { detail, meta: { from, to, allowed } });
}
