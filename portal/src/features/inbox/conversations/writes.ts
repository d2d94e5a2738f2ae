import { useMay } from "../../../api/session.ts";
import type { Account } from "../../crm/records/data.ts";
import type { Conversation } from "./data.ts";

export type ThreadProps = { account: Account; conversation: Conversation };

/** Whether the person may write here. */
export function useWrites({ account, conversation }: ThreadProps): boolean {
  return useMay()("conversations:write") && account.readOnly === null && conversation.archived_at === null;
}
