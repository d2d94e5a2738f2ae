import { Select } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { Dot } from "../../ui/state.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { EndpointActs } from "./acts.tsx";
import { type Endpoint, type EndpointWithSecret, useEndpoint, useEventTypes } from "./data.ts";
import { type DeliveryFilter, listRequest, useDeliveries } from "./deliveries/data.ts";
import { DeliveryLog } from "./deliveries/log.tsx";
import { DeliveryDetail } from "./deliveries/one.tsx";
import { Doctor } from "./doctor.tsx";
import { EditEndpoint } from "./form.tsx";
import { addressOf, duration, percent, stateOf, typesOf } from "./model.ts";
import { ReplayPanel } from "./replay/panel.tsx";
import { SecretReady } from "./secret.tsx";
import classes from "./webhooks.module.css";

const TRAIL = [["Webhooks", "/developers/webhooks"]] as const;
const TABS = [
  { value: "", name: "All" },
  { value: "pending", name: "Waiting" },
  { value: "failed", name: "Failed" },
  { value: "succeeded", name: "Delivered" },
];

export default function OneWebhook() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(id);
  const data = query.data;
  if (data === undefined) return <Waiting title="Endpoint" trail={TRAIL} query={query} />;
  return <Shown endpoint={data} />;
}

function Shown({ endpoint }: { endpoint: Endpoint }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const types = useEventTypes().data ?? [];
  const [made, setMade] = useState<EndpointWithSecret | null>(null);
  const filter: DeliveryFilter = {
    ...(TABS.some(({ value }) => value !== "" && value === url.state)
      ? { status: url.state as NonNullable<DeliveryFilter["status"]> }
      : {}),
    ...(url.type ? { event_type: url.type as NonNullable<DeliveryFilter["event_type"]> } : {}),
    ...(url.replay_id ? { replay_id: url.replay_id } : {}),
  };
  const list = useDeliveries(endpoint.id, filter);
  const narrowed = Object.keys(filter).length > 0;
  const parked = endpoint.health.state !== "healthy";
  const acts = (phone: boolean) => <EndpointActs endpoint={endpoint} rotated={setMade} phone={phone} />;
  return (
    <Page
      title={<span className="mono cut">{addressOf(endpoint.url)}</span>}
      name={addressOf(endpoint.url)}
      trail={TRAIL}
      fill
      api={listRequest(endpoint.id, filter)}
      foot={<Loaded list={list} keys={false} />}
      actions={acts(false)}
      phoneAction={acts(true)}
    >
      <div className={classes.whole}>
        <Health endpoint={endpoint} />
        <div className={classes.split} data-open={url.open ? true : undefined}>
          <div className={classes.left}>
            <Bar>
              <Tabs
                label="State"
                value={filter.status ?? ""}
                tabs={TABS}
                onChange={(state) => setUrl({ state, open: undefined })}
              />
              <Select
                aria-label="Event type"
                placeholder="All types"
                clearable
                size="xs"
                data={types.map(({ type }) => type)}
                value={url.type ?? null}
                onChange={(type) => setUrl({ type: type ?? undefined, open: undefined })}
              />
            </Bar>
            <DeliveryLog
              list={list}
              parked={parked}
              open={url.open}
              onOpen={(open) => setUrl({ open, replay: undefined, doctor: undefined }, true)}
              empty={
                narrowed ? (
                  <p className="muted">No delivery is in this state.</p>
                ) : (
                  <Empty title="Nothing has been sent yet">
                    The next event of {endpoint.event_types[0] === "*" ? "any type" : "these types"} comes here by itself.
                    {may("webhooks:write") && " “Send test” sends one now."}
                  </Empty>
                )
              }
            />
          </div>
          {url.open && <DeliveryDetail key={url.open} id={url.open} parked={parked} close={() => setUrl({ open: undefined })} />}
        </div>
      </div>
      {url.edit === "yes" && may("webhooks:write") && (
        <EditEndpoint endpoint={endpoint} close={() => setUrl({ edit: undefined })} />
      )}
      {url.replay === "yes" && may("webhooks:write") && (
        <ReplayPanel endpoint={endpoint} close={() => setUrl({ replay: undefined })} />
      )}
      {url.doctor === "yes" && <Doctor endpoint_id={endpoint.id} close={() => setUrl({ doctor: undefined })} />}
      {made && <SecretReady made={made} rotated close={() => setMade(null)} />}
    </Page>
  );
}

const ORDER = { none: "none", subject: "by subject", strict: "strict" } as const;

function Health({ endpoint }: { endpoint: Endpoint }) {
  const { tone, name, why } = stateOf(endpoint);
  const { state: health_state, success_rate, p95_ms, pending, parked } = endpoint.health;
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    ["Delivered, 24 h", percent(success_rate) ?? "none yet"],
    ["p95", p95_ms === null ? null : duration(p95_ms)],
    ["Waiting", health_state === "healthy" ? pending : null],
    ["Parked", parked],
    ["Order", ORDER[endpoint.ordering]],
    ["Events", typesOf(endpoint)],
    ["Clients", endpoint.client_ids === null ? "all" : endpoint.client_ids.length],
    ["Secret", endpoint.secrets.map(({ hint }) => `…${hint}`).join(" ")],
  ];
  return (
    <div className={classes.health}>
      <p className={classes.answer}>
        <Dot tone={tone} size={10} />
        <b>{name.charAt(0).toUpperCase() + name.slice(1)}</b>
        <span>{why}</span>
      </p>
      <dl>
        {facts
          .filter(([, value]) => value !== null)
          .map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
