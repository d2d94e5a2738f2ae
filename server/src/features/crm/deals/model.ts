import { fail } from "../../../kernel/errors.ts";
import type { Type } from "../../../platform/http/type.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import type { Registration } from "./registration/model.ts";
import type { Deal as DealReply } from "./schema.ts";

type Reply = Type.Static<typeof DealReply>;

/** The fields of a deal that callers set. Statements, audit entries and import images are built from this list. */
export const FIELDS = [
  "name",
  "amount_cents",
  "currency",
  "expected_close_on",
  "contact_id",
  "owner_id",
  "tags",
  "notes",
  "custom",
  "external_id",
  "company",
  "company_domain",
  "contact",
  "plan",
  "mrr_cents",
  "client_id",
] as const satisfies (keyof Reply)[];

/** What changes with the stage of a deal. */
const STAGE_COLUMNS = ["pipeline_id", "stage_id", "status", "stage_entered_at", "lost_reason", "won_at", "lost_at"] as const;

/** Every column that a change can set. */
export const COLUMNS = [...FIELDS, ...STAGE_COLUMNS, "first_won_at", "sale", "affiliate_link_id"] as const;

export type DealFields = Pick<Reply, (typeof FIELDS)[number]>;

/** The stage of a deal. The status is the type of the stage and changes only with it. */
export type StageState = Pick<Reply, (typeof STAGE_COLUMNS)[number]> & { first_won_at: string | null };

/** A deal as the API shows it, with its JSON and what commands need besides. */
export type Deal = Omit<Reply, "registration"> &
  StageState & {
    registration: Registration | null;
    deleted_at: Date | null;
    etag: string;
    json: string;
  };

/** A move between two stages, as events and the change feed show it. */
export type Move = {
  pipeline_id: string;
  from_stage_id: string;
  from_stage: string;
  to_stage_id: string;
  to_stage: string;
  stage_type: Deal["status"];
  days_in_stage: number;
};

/** The fields that may be personal: an erasure empties them. */
export const PERSONAL_FIELDS = [
  "name",
  "company",
  "company_domain",
  "contact",
  "notes",
  "tags",
  "custom",
  "external_id",
  "lost_reason",
] as const satisfies (keyof Deal)[];
export const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_FIELDS);

/** The fields that an audit entry compares. Entries cannot be erased, so of fields that may be personal they show only the name. */
export const AUDITED = [
  ...FIELDS,
  "pipeline_id",
  "stage_id",
  "status",
  "lost_reason",
  "affiliate_link_id",
] as const satisfies (keyof Deal)[];

/** What was sold, and for how much. */
const LOCKED_BY_WIN = ["plan", "mrr_cents", "currency", "client_id", "amount_cents"] as const satisfies (keyof DealFields)[];

/** Refuses to change what was sold while the deal is won. */
export function checkLockedFields(before: Deal, after: Deal): void {
  const fields = before.status === "won" ? LOCKED_BY_WIN.filter((field) => before[field] !== after[field]) : [];
  if (fields.length > 0)
    fail("deal_won", { detail: `The deal is won, so ${fields.join(", ")} cannot be changed.`, meta: { fields } });
}

/** A sale sells a plan to a company. A deal of the house account that has both from the start is one; any other has to be registered. */
const REQUIRED_BY_SALE = ["company", "plan"] as const satisfies (keyof DealFields)[];

type Sold = { [field in (typeof REQUIRED_BY_SALE)[number]]?: string | null };

/** Whether a new deal is a sale. */
export function isSale({ house }: Account, fields: Sold): boolean {
  return house && REQUIRED_BY_SALE.every((field) => (fields[field] ?? null) !== null);
}

/** Refuses a sale without a company or a plan, or a change that removes one of them. */
export function checkSale(fields: Sold, before: Deal | null = null): void {
  const missing = REQUIRED_BY_SALE.filter((field) => (fields[field] ?? null) === null && before?.[field] !== null);
  if (missing[0] !== undefined) refuseField(missing[0], "required_by_sale", `${missing[0]} is required for a sale.`);
}

const SALE_FIELDS = ["plan", "mrr_cents", "client_id"] as const satisfies (keyof DealFields)[];

/** Refuses the fields of a sale in a deal of a client's account. A plain deal of the house account may have them: it can become one. */
export function checkSaleFields({ house }: Account, fields: DealFields): void {
  const faults = SALE_FIELDS.filter((field) => !house && fields[field] !== null).map((field) => ({
    in: "body" as const,
    pointer: `#/${field}`,
    code: "only_of_sales",
    detail: `${field} is a field of sales only, which are deals of the house account.`,
  }));
  if (faults[0] !== undefined) fail("validation_failed", { detail: faults[0].detail, faults });
}

export function refuseField(field: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${field}`, code, detail }] });
}
