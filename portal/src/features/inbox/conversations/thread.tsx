import { ActionIcon, Button, Menu } from "@mantine/core";
import { AlarmClock, Check, Ellipsis, Info, RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import { Confirm } from "../../../ui/confirm.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { spaced } from "../../../ui/phone.ts";
import { toast, toastError } from "../../../ui/toast.tsx";
import { day, time } from "../../../ui/when.tsx";
import { useChannels } from "../channels/data.ts";
import { KINDS } from "../channels/kinds.ts";
import { Composer } from "./composer.tsx";
import { type Conversation, useConversationAct, useMarkRead } from "./data.ts";
import classes from "./inbox.module.css";
import { LaterMenu } from "./later.tsx";
import { Messages } from "./messages.tsx";
import { Person } from "./person.tsx";
import { personOf } from "./words.tsx";
import { type ThreadProps, useWrites } from "./writes.ts";

/** A conversation: its messages, and below them where one answers. */
export function Thread({ account, conversation, head = false }: ThreadProps & { head?: boolean }) {
  const writes = useWrites({ account, conversation });
  const channels = useChannels(account.id).data;
  const channel = channels?.find(({ id }) => id === conversation.channel_id);
  useRead(conversation, writes);
  return (
    <section className={classes.thread} aria-label={`Conversation with ${personOf(conversation)}`}>
      {head && (
        <header className="only-desk">
          <div>
            <h2 className="cut">{personOf(conversation)}</h2>
            <p className="cut">{aboutOf(conversation)}</p>
          </div>
          <span>
            <ThreadActs account={account} conversation={conversation} />
          </span>
        </header>
      )}
      <Messages key={`messages ${conversation.id}`} conversation={conversation} writes={writes} />
      {conversation.archived_at !== null && <p className={classes.ended}>It is archived: it can be read, and not answered.</p>}
      {writes && channels !== undefined && channel === undefined && (
        <p className={classes.ended}>Its channel is archived: the conversation can be read and closed, and not answered.</p>
      )}
      {writes && channel !== undefined && (
        <Composer key={`composer ${conversation.id}`} conversation={conversation} channel={channel} />
      )}
    </section>
  );
}

/** "SMS to +1…, snoozed until 17 Nov, 09:00". */
function aboutOf({ channel_kind, address, status, snoozed_until, subject }: Conversation): string {
  const state =
    status === "snoozed" && snoozed_until !== null
      ? `snoozed until ${day(snoozed_until)}, ${time(snoozed_until)}`
      : status === "closed"
        ? "closed"
        : null;
  return [subject, `${KINDS[channel_kind].name} with ${spaced(address)}`, state].filter(Boolean).join(", ");
}

/** Whoever has a conversation open, and may write, has read it. */
function useRead({ id, unread }: Conversation, writes: boolean): void {
  const { mutate } = useMarkRead();
  useEffect(() => {
    if (writes && unread > 0 && document.visibilityState === "visible") mutate(id);
  }, [writes, id, unread, mutate]);
}

/** What can be done with a conversation as a whole. */
export function ThreadActs({ account, conversation, phone = false }: ThreadProps & { phone?: boolean }) {
  const writes = useWrites({ account, conversation });
  const [details, setDetails] = useState(false);
  const size = phone ? 44 : 32;
  const icon = phone ? 20 : 16;
  return (
    <>
      <ActionIcon className={classes.details} size={size} aria-label="Details" onClick={() => setDetails(true)}>
        <Info size={icon} />
      </ActionIcon>
      {writes && <StateActs conversation={conversation} size={size} icon={icon} account={account} />}
      {details && (
        <Panel title={personOf(conversation)} close={() => setDetails(false)}>
          <Person account={account} conversation={conversation} />
        </Panel>
      )}
    </>
  );
}

type StateProps = ThreadProps & { size: number; icon: number };

function StateActs({ account, conversation, size, icon }: StateProps) {
  const act = useConversationAct();
  const go = useGo();
  const [archives, setArchives] = useState(false);
  const failed = (error: Error) => toastError("The conversation is not changed", error);
  const reopen = (now: Conversation | undefined) =>
    now && void act.mutateAsync({ conversation: now, act: "reopen" }).catch(failed);
  const close = () =>
    act
      .mutateAsync({ conversation, act: "close" })
      .then((closed) => toast(`The conversation with ${personOf(conversation)} is closed`, () => reopen(closed)), failed);
  const snooze = (at: Date) =>
    act
      .mutateAsync({ conversation, act: "snooze", until: at.toISOString() })
      .then((slept) => toast(`Snoozed until ${day(at)}, ${time(at)}`, () => reopen(slept)), failed);
  const archive = async () => {
    await act.mutateAsync({ conversation, act: "archive" });
    toast("The conversation is archived");
    go(`/crm/${account.id}/inbox`);
  };
  return (
    <>
      {conversation.status !== "closed" && (
        <LaterMenu action="Snooze" pick={(at) => void snooze(at)}>
          <ActionIcon size={size} aria-label="Snooze">
            <AlarmClock size={icon} />
          </ActionIcon>
        </LaterMenu>
      )}
      {conversation.status === "open" ? (
        <ActionIcon size={size} aria-label="Close conversation" onClick={() => void close()}>
          <Check size={icon} />
        </ActionIcon>
      ) : (
        <Button
          size={size === 44 ? "sm" : "xs"}
          variant="default"
          leftSection={<RotateCcw />}
          onClick={() => reopen(conversation)}
        >
          Reopen
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={size} aria-label="More actions">
            <Ellipsis size={icon} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {conversation.status === "snoozed" && <Menu.Item onClick={() => void close()}>Close</Menu.Item>}
          <Menu.Item onClick={() => setArchives(true)}>Archive…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={archives}
        close={() => setArchives(false)}
        title={`Archive the conversation with ${personOf(conversation)}?`}
        action="Archive"
        danger
        onConfirm={archive}
      >
        <p>
          It is closed and leaves the lists, and what the person writes next begins another one. Its messages can still be read.{" "}
          <b>It is never reopened.</b>
        </p>
      </Confirm>
    </>
  );
}
