import { ActionIcon, Button, FileButton, Kbd, Textarea } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { CalendarClock, Paperclip, X } from "lucide-react";
import { useState } from "react";
import { Problem } from "../../../ui/form.tsx";
import { COMMAND } from "../../../ui/keys.ts";
import { toast, toastError } from "../../../ui/toast.tsx";
import { day, time } from "../../../ui/when.tsx";
import type { Channel } from "../channels/data.ts";
import { KINDS } from "../channels/kinds.ts";
import { type Attachment, type Conversation, type NewMessage, useAddNote, useSendMessage, useUpload } from "./data.ts";
import { type Draft, useDraft, varsOf } from "./drafts.ts";
import classes from "./inbox.module.css";
import { LaterMenu } from "./later.tsx";
import { Owner } from "./owner.tsx";
import { TemplateChoice, TemplateText } from "./template.tsx";

type Props = { conversation: Conversation; channel: Channel | undefined };

/** Writes an answer, now or later, in own words or a template's, or a note for the team. */
export function Composer({ conversation, channel }: Props) {
  const { draft, change, clear } = useDraft(conversation.id);
  const { busy, error, submit } = useSubmit(conversation, draft, clear);
  const { text, note, template, files } = draft;
  const max = channel?.capabilities.text_max;
  const ready = note ? text.trim() !== "" : template !== null || text.trim() !== "" || files.length > 0;
  const by = KINDS[conversation.channel_kind].by;
  return (
    <div className={classes.composer} data-note={note || undefined}>
      <Owner conversation={conversation} />
      <Hints conversation={conversation} channel={channel} />
      {template !== null && !note ? (
        <TemplateText conversation={conversation} template={template} change={change} />
      ) : (
        <Textarea
          aria-label={note ? "Note" : "Reply"}
          placeholder={note ? "For the team alone" : `Reply by ${by}`}
          autosize
          minRows={2}
          maxRows={10}
          value={text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && ready) void submit();
          }}
        />
      )}
      <Files draft={draft} change={change} />
      <Told error={error} />
      <div className={classes.send}>
        {!note && (
          <>
            {channel?.capabilities.attachments && (
              <Attach conversation={conversation} add={(file) => change({ files: [...files, file] })} />
            )}
            <TemplateChoice conversation={conversation} choose={(chosen) => change({ template: chosen })} />
          </>
        )}
        <Button variant="subtle" size="xs" aria-pressed={note} onClick={() => change({ note: !note })}>
          {note ? "Write to the person" : "Note"}
        </Button>
        <span className={classes.count}>
          {max !== undefined && !note && template === null && `${text.length} / ${max.toLocaleString("en-US")}`}
        </span>
        {!note && (
          <LaterMenu action="Send later" pick={(at) => void submit(at)}>
            <ActionIcon aria-label="Send later" disabled={!ready}>
              <CalendarClock size={15} />
            </ActionIcon>
          </LaterMenu>
        )}
        <Button
          size="xs"
          loading={busy}
          disabled={!ready}
          rightSection={<Kbd className={`${classes.onFill} only-desk`}>{COMMAND}⏎</Kbd>}
          onClick={() => void submit()}
        >
          {note ? "Add note" : "Send"}
        </Button>
      </div>
    </div>
  );
}

/** Own words, or those of a template. */
function wordsOf({ text, template }: Draft): Pick<NewMessage, "text" | "template_id" | "vars"> {
  if (template === null) return text.trim() === "" ? {} : { text };
  const vars = varsOf(template);
  return { template_id: template.id, ...(Object.keys(vars).length === 0 ? {} : { vars }) };
}

/** Sends the draft under the owner that is shown. What was refused stays, to be read and sent again. */
function useSubmit(conversation: Conversation, draft: Draft, clear: () => void) {
  const send = useSendMessage(conversation);
  const add = useAddNote(conversation);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (at?: Date) => {
    const { key, text, note, files } = draft;
    setError(null);
    try {
      if (note) await add.mutateAsync(text);
      else
        await send.mutateAsync({
          client_message_id: key,
          owner_token: conversation.owner_token,
          ...wordsOf(draft),
          ...(files.length === 0 ? {} : { attachment_ids: files.map(({ id }) => id) }),
          ...(at === undefined ? {} : { scheduled_at: at.toISOString() }),
        });
      if (at !== undefined) toast(`It goes out ${day(at)}, ${time(at)}`);
      clear();
    } catch (reason) {
      setError(reason as Error);
    }
  };
  return { busy: send.isPending || add.isPending, error, submit };
}

/** Why it was not sent. */
function Told({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <div className={classes.told}>
      <Problem error={error} />
      {error instanceof ApiError && error.code === "owner_changed" && (
        <p>Somebody else answers here now, and nothing was sent. Read what was written, then send again if it is still right.</p>
      )}
    </div>
  );
}

/** What stands in the way of an answer, before it is written. */
function Hints({ conversation: { reply_window_until }, channel }: Props) {
  if (channel === undefined) return null;
  const { status, last_error, capabilities } = channel;
  const closed =
    capabilities.window_hours !== null && (reply_window_until === null || new Date(reply_window_until).getTime() < Date.now());
  const hint =
    status === "paused"
      ? `${channel.name} is paused: what you send waits.`
      : status === "error"
        ? `${channel.name} is refused by its provider, what you send waits. ${last_error?.detail ?? ""}`
        : closed
          ? `More than ${capabilities.window_hours} hours after the last message of the person, only an approved template can be sent.`
          : null;
  return hint === null ? null : <p className={classes.hint}>{hint}</p>;
}

function Attach({ conversation, add }: { conversation: Conversation; add(file: Attachment): void }) {
  const sending = useUpload(conversation.account_id);
  const upload = sending.mutateAsync;
  const take = (file: File | null) => {
    if (file === null) return;
    upload(file).then(add, (error: Error) => toastError("The file was not taken", error));
  };
  return (
    <FileButton onChange={take}>
      {(props) => (
        <ActionIcon {...props} aria-label="Attach a file" loading={sending.isPending}>
          <Paperclip size={15} />
        </ActionIcon>
      )}
    </FileButton>
  );
}

function Files({ draft: { files }, change }: { draft: Draft; change(values: Partial<Draft>): void }) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.files}>
      {files.map(({ id, name }) => (
        <li key={id}>
          <Paperclip size={12} aria-hidden />
          <span className="cut">{name}</span>
          <ActionIcon aria-label={`Remove ${name}`} onClick={() => change({ files: files.filter((file) => file.id !== id) })}>
            <X size={12} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
