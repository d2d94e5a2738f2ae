import { fail } from "../../../kernel/errors.ts";
import type { Account, Custom } from "../../accounts/custom-fields/index.ts";

export type DealContact = { name?: string; email?: string; phone?: string };
export type DealStatus = "open" | "won" | "lost";

/** What is kept of a deal besides its place, its stage and its times. */
export type DealFields = {
  name: string;
  amount_cents: number | null;
  currency: string;
  expected_close_on: string | null;
  contact_id: string | null;
  owner_id: string | null;
  tags: string[];
  notes: string | null;
  custom: Custom;
  external_id: string | null;
  company: string | null;
  company_domain: string | null;
  contact: DealContact | null;
  plan: string | null;
  mrr_cents: number | null;
  client_id: string | null;
};

/** Where a deal stands. The status is the type of the stage, and set with it alone. */
export type Standing = {
  pipeline_id: string;
  stage_id: string;
  status: DealStatus;
  stage_entered_at: string;
  lost_reason: string | null;
  won_at: string | null;
  lost_at: string | null;
  first_won_at: string | null;
};

/** A deal as the API shows it, with the JSON of it. */
export type Deal = DealFields &
  Standing & {
    id: string;
    account_id: string;
    sale: boolean;
    stage: string;
    days_in_stage: number;
    lead_id: string | null;
    deleted_at: Date | null;
    version: number;
    etag: string;
    json: string;
  };

/** Where a deal moved from and to, for those who follow it. */
export type Move = {
  pipeline_id: string;
  from_stage_id: string;
  from_stage: string;
  to_stage_id: string;
  to_stage: string;
  stage_type: DealStatus;
  days_in_stage: number;
};

/** The fields that an audit entry compares. It cannot be erased, so what may say anything of a person is only named in it. */
export const AUDITED = [
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
  "pipeline_id",
  "stage_id",
  "status",
  "lost_reason",
] as const satisfies (keyof Deal)[];
export const PERSONAL: ReadonlySet<string> = new Set(["name", "notes", "custom", "contact", "lost_reason"]);

/** What was sold and for how much: it stays as it is while the deal is won. */
const MONEY = ["plan", "mrr_cents", "currency", "client_id", "amount_cents"] as const;

export function refuseChangeOfMoney(before: Deal, after: Deal): void {
  const fields = before.status === "won" ? MONEY.filter((field) => before[field] !== after[field]) : [];
  if (fields.length > 0)
    fail("deal_won", { detail: `The deal is won, so ${fields.join(", ")} cannot be changed.`, meta: { fields } });
}

/** What only a sale has. */
const OF_SALES = ["plan", "mrr_cents", "client_id"] as const;

export function refuseSaleFields({ house }: Account, fields: DealFields): void {
  const faults = OF_SALES.filter((field) => !house && fields[field] !== null).map((field) => ({
    in: "body" as const,
    pointer: `#/${field}`,
    code: "only_of_sales",
    detail: `Only a deal of the house account, which is a sale of the partner's, has ${field}.`,
  }));
  if (faults[0] !== undefined) fail("validation_failed", { detail: faults[0].detail, faults });
}

export function refuseField(field: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${field}`, code, detail }] });
}
