import { type Queryable, statement } from "../../../platform/db/statement.ts";

type OptOutRow = { partner_id: string; account_id: string; kind: string; hash: Buffer };

const KEY = "partner_id = $1 and account_id = $2 and kind = $3 and address_hash = $4";
const optOutByKey = statement(`
  select c.at from opt_outs c
  where c.partner_id = $1 and c.account_id = $2 and c.kind = $3 and c.address_hash = $4`);
const insertStatement = statement(`
  insert into opt_outs (partner_id, account_id, kind, address_hash, at) values ($1, $2, $3, $4, $5)
  on conflict (partner_id, account_id, kind, address_hash) do update set at = excluded.at`);
const deleteStatement = statement(`delete from opt_outs where ${KEY}`);

const keyOf = ({ partner_id, account_id, kind, hash }: OptOutRow) => [partner_id, account_id, kind, hash];

export async function optOutAtOrNull(db: Queryable, row: OptOutRow): Promise<Date | null> {
  return (await db.query<{ at: Date }>(optOutByKey, keyOf(row)))[0]?.at ?? null;
}

export async function insertOptOut(tx: Queryable, row: OptOutRow, at: Date): Promise<void> {
  await tx.query(insertStatement, [...keyOf(row), at]);
}

export async function removeOptOut(tx: Queryable, row: OptOutRow): Promise<void> {
  await tx.query(deleteStatement, keyOf(row));
}
