import { useParams } from "@tanstack/react-router";
import { Page } from "../../../ui/page.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { InAccount, useRightAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { useConversation } from "./data.ts";
import classes from "./inbox.module.css";
import { Person } from "./person.tsx";
import { Thread, ThreadActs } from "./thread.tsx";
import { personOf } from "./words.tsx";

export default function ConversationPage() {
  return <InAccount title="Conversation">{(account) => <OneConversation account={account} />}</InAccount>;
}

/** One conversation at its own address, for a link to it. */
function OneConversation({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useConversation(id);
  const conversation = query.data;
  const trail = [["Inbox", `/crm/${account.id}/inbox`]] as const;
  useRightAccount(account, conversation, "inbox");
  if (conversation === undefined) return <Waiting title="Conversation" trail={trail} query={query} />;
  return (
    <Page
      title={personOf(conversation)}
      trail={trail}
      fill
      api={`GET /v1/conversations/${id}/messages`}
      foot={
        <span>
          Version {conversation.version}, last message <When at={conversation.last_message_at} as="since" />
        </span>
      }
      actions={<ThreadActs account={account} conversation={conversation} />}
      phoneAction={
        <span className={classes.phoneActs}>
          <ThreadActs account={account} conversation={conversation} phone />
        </span>
      }
    >
      <div className={classes.panes} data-alone data-open>
        <Thread account={account} conversation={conversation} />
        <aside className={classes.side} aria-label={`About ${personOf(conversation)}`}>
          <Person account={account} conversation={conversation} />
        </aside>
      </div>
    </Page>
  );
}
