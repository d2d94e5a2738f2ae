import { insertValues, valuesOf } from "../../../platform/db/columns.ts";
import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

const INSERTED = [
  "id",
  "parent_id",
  "company",
  "grade",
  "pinned",
  "api_access",
  "branding",
  "currency",
  "house_account_id",
  "created_at",
  "updated_at",
] as const;

const insertStatement = statement(`insert into partners ${insertValues(INSERTED)}`);

export type NewPartner = {
  id: string;
  parent_id: string | null;
  company: string;
  grade: string;
  /** Whether the grade was given by hand: metrics do not change it. */
  pinned: boolean;
  api_access: boolean;
  branding: object;
  currency: string;
};

export async function insertPartner(tx: Tx, partner: NewPartner & { house_account_id: string }): Promise<void> {
  await tx.query(insertStatement, valuesOf({ ...partner, created_at: tx.now, updated_at: tx.now }, INSERTED));
}
