import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

/** Settings of an account that its records depend on. */
export type AccountSettings = { account_id: string; status: string; shared_phones: boolean };

const settingsWhere = (condition: string, lock = "") =>
  statement(`
  select a.id as account_id, a.status, a.shared_phones from clients a
  where a.partner_id = $1 and ${condition} ${lock}`);

const settingsById = settingsWhere("a.id = $2");
const settingsOfHouse = settingsWhere("a.house");
const lockById = settingsWhere("a.id = $2", "for no key update of a");
const lockHouse = settingsWhere("a.house", "for no key update of a");

/** The settings of one account, or of the house account for null. */
export async function settingsOrNull(db: Queryable, scope: TenantScope, id: string | null): Promise<AccountSettings | null> {
  const [row] = await (id === null
    ? db.query<AccountSettings>(settingsOfHouse, [scope.partner_id])
    : db.query<AccountSettings>(settingsById, [scope.partner_id, id]));
  return row ?? null;
}

/** The same, with an exclusive lock on the account, which waits for its concurrent writes. */
export async function settingsForUpdateOrNull(tx: Tx, scope: TenantScope, id: string | null): Promise<AccountSettings | null> {
  const [row] = await (id === null
    ? tx.query<AccountSettings>(lockHouse, [scope.partner_id])
    : tx.query<AccountSettings>(lockById, [scope.partner_id, id]));
  return row ?? null;
}

const sharedPhonesStatement = statement("update clients set shared_phones = $3 where partner_id = $1 and id = $2");

/** Saves whether contacts of an account may share a phone. Writers that waited for the lock read the new setting. */
export async function saveSharedPhones(tx: Queryable, scope: TenantScope, id: string, shared_phones: boolean): Promise<void> {
  await tx.query(sharedPhonesStatement, [scope.partner_id, id, shared_phones]);
}
