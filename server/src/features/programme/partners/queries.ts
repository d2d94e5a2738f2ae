import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

const insertStatement = statement(`
  insert into partners (id, parent_id, company, grade, api_access, branding, currency, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`);

export type NewPartner = {
  id: string;
  parent_id: string | null;
  company: string;
  grade: string;
  api_access: boolean;
  branding: object;
  currency: string;
};

export async function insertPartner(tx: Tx, partner: NewPartner): Promise<void> {
  const { id, parent_id, company, grade, api_access, branding, currency } = partner;
  await tx.query(insertStatement, [id, parent_id, company, grade, api_access, branding, currency, tx.now]);
}
