import { ActionIcon, Button } from "@mantine/core";
import { Plus, Stethoscope } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Bar, Export } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { curl, Loaded, Page } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { type Endpoint, type EndpointWithSecret, EXPORT_ADDRESS, LIST_REQUEST, useEndpoints } from "./data.ts";
import { Doctor } from "./doctor.tsx";
import { CreateEndpoint } from "./form.tsx";
import { addressOf, duration, percent, stateOf, typesOf } from "./model.ts";
import { SecretReady } from "./secret.tsx";
import classes from "./webhooks.module.css";

function EndpointStateOf({ row }: { row: Endpoint }) {
  const { tone, name } = stateOf(row);
  return <State tone={tone}>{name}</State>;
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    key: "url",
    head: "Address",
    width: "minmax(200px, 1.4fr)",
    cell: (row) => (
      <span className={classes.address}>
        <b className="mono cut">{addressOf(row.url)}</b>
        <span className="muted cut">{row.description}</span>
      </span>
    ),
  },
  { key: "state", head: "State", width: "96px", cell: (row) => <EndpointStateOf row={row} /> },
  {
    key: "types",
    head: "Events",
    width: "minmax(110px, .5fr)",
    from: 760,
    cell: (row) => <span className="soft">{typesOf(row)}</span>,
  },
  {
    key: "success",
    head: "Delivered, 24 h",
    width: "104px",
    end: true,
    cell: (row) => percent(row.health.success_rate),
  },
  {
    key: "p95",
    head: "p95",
    width: "72px",
    end: true,
    from: 640,
    cell: (row) => <span className="soft">{row.health.p95_ms === null ? "" : duration(row.health.p95_ms)}</span>,
  },
  {
    key: "parked",
    head: "Parked",
    width: "64px",
    end: true,
    cell: (row) => (row.health.parked === 0 ? <span className="muted">0</span> : <b className="strong">{row.health.parked}</b>),
  },
  whenColumn({
    key: "last",
    head: "Last success",
    width: "92px",
    from: 900,
    at: (row) => row.health.last_success_at,
    never: "never",
  }),
];

/** "2 of 3 endpoints are live. 12 events are parked." */
function answerOf(rows: readonly Endpoint[]): string {
  const live = rows.filter(({ health }) => health.state === "healthy").length;
  const parked = rows.reduce((sum, { health }) => sum + health.parked, 0);
  const first =
    rows.length === 1
      ? `The endpoint is ${stateOf(rows[0] as Endpoint).name}.`
      : live === rows.length
        ? `All ${rows.length} endpoints are live.`
        : `${live} of ${rows.length} endpoints ${live === 1 ? "is" : "are"} live.`;
  return parked === 0 ? first : `${first} ${parked} ${parked === 1 ? "event waits" : "events wait"}, none is lost.`;
}

export default function WebhookList() {
  const [url, setUrl] = useUrl();
  const list = useEndpoints();
  const may = useMay();
  const go = useGo();
  const [made, setMade] = useState<EndpointWithSecret | null>(null);
  const writes = may("webhooks:write");
  const create = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Webhooks"
      trail={[["Developers", "/developers/events"]]}
      fill
      api={LIST_REQUEST}
      foot={<Loaded list={list} keys={false} />}
      actions={
        <>
          <Button variant="subtle" leftSection={<Stethoscope />} onClick={() => setUrl({ doctor: "yes" }, true)}>
            Doctor
          </Button>
          {writes && (
            <Button leftSection={<Plus />} onClick={create}>
              New endpoint
            </Button>
          )}
        </>
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="New endpoint" onClick={create}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      {list.rows.length > 0 && (
        <Bar>
          <p className={classes.lead}>{answerOf(list.rows)}</p>
          <Export href={EXPORT_ADDRESS} />
        </Bar>
      )}
      <Table
        label="Endpoints"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => addressOf(row.url)}
        onOpen={(row) => go(`/developers/webhooks/${row.id}`)}
        phone={(row) => <EndpointLines row={row} />}
        empty={
          <Empty
            title="Be told instead of asking"
            action={writes && <Button onClick={create}>New endpoint</Button>}
            curl={curl("POST /v1/partners/webhooks", { url: "https://hooks.example.com/tributary", event_types: ["deal.won"] })}
          >
            Each event is sent to your address within seconds, signed, and sent again until it arrives.
          </Empty>
        }
      />
      {url.new === "yes" && writes && (
        <CreateEndpoint
          close={() => setUrl({ new: undefined })}
          created={(endpoint) => {
            setUrl({ new: undefined });
            setMade(endpoint);
          }}
        />
      )}
      {url.doctor === "yes" && <Doctor close={() => setUrl({ doctor: undefined })} />}
      {made && <SecretReady made={made} rotated={false} close={() => go(`/developers/webhooks/${made.id}`)} />}
    </Page>
  );
}

function EndpointLines({ row }: { row: Endpoint }) {
  return (
    <Lines
      title={<span className="mono">{addressOf(row.url)}</span>}
      note={typesOf(row)}
      end={<EndpointStateOf row={row} />}
      endNote={row.health.parked > 0 ? `${row.health.parked} parked` : percent(row.health.success_rate)}
    />
  );
}
