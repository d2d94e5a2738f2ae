import { ActionIcon, Button } from "@mantine/core";
import { ArrowLeft, X } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Code } from "../../../ui/code.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useFocus } from "../../../ui/panel.tsx";
import { State } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { ago } from "../../../ui/when.tsx";
import { duration } from "../model.ts";
import { type Attempt, type OneDelivery, useDelivery, useRetry } from "./data.ts";
import classes from "./deliveries.module.css";

const exact = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const SHOWN_TRIES = 4;

/** JSON with its lines, anything else as it is. */
function pretty(text: string): { text: string; json: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), json: true };
  } catch {
    return { text, json: false };
  }
}

type Props = {
  id: string;
  /** Whether its endpoint does not answer, so that what is due waits. */
  parked: boolean;
  close(): void;
};

/** A delivery beside the log: its attempts, and what was sent and answered. */
export function DeliveryDetail({ id, parked, close }: Props) {
  const { data, error, refetch } = useDelivery(id);
  const pane = useFocus();
  return (
    <section
      ref={pane}
      className={classes.detail}
      aria-label={data ? `Delivery of ${data.event_type}` : "Delivery"}
      tabIndex={-1}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      {data ? (
        <Shown delivery={data} parked={parked} close={close} />
      ) : error ? (
        <Failure small title="The delivery did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </section>
  );
}

function Shown({ delivery, parked, close }: Omit<Props, "id"> & { delivery: OneDelivery }) {
  const { attempt_log, event_type, event_id, status, next_at, test } = delivery;
  const [chosen, setChosen] = useState<number | null>(null);
  const retry = useRetry();
  const may = useMay();
  const attempt = attempt_log.find(({ number }) => number === chosen) ?? attempt_log[0];
  const again = () =>
    retry.mutateAsync(delivery.id).then(
      () => toast(parked ? `${event_type} is sent as soon as the endpoint answers` : `${event_type} is sent again`),
      (error: Error) => toastError("Not sent again", error),
    );
  return (
    <>
      <header>
        <ActionIcon className={classes.back ?? ""} size={32} aria-label="Back to the deliveries" onClick={close}>
          <ArrowLeft size={18} />
        </ActionIcon>
        <h2 className="cut">{event_type}</h2>
        {test ? (
          <span className="muted">test</span>
        ) : (
          <Link className="link" to={`/developers/events?open=${event_id}`}>
            Event
          </Link>
        )}
        <span className={classes.id}>
          <Id keep={6}>{event_id}</Id>
        </span>
        {may("webhooks:write") && (
          <Button variant="default" size="xs" loading={retry.isPending} onClick={() => void again()}>
            Retry now
          </Button>
        )}
        <ActionIcon className={classes.shut ?? ""} aria-label="Close" onClick={close}>
          <X size={16} />
        </ActionIcon>
      </header>
      <ol className={classes.tries} aria-label="Attempts">
        {attempt_log
          .slice(0, SHOWN_TRIES)
          .toReversed()
          .map((one) => (
            <li key={one.number} data-ok={isOk(one) || undefined}>
              <button type="button" aria-current={one === attempt || undefined} onClick={() => setChosen(one.number)}>
                <State tone={isOk(one) ? "live" : "bad"}>{one.status ?? one.error ?? "none"}</State>
                <span>{exact.format(new Date(one.started_at))}</span>
                <span>{duration(one.duration_ms)}</span>
              </button>
            </li>
          ))}
        {status === "pending" && next_at !== null && (
          <li data-next>
            <State tone="wait">next</State>
            <span>{exact.format(new Date(next_at))}</span>
            <span>{parked ? "parked" : Date.parse(next_at) <= Date.now() ? "now" : `in ${ago(next_at)}`}</span>
          </li>
        )}
      </ol>
      {attempt_log.length > SHOWN_TRIES && (
        <p className="muted">
          The last {SHOWN_TRIES} of {attempt_log.length} attempts.
        </p>
      )}
      <Panes delivery={delivery} attempt={attempt} />
    </>
  );
}

const isOk = ({ status }: Attempt) => status !== null && status >= 200 && status < 300;

const REASONS: Record<string, string> = {
  timeout: "It did not answer in time.",
  status: "",
};

function Panes({ delivery, attempt }: { delivery: OneDelivery; attempt: Attempt | undefined }) {
  const reply = attempt?.response ? pretty(attempt.response) : null;
  const body = delivery.request_body === null ? null : pretty(delivery.request_body);
  const headers = Object.entries(attempt?.request_headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className={classes.panes}>
      {attempt && (
        <>
          <p>
            <span>Reply</span>
            <span className="muted">
              {attempt.status ?? "none"} after {duration(attempt.duration_ms)}
            </span>
          </p>
          {reply ? (
            <Code text={reply.text} json={reply.json} label="Reply" />
          ) : (
            <span className="muted">
              {isOk(attempt)
                ? "The body of a success is not kept."
                : (REASONS[attempt.error ?? ""] ?? `Nothing came back: ${(attempt.error ?? "").replaceAll("_", " ")}.`) ||
                  "It had no body."}
            </span>
          )}
        </>
      )}
      <p>
        <span>Request</span>
        {body && <span className="muted">{new TextEncoder().encode(delivery.request_body ?? "").length} bytes</span>}
      </p>
      {headers.length > 0 && <Code text={headers.join("\n")} label="Request headers" />}
      {body ? (
        <Code text={body.text} json={body.json} label="Request body" />
      ) : (
        <span className="muted">The event is no longer kept, or you may not read its type.</span>
      )}
    </div>
  );
}
