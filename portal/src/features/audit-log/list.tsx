import { Autocomplete, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { daysWithin } from "../../ui/days.ts";
import { Empty } from "../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../ui/filters.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { Dot } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { time } from "../../ui/when.tsx";
import { useClientNames, useClientOptions } from "../clients/data.ts";
import classes from "./audit-log.module.css";
import { type AuditFilter, type Entry, exportAddress, listRequest, useActors, useEntries } from "./data.ts";
import { dayOf, summaryOf } from "./model.ts";
import { OneEntry } from "./one.tsx";

/** Reads are counted, and many: one sees them on demand. */
const TABS = [
  { value: "", name: "Actions" },
  { value: "denied", name: "Denied" },
  { value: "reads", name: "Reads" },
  { value: "all", name: "All" },
];
const SHOWN: Record<string, AuditFilter> = {
  denied: { outcome: "denied" },
  reads: { counted: true, outcome: "success" },
  all: {},
};

type Url = Readonly<Record<string, string | undefined>>;

/** What the address says the log is narrowed to. */
function filterOf(url: Url): AuditFilter {
  const { show, actor, action, client, target } = url;
  return {
    ...(SHOWN[show ?? ""] ?? { counted: false }),
    ...(actor ? { actor_id: actor } : {}),
    ...(/^[a-z_]+\.[a-z_]+$/.test(action ?? "") ? { action: action ?? "" } : {}),
    ...(client ? { client_id: client } : {}),
    ...(/^[a-z0-9_]{1,64}$/.test(target ?? "") ? { target: target ?? "" } : {}),
    ...daysWithin("created", url),
  };
}

const nameOf = ({ actor }: Entry) => actor.name ?? (actor.type === "system" ? "The service" : actor.id);

function columnsOf(clients: ReadonlyMap<string, string>): readonly Column<Entry>[] {
  return [
    {
      key: "at",
      head: "Time",
      width: "48px",
      cell: (row) => (
        <time className="muted" dateTime={row.occurred_at}>
          {time(row.occurred_at)}
        </time>
      ),
    },
    {
      key: "actor",
      head: "Who",
      width: "minmax(120px, .5fr)",
      cell: (row) => <span className="strong">{nameOf(row)}</span>,
    },
    {
      key: "action",
      head: "What",
      width: "minmax(170px, .7fr)",
      cell: (row) => (
        <span className={classes.action}>
          {row.outcome === "denied" && <Dot tone="bad" />}
          <span className="mono cut">{row.action}</span>
          {row.count > 1 && <span className="muted">× {row.count}</span>}
        </span>
      ),
    },
    {
      key: "client",
      head: "Client",
      width: "minmax(110px, .5fr)",
      from: 800,
      cell: (row) => (
        <span className="soft cut">{row.client_id === null ? "" : (clients.get(row.client_id) ?? row.client_id)}</span>
      ),
    },
    {
      key: "changes",
      head: "Changes",
      width: "minmax(160px, 1.2fr)",
      from: 640,
      cell: (row) => <span className="muted cut">{row.outcome === "denied" ? `denied: ${row.code ?? ""}` : summaryOf(row)}</span>,
    },
    { key: "ip", head: "Address", width: "120px", from: 1080, cell: (row) => <span className="muted mono">{row.ip}</span> },
  ];
}

export default function AuditLog() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useEntries(filter);
  const actors = useActors();
  const clientIds = [...new Set(list.rows.flatMap(({ client_id }) => (client_id === null ? [] : [client_id])))];
  const clients = useClientNames(clientIds.slice(0, 30));
  const narrowed = Object.keys(filter).some((name) => name !== "counted");
  return (
    <Page
      title="Audit log"
      trail={[["Developers", "/developers/events"]]}
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} keys={false} />}
    >
      <Bar>
        <Tabs label="Kind" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
        <Select
          className={classes.who ?? ""}
          aria-label="Who"
          placeholder="Anybody"
          searchable
          clearable
          data={[...actors].map(([value, label]) => ({ value, label }))}
          value={url.actor ?? null}
          onChange={(actor) => setUrl({ actor: actor ?? undefined })}
        />
        <MoreFilters rows={list.rows} />
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Audit entries"
        columns={columnsOf(clients)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.action}
        group={(row) => dayOf(row.occurred_at)}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        open={url.open}
        phone={(row) => (
          <Lines
            title={nameOf(row)}
            note={
              <>
                {row.outcome === "denied" && <Dot tone="bad" />} <span className="mono">{row.action}</span>
              </>
            }
            end={
              <time className="muted" dateTime={row.occurred_at}>
                {time(row.occurred_at)}
              </time>
            }
          />
        )}
        empty={
          <Empty title={narrowed ? "Nothing matches" : "Nothing has happened yet"}>
            {narrowed
              ? "Nobody did this, there, in this time."
              : "Every change, and every refusal, will stand here with who, when and from where."}
          </Empty>
        }
      />
      {url.open && <OneEntry key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function MoreFilters({ rows }: { rows: readonly Entry[] }) {
  const [url, setUrl] = useUrl();
  const [text, setText] = useState("");
  const clients = useClientOptions(text, url.client ? [url.client] : []);
  const actions = [...new Set(rows.map(({ action }) => action))].sort();
  return (
    <Filters names={["action", "client", "target", "from", "to"]}>
      <Autocomplete
        label="Action"
        placeholder="clients.suspend"
        data={actions}
        comboboxProps={{ withinPortal: false }}
        value={url.action ?? ""}
        onChange={(action) => setUrl({ action })}
      />
      <Choice name="client" label="Client" data={clients} search={[text, setText]} />
      <TextInput
        label="Target"
        placeholder="The id of anything: key_…, deal_…"
        value={url.target ?? ""}
        onChange={({ currentTarget }) => setUrl({ target: currentTarget.value.trim() })}
      />
      <FromTo />
    </Filters>
  );
}
