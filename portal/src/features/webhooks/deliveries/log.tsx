import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { List } from "../../../api/lists.ts";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Dot, type Tone } from "../../../ui/state.tsx";
import { ago, day, time } from "../../../ui/when.tsx";
import type { Delivery } from "./data.ts";
import classes from "./deliveries.module.css";

export const TONES: Record<Delivery["status"], Tone> = { succeeded: "live", pending: "wait", failed: "bad", cancelled: "ended" };

/** A pending delivery that failed before is broken for now. */
export const toneOf = ({ status, attempts }: Delivery): Tone => (status === "pending" && attempts > 0 ? "bad" : TONES[status]);

/** What will happen to it, or why it ended. */
export function noteOf(
  { status, attempts, next_at, error, test, replay_id, response_status }: Delivery,
  parked: boolean,
): string {
  const kind = test ? "test" : replay_id === null ? "" : "replay";
  const tries = attempts === 1 ? "first try" : `try ${attempts}`;
  const next = parked
    ? "parked"
    : next_at === null
      ? ""
      : Date.parse(next_at) <= Date.now()
        ? "next now"
        : `next in ${ago(next_at)}`;
  const state = {
    pending:
      attempts === 0
        ? parked
          ? "parked"
          : "waits"
        : [tries, response_status === null ? error : null, next].filter(Boolean).join(", "),
    succeeded: attempts > 1 ? `after ${attempts} tries` : "",
    failed: `given up after ${attempts} tries`,
    cancelled: "cancelled",
  }[status];
  return [kind, state].filter(Boolean).join(", ");
}

type Props = {
  list: List<Delivery>;
  parked: boolean;
  open: string | undefined;
  onOpen(id: string): void;
  empty: React.ReactNode;
};

/** The deliveries of an endpoint, newest event first. */
export function DeliveryLog({ list, parked, open, onOpen, empty }: Props) {
  if (list.error) return <Failure title="The deliveries did not load" error={list.error} retry={list.retry} />;
  if (list.loading)
    return (
      <div className={classes.wait}>
        <Loading />
      </div>
    );
  if (list.rows.length === 0) return <div className={classes.none}>{empty}</div>;
  return (
    <ul className={classes.log} aria-label="Deliveries">
      {list.rows.map((row) => (
        <li key={row.id}>
          <button type="button" aria-current={row.id === open || undefined} onClick={() => onOpen(row.id)}>
            <Dot tone={toneOf(row)} />
            <b className="cut">{row.event_type}</b>
            <span className={`${classes.note} cut`}>{noteOf(row, parked && row.status === "pending")}</span>
            <span className={classes.code} data-bad={toneOf(row) === "bad" || undefined}>
              {row.response_status ?? (row.attempts > 0 ? "none" : "")}
            </span>
            <time dateTime={row.event_created_at} title={row.event_created_at}>
              {isToday(row.event_created_at) ? time(row.event_created_at) : day(row.event_created_at)}
            </time>
          </button>
        </li>
      ))}
      {list.more && (
        <li className={classes.more}>
          <More list={list} />
        </li>
      )}
    </ul>
  );
}

const isToday = (at: string) => new Date(at).toDateString() === new Date().toDateString();

/** Loads the next page as it comes into view; the button is for those who get there otherwise. */
function More({ list }: { list: List<Delivery> }) {
  const seen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && list.loadMore());
    if (seen.current) watch.observe(seen.current);
    return () => watch.disconnect();
  }, [list.loadMore]);
  return (
    <Button ref={seen} variant="subtle" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
      Show more
    </Button>
  );
}
