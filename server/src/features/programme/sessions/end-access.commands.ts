import type { Tx } from "../../../platform/record/tx.ts";
import { dropLinks } from "../users/index.ts";
import { endOtherSessions } from "./queries.ts";

/** Ends the sessions of a user, except one, and the links that were sent to the user. */
export async function endAccess(tx: Tx, user_id: string, kept_session_id: string | null): Promise<void> {
  await endOtherSessions(tx, user_id, kept_session_id);
  await dropLinks(tx, user_id);
}
