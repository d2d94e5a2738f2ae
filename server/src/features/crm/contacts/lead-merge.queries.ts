import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { ContactFields } from "./model.ts";

const insertStatement = statement(`
  insert into contact_images (partner_id, contact_id, version, before, created_at) values ($1, $2, $3, $4, $5)`);

/** Keeps what a contact was before it got to a version. */
export async function insertImage(tx: Tx, scope: TenantScope, id: string, version: number, before: ContactFields): Promise<void> {
  await tx.query(insertStatement, [scope.partner_id, id, version, before, tx.now]);
}

const takeStatement = statement(`
  delete from contact_images where partner_id = $1 and contact_id = $2 and version = $3 returning before`);

/** What a contact was before it got to a version. It can be had once. */
export async function takeImageOrNull(
  tx: Queryable,
  scope: TenantScope,
  id: string,
  version: number,
): Promise<ContactFields | null> {
  const [row] = await tx.query<{ before: ContactFields }>(takeStatement, [scope.partner_id, id, version]);
  return row?.before ?? null;
}
