import { useMay } from "../../api/session.ts";
import { Code } from "../../ui/code.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { exactly } from "../../ui/when.tsx";
import { useEndpoints, useEventTypes } from "../webhooks/data.ts";
import { useDeliveriesOf } from "../webhooks/deliveries/data.ts";
import { type Event, useEvent } from "./data.ts";
import classes from "./events.module.css";

/** An event beside the feed: its data, and where it was delivered. */
export function OneEvent({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = useEvent(id);
  const may = useMay();
  return (
    <Panel title={<code>{data?.type ?? "Event"}</code>} close={close}>
      {data ? (
        <div className={classes.parts}>
          <Shown event={data} />
          {may("webhooks:read") && <Deliveries id={id} />}
        </div>
      ) : error ? (
        <Failure small title="The event did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

function Shown({ event }: { event: Event }) {
  const summary = useEventTypes().data?.find(({ type }) => type === event.type)?.summary;
  return (
    <>
      {summary && <p className="soft">{summary}</p>}
      <Facts
        rows={[
          ["When", exactly(event.created * 1_000)],
          [
            "Id",
            <Id key="id" keep={26}>
              {event.id}
            </Id>,
          ],
        ]}
      />
      <Code text={JSON.stringify(event, null, 2)} json label="Event" />
    </>
  );
}

const TONES = { succeeded: "live", pending: "wait", failed: "bad", cancelled: "ended" } as const;

function Deliveries({ id }: { id: string }) {
  const endpoints = useEndpoints().rows;
  const { rows, loading } = useDeliveriesOf(id, endpoints);
  return (
    <Section title="Deliveries">
      {rows.length === 0 ? (
        <p className="muted">{loading ? "Looking" : "It was sent nowhere: no endpoint wanted it when it occurred."}</p>
      ) : (
        <ul className={classes.deliveries}>
          {rows.map((row) => {
            const endpoint = endpoints.find((one) => one.id === row.endpoint_id);
            return (
              <li key={row.id}>
                <State tone={TONES[row.status]}>{row.status}</State>
                <Link className="link cut" to={`/developers/webhooks/${row.endpoint_id}?open=${row.id}`}>
                  {endpoint ? new URL(endpoint.url).host + new URL(endpoint.url).pathname : row.endpoint_id}
                </Link>
                <span className="muted">{row.response_status}</span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
