import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useGo } from "../../../ui/link.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { InAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type Conversation, useConversation } from "./data.ts";

export default function ConversationPage() {
  return <InAccount title="Conversation">{(account) => <OneConversation account={account} />}</InAccount>;
}

/** The short address of a conversation, for a link to it: it leads to the inbox of its account, where the conversation is open. */
function OneConversation({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useConversation(id);
  const go = useGo();
  const conversation = query.data;
  useEffect(() => {
    if (conversation !== undefined) go(addressOf(conversation), { replace: true });
  });
  return <Waiting title="Conversation" trail={[["Inbox", `/crm/${account.id}/inbox`]]} query={query} />;
}

/** In the view that lists it. */
function addressOf({ id, account_id, status, archived_at }: Conversation): string {
  const view = archived_at !== null ? "archived=true&" : status === "open" ? "" : "view=all&";
  return `/crm/${account_id}/inbox?${view}open=${id}`;
}
