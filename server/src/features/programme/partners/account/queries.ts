import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";

const ACCOUNT_COLUMNS = `p.id, p.version, p.company, p.branding, p.currency as default_currency, p.default_snapshots,
    (select row_to_json(x)::text from (select
      p.id, p.company, p.grade, p.status, p.api_access, p.parent_id, p.branding, p.currency as default_currency, p.default_snapshots,
      wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at, p.version) x) as json`;

export type Account = {
  id: string;
  version: number;
  company: string;
  branding: object;
  default_currency: string;
  default_snapshots: string[];
  json: string;
};

const accountStatement = statement(`select ${ACCOUNT_COLUMNS} from partners p where p.id = $1`);
const lockStatement = statement(`select ${ACCOUNT_COLUMNS} from partners p where p.id = $1 for no key update`);

/** The caller's own partner. */
export async function account(db: Queryable, { partner_id }: TenantScope): Promise<Account> {
  return theOne(await db.query<Account>(accountStatement, [partner_id]));
}

/** The same, locked until the transaction ends. */
export async function accountForUpdate(tx: Queryable, { partner_id }: TenantScope): Promise<Account> {
  return theOne(await tx.query<Account>(lockStatement, [partner_id]));
}

const saveStatement = statement(`
  update partners p set company = $2, branding = $3, currency = $4, default_snapshots = $5, updated_at = $6, version = p.version + 1
  where p.id = $1
  returning ${ACCOUNT_COLUMNS}`);

/** Saves the fields of an account that was locked before. */
export async function saveAccount(tx: Tx, account: Account): Promise<Account> {
  const { id, company, branding, default_currency, default_snapshots } = account;
  return theOne(await tx.query<Account>(saveStatement, [id, company, branding, default_currency, default_snapshots, tx.now]));
}

function theOne([row]: Account[]): Account {
  if (row === undefined) throw new Error("the partner is not there");
  return row;
}
