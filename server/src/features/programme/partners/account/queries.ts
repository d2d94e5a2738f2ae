import type { TenantScope } from "../../../../kernel/principal.ts";
import { parsedRow, rowJson } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { Account as AccountSchema, type AccountShown } from "./schema.ts";

const ACCOUNT_JSON = rowJson(AccountSchema, { default_currency: "c.currency" });

/** A partner as it sees itself, with its JSON. */
export type Account = AccountShown & { json: string };

const accountStatement = statement(`select ${ACCOUNT_JSON} as json from partners c where c.id = $1`);
const lockStatement = statement(`select ${ACCOUNT_JSON} as json from partners c where c.id = $1 for no key update`);

/** The caller's own partner. */
export async function account(db: Queryable, { partner_id }: TenantScope): Promise<Account> {
  return theOne(await db.query(accountStatement, [partner_id]));
}

export async function accountForUpdate(tx: Queryable, { partner_id }: TenantScope): Promise<Account> {
  return theOne(await tx.query(lockStatement, [partner_id]));
}

const saveStatement = statement(`
  with c as (
    update partners set company = $2, branding = $3, currency = $4, default_snapshots = $5, updated_at = $6, version = version + 1
    where id = $1
    returning *
  )
  select ${ACCOUNT_JSON} as json from c`);

/** Saves the fields of an account that was locked before. */
export async function saveAccount(tx: Tx, account: Account): Promise<Account> {
  const { id, company, branding, default_currency, default_snapshots } = account;
  return theOne(await tx.query(saveStatement, [id, company, branding, default_currency, default_snapshots, tx.now]));
}

function theOne(rows: { json: string }[]): Account {
  const account = parsedRow<AccountShown>(rows);
  if (account === null) throw new Error("the partner does not exist");
  return account;
}
