import { listIdentity } from "../../../../kernel/page.ts";
import { parsedRow, rowJson } from "../../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type OperatorUser, type OperatorUserListQuery, OperatorUser as OperatorUserSchema } from "./schema.ts";

const USER_JSON = rowJson(OperatorUserSchema);
const userById = statement(`select ${USER_JSON} as json from users c where c.partner_id is null and c.id = $1`);

export type OperatorUserRow = OperatorUser & { json: string };

export async function operatorUserOrNull(db: Queryable, id: string): Promise<OperatorUserRow | null> {
  return parsedRow<OperatorUser>(await db.query(userById, [id]));
}

export function operatorUsersPage(db: Queryable, query: OperatorUserListQuery): Promise<{ json: string }> {
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("operator-users", {}),
      table: "users",
      json: USER_JSON,
      sort: byCreation(true),
      conditions: () => ["c.partner_id is null"],
    },
    query,
  );
}

const activeStatement = statement(`
  select id from users where partner_id is null and state = 'active' order by id for update`);

/** The users who can sign in, locked in one order: the second of two concurrent removals sees the first. */
export async function activeOperatorsForUpdate(tx: Queryable): Promise<string[]> {
  return (await tx.query<{ id: string }>(activeStatement)).map(({ id }) => id);
}

const removeStatement = statement("delete from users where partner_id is null and id = $1");

export async function removeOperatorUser(tx: Tx, id: string): Promise<void> {
  await tx.query(removeStatement, [id]);
}
