import { Button } from "@mantine/core";
import { Check, CheckCheck, Clock, Paperclip } from "lucide-react";
import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { useSession } from "../../../api/session.ts";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { toastError } from "../../../ui/toast.tsx";
import { day, time } from "../../../ui/when.tsx";
import { usePersonName } from "../../crm/records/people.tsx";
import {
  attachmentAddress,
  type Conversation,
  type Message,
  useCancelMessage,
  useImages,
  useMessages,
  useRetryMessage,
} from "./data.ts";
import { Html, imagesIn } from "./html.tsx";
import classes from "./inbox.module.css";
import { authorOf, eventText, personOf } from "./words.tsx";

/** How near to its end a thread is followed. */
const NEAR_PX = 80;

/** The messages of a conversation, oldest first, with notes and events among them. New ones are followed by whoever reads the end. */
export function Messages({ conversation, writes }: { conversation: Conversation; writes: boolean }) {
  const list = useMessages(conversation.id);
  const { ref, onScroll } = useEnd(conversation.id, list.rows[0]?.id);
  const messages = list.rows.toReversed();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no mouse scrolls by keys
    <section ref={ref} className={classes.messages} aria-label="Messages" tabIndex={0} onScroll={onScroll}>
      {list.error && <Failure small title="The messages did not load" error={list.error} retry={list.retry} />}
      {list.loading && <Loading rows={5} />}
      {list.more && (
        <Button className={classes.more} variant="default" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
          Earlier messages
        </Button>
      )}
      {!list.loading && !list.error && messages.length === 0 && (
        <p className={classes.quiet}>Nothing has been said to {personOf(conversation)} yet.</p>
      )}
      <ol>
        {messages.map((message, index) => {
          const before = messages[index - 1];
          const today = day(message.created_at);
          return (
            <Fragment key={message.id}>
              {(before === undefined || day(before.created_at) !== today) && (
                <li className={classes.quiet}>{today === day(new Date()) ? "Today" : today}</li>
              )}
              <Entry message={message} writes={writes} />
            </Fragment>
          );
        })}
      </ol>
    </section>
  );
}

/** Stays at the end while that is what is read. */
function useEnd(conversation: string, newest: string | undefined) {
  const ref = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins at its end
  useLayoutEffect(() => {
    atEnd.current = true;
  }, [conversation]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message
  useLayoutEffect(() => {
    if (atEnd.current) ref.current?.scrollTo(0, ref.current.scrollHeight);
  }, [conversation, newest]);
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: React.UIEvent<HTMLElement>) => {
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
  };
  return { ref, onScroll };
}

function Entry({ message, writes }: { message: Message; writes: boolean }) {
  const { user } = useSession();
  const nameOf = usePersonName();
  const author = authorOf(message, user.id);
  if (message.kind === "event")
    return (
      <li className={classes.quiet}>
        <b>{author}</b> {eventText(message, nameOf)}
        {message.text && `: ${message.text}`}
      </li>
    );
  if (message.kind === "note")
    return (
      <li className={classes.note}>
        <b>Note by {author === "You" ? "you" : author}</b> {message.text}
        <time dateTime={message.created_at}>{time(message.created_at)}</time>
      </li>
    );
  return (
    <li className={classes.message} data-direction={message.direction}>
      {message.subject && <strong>{message.subject}</strong>}
      <Words message={message} />
      <Files message={message} />
      <span className={classes.meta}>
        {message.direction === "out" && <>{author}, </>}
        {time(message.created_at)}
        {message.direction === "out" && <Status message={message} />}
      </span>
      {message.direction === "out" && <Acts message={message} writes={writes} />}
    </li>
  );
}

/** What a message says: the HTML of a mail, with its images once they are asked for, else the text. */
function Words({ message: { id, html, text } }: { message: Message }) {
  const [asked, setAsked] = useState(false);
  const images = useImages(id, asked);
  if (html === null) return text === "" ? null : <p>{text}</p>;
  const count = imagesIn(html);
  return (
    <>
      <Html html={html} images={images.data} />
      {count > 0 && images.data === undefined && (
        <button
          type="button"
          className="link"
          title="The sender does not learn who looks"
          disabled={images.isFetching}
          onClick={() => (asked ? void images.refetch() : setAsked(true))}
        >
          {images.isFetching ? "Loading images …" : count === 1 ? "Show the image" : `Show ${count} images`}
        </button>
      )}
      {images.error && <span className={classes.bad}>{images.error.message}</span>}
    </>
  );
}

function Files({ message }: { message: Message }) {
  return message.attachments.map(({ id, name, media_type }) => (
    <a key={id} className={classes.file} href={attachmentAddress(id)} target="_blank" rel="noreferrer" download={name}>
      {/^image\/(png|jpeg|gif|webp)$/.test(media_type) ? (
        <img src={attachmentAddress(id)} alt={name} loading="lazy" />
      ) : (
        <>
          <Paperclip size={13} aria-hidden />
          {name}
        </>
      )}
    </a>
  ));
}

/** How far a message has come: a mark, and the word for those who do not see it. */
function Status({ message: { status, scheduled_at } }: { message: Message }) {
  if (status === "delivered" || status === "read")
    return <CheckCheck size={13} role="img" aria-label={status} data-read={status === "read" || undefined} />;
  if (status === "sent") return <Check size={13} role="img" aria-label="sent" />;
  if (status === "scheduled" && scheduled_at !== null)
    return (
      <>
        <Clock size={12} aria-hidden /> goes out {day(scheduled_at)}, {time(scheduled_at)}
      </>
    );
  if (status === "failed") return <em className={classes.bad}>not sent</em>;
  return <>{status === "cancelled" ? "recalled" : status}</>;
}

/** What can still be done about a message: recall it, or send it again. */
function Acts({ message, writes }: { message: Message; writes: boolean }) {
  const cancel = useCancelMessage();
  const retry = useRetryMessage();
  const { code, detail } = (message.error ?? {}) as { code?: string; detail?: string };
  const waits = message.status === "scheduled" || message.status === "queued";
  const ended = message.status === "failed" || message.status === "cancelled";
  if (!waits && !ended) return null;
  return (
    <span className={classes.meta}>
      {message.status === "failed" && (
        <span className={classes.bad}>
          {detail ?? "The provider reported a failure."} {code && <code>{code}</code>}
        </span>
      )}
      {writes && waits && (
        <button
          type="button"
          className="link"
          onClick={() => void cancel.mutateAsync(message).catch((error: Error) => toastError("Not recalled", error))}
        >
          Recall
        </button>
      )}
      {writes && ended && (
        <button
          type="button"
          className="link"
          onClick={() => void retry.mutateAsync(message).catch((error: Error) => toastError("Not sent again", error))}
        >
          Send again
        </button>
      )}
    </span>
  );
}
