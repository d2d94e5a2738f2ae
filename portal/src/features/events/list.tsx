import { MultiSelect } from "@mantine/core";
import { Bar, Export } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { curl, Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { When, whenColumn } from "../../ui/when.tsx";
import { useClientNames } from "../clients/data.ts";
import { useEventTypes } from "../webhooks/data.ts";
import { type Event, type EventFilter, type EventType, exportAddress, listRequest, useEvents } from "./data.ts";
import classes from "./events.module.css";
import { OneEvent } from "./one.tsx";

/** What is true of every type: some have a client, some a company. */
type About = { client_id?: string | null; company?: string | null };
const clientOf = ({ data }: Event) => (data as About).client_id ?? null;
const companyOf = ({ data }: Event) => (data as About).company ?? null;

/** What the event says, without the ids: "Growth, stage Won". */
function factsOf({ data }: Event): string {
  return Object.entries(data)
    .filter(([name, value]) => !/(^|_)ids?$|^company$/.test(name) && ["string", "number", "boolean"].includes(typeof value))
    .map(([name, value]) => `${name} ${value}`)
    .slice(0, 6)
    .join(", ");
}

function columnsOf(clients: ReadonlyMap<string, string>): readonly Column<Event>[] {
  const nameOf = (row: Event) => companyOf(row) ?? clients.get(clientOf(row) ?? "") ?? "";
  return [
    {
      key: "type",
      head: "Type",
      width: "minmax(160px, .6fr)",
      cell: (row) => <b className={`${classes.type} mono`}>{row.type}</b>,
    },
    { key: "about", head: "About", width: "minmax(120px, .6fr)", cell: (row) => <span className="strong">{nameOf(row)}</span> },
    {
      key: "data",
      head: "Data",
      width: "minmax(160px, 1.2fr)",
      from: 700,
      cell: (row) => <span className="muted cut">{factsOf(row)}</span>,
    },
    whenColumn({ key: "at", head: "When", width: "76px", at: (row) => new Date(row.created * 1_000).toISOString() }),
  ];
}

export default function EventList() {
  const [url, setUrl] = useUrl();
  const types = useEventTypes().data ?? [];
  const chosen = (url.types ?? "").split(",").filter(Boolean) as EventType[];
  const filter: EventFilter = { type: chosen, ...(url.client ? { client_id: url.client } : {}) };
  const list = useEvents(filter);
  const unnamed = list.rows.filter((row) => companyOf(row) === null).flatMap((row) => clientOf(row) ?? []);
  const clients = useClientNames([...new Set(unnamed)].slice(0, 30));
  return (
    <Page
      title="Events"
      trail={[["Developers", "/developers/webhooks"]]}
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} keys={false} />}
    >
      <Bar>
        <MultiSelect
          className={classes.types ?? ""}
          aria-label="Types"
          placeholder={chosen.length === 0 ? "All types" : ""}
          data={types.map(({ type }) => type)}
          value={chosen}
          onChange={(to) => setUrl({ types: to.join(",") })}
          clearable
        />
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Events"
        columns={columnsOf(clients)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.type}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        open={url.open}
        phone={(row) => (
          <Lines
            title={<span className="mono">{row.type}</span>}
            note={companyOf(row) ?? clients.get(clientOf(row) ?? "")}
            end={<When muted at={new Date(row.created * 1_000).toISOString()} />}
          />
        )}
        empty={
          <Empty
            title={chosen.length > 0 ? "No event of these types" : "Nothing has happened yet"}
            curl={curl("GET /v1/partners/events")}
          >
            {chosen.length > 0
              ? "None occurred in the time for which events are kept."
              : "What happens to clients, deals and payouts stands here, and is sent to your webhooks."}
          </Empty>
        }
      />
      {url.open && <OneEvent key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}
