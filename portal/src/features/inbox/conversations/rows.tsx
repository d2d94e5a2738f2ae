import { Button, Skeleton } from "@mantine/core";
import { useRef } from "react";
import { useSession } from "../../../api/session.ts";
import { Failure } from "../../../ui/failure.tsx";
import { Monogram } from "../../../ui/monogram.tsx";
import { useRowKeys } from "../../../ui/row-keys.ts";
import { Dot } from "../../../ui/state.tsx";
import type { Rows as List } from "../../../ui/table.tsx";
import { ago, When } from "../../../ui/when.tsx";
import type { Conversation } from "./data.ts";
import inbox from "./inbox.module.css";
import classes from "./rows.module.css";
import { ChannelIcon, personOf } from "./words.tsx";

type Props = { list: List<Conversation>; open: string | undefined; onOpen(row: Conversation): void; empty: React.ReactNode };

/** The conversations, two lines each. Keys as in tables: j k Enter /. */
export function Conversations({ list, open, onOpen, empty }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowAt = (index: number) => scroller.current?.querySelector(`[data-index="${index}"]`);
  const keys = useRowKeys({
    count: list.rows.length,
    scrollTo: (index) => rowAt(index)?.scrollIntoView({ block: "nearest" }),
    act(index, key) {
      const row = list.rows[index];
      if (key !== "Enter" || row === undefined) return false;
      onOpen(row);
      return true;
    },
  });
  if (list.error) return <Failure small title="The conversations did not load" error={list.error} retry={list.retry} />;
  if (list.loading) return <Bars />;
  if (list.rows.length === 0 && !list.more) return empty;
  return (
    <div className={inbox.rows} ref={scroller}>
      <div role="table" aria-label="Conversations" aria-rowcount={list.more ? -1 : list.rows.length}>
        {list.rows.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys of its rows
          <div
            role="row"
            key={row.id}
            aria-rowindex={index + 1}
            data-index={index}
            data-id={row.id}
            data-open={row.id === open || undefined}
            data-unread={row.unread > 0 || undefined}
            className={classes.row}
            tabIndex={keys.stop === index ? 0 : -1}
            onFocus={() => keys.focused(index)}
            onClick={() => onOpen(row)}
          >
            <Row row={row} />
          </div>
        ))}
      </div>
      {list.more && (
        <Button className={inbox.more} variant="default" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </div>
  );
}

function Row({ row }: { row: Conversation }) {
  const { user } = useSession();
  const name = personOf(row);
  const own = row.owner_id === user.id;
  return (
    <span role="cell" className={classes.item}>
      <Monogram name={name} person size={32} />
      <span className={classes.lines}>
        <span>
          <b className="cut">{name}</b>
          <ChannelIcon kind={row.channel_kind} />
          {row.priority !== "normal" && row.priority !== "low" && <em>{row.priority}</em>}
          {row.waiting_since !== null && row.status === "open" ? (
            <em className={classes.waits} title="Waits for an answer">
              <Dot tone="wait" size={7} />
              {ago(row.waiting_since)}
              <span className={classes.unseen}> waiting</span>
            </em>
          ) : (
            <When muted at={row.last_message_at} />
          )}
        </span>
        <span>
          <span className="cut">{lastWords(row, own)}</span>
          {row.status !== "open" && <small>{row.status}</small>}
          {row.unread > 0 && (
            <i>
              {row.unread}
              <span className={classes.unseen}> unread</span>
            </i>
          )}
        </span>
      </span>
    </span>
  );
}

function lastWords({ last_message, subject, owner_name }: Conversation, own: boolean): string {
  if (last_message === null) return subject ?? "No message yet";
  const text = last_message.text || "A file";
  if (last_message.direction === "in") return text;
  return `${own ? "You" : (owner_name ?? "Us")}: ${text}`;
}

const BARS = ["62%", "48%", "71%", "55%", "66%", "43%", "58%"];

/** The coming rows, after 150 ms. */
function Bars() {
  return (
    <div className={classes.bars} role="status" aria-busy="true" aria-label="Loading">
      {BARS.map((width) => (
        <span key={width} className={classes.item}>
          <Skeleton circle height={32} />
          <span className={classes.lines}>
            <Skeleton height={8} width={width} />
            <Skeleton height={8} mt={10} />
          </span>
        </span>
      ))}
    </div>
  );
}
