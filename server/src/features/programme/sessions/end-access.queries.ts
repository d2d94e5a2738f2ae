import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { endOtherSessions } from "./queries.ts";

const linksStatement = statement("delete from user_links where user_id = $1");

/** Ends the sessions of a user, except one, and the links that were sent to the user. */
export async function endAccess(tx: Tx, user_id: string, kept_session_id: string | null): Promise<void> {
  await endOtherSessions(tx, user_id, kept_session_id);
  await tx.query(linksStatement, [user_id]);
}
