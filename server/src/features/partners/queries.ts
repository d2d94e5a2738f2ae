import { statement } from "../../platform/db/statement.ts";
import type { Tx } from "../../platform/record/context.ts";

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

const insertUserStatement = statement(`
  insert into users (id, partner_id, email, name, role, password_hash, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`);

export type NewUser = {
  partner_id: string | null;
  email: string;
  name: string;
  role: "owner" | "operator";
  password_hash: string;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<string> {
  const id = tx.newId("user");
  await tx.query(insertUserStatement, [id, user.partner_id, user.email, user.name, user.role, user.password_hash, tx.now]);
  return id;
}
