import { Button } from "@mantine/core";
import { Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { useViews } from "../../api/views.ts";
import { Bar, Bulk, Export, Filter, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { Money, money, sums } from "../../ui/money.tsx";
import { Monogram, Named } from "../../ui/monogram.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { SavedViews } from "../../ui/saved-views.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { When, whenColumn } from "../../ui/when.tsx";
import { TagClients } from "./bulk.tsx";
import classes from "./clients.module.css";
import { CreateClient } from "./create.tsx";
import {
  type Client,
  type ClientFilter,
  type ClientStatus,
  exportAddress,
  listRequest,
  SORTS,
  type Sort,
  useClients,
} from "./data.ts";
import { ClientState } from "./status.tsx";
import { SuspendClients } from "./suspend.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "active", name: "Active" },
  { value: "pending", name: "Pending" },
  { value: "suspended", name: "Suspended" },
  { value: "churned", name: "Churned" },
];

const COLUMNS: readonly Column<Client>[] = [
  {
    key: "company",
    head: "Company",
    width: "minmax(200px, 1.5fr)",
    sorts: ["company", "-company"],
    cell: (row) => (
      <Named mark={<Monogram name={row.company} />} name={row.company} note={row.branding.domain ?? row.contact?.email} />
    ),
  },
  {
    key: "state",
    head: "State",
    width: "minmax(180px, 1fr)",
    cell: (row) => (
      <span className={classes.state}>
        <ClientState client={row} />
        {row.status !== "active" && <span className="muted cut">{row.status_reason}</span>}
      </span>
    ),
  },
  { key: "plan", head: "Plan", width: "88px", from: 800, cell: (row) => <span className="soft">{row.plan}</span> },
  { key: "tags", head: "Tags", width: "140px", from: 1000, cell: (row) => <span className="soft">{row.tags.join(", ")}</span> },
  {
    key: "mrr",
    head: "MRR",
    width: "96px",
    end: true,
    cell: (row) => (
      <span className={row.status === "churned" ? "muted" : "strong"}>
        <Money cents={row.mrr_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({
    key: "created",
    head: "Created",
    from: 900,
    sorts: ["-created_at", "created_at"],
    at: (row) => row.created_at,
    as: "day",
  }),
  whenColumn({ key: "changed", head: "Changed", width: "76px", sorts: ["-updated_at"], at: (row) => row.updated_at }),
];

/** What the address says the list is narrowed to. */
function filterOf(url: Readonly<Record<string, string | undefined>>): ClientFilter {
  const status = TABS.find(({ value }) => value !== "" && value === url.state)?.value as ClientStatus | undefined;
  const sort = SORTS.find((known) => known === url.sort) ?? "-updated_at";
  return {
    sort,
    ...(status ? { status } : {}),
    ...(url.q ? { q: url.q } : {}),
    ...(url.tag ? { tag: url.tag } : {}),
    ...(url.plan ? { plan: url.plan } : {}),
  };
}

export default function ClientList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useClients(filter);
  const views = useViews("clients");
  const session = useSession();
  const may = useMay();
  const go = useGo();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const creates = may("clients:write") && isPartnerWide(session);
  const create = () => setUrl({ new: "yes" }, true);
  const narrowed = Boolean(filter.status || filter.q || filter.tag || filter.plan);
  return (
    <Page
      title="Clients"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} />}
      {...newAction("New client", creates && create)}
    >
      <Bar>
        <Tabs label="State" value={filter.status ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })}>
          <SavedViews at="/clients" {...views} />
        </Tabs>
        <Filter label="Filter clients" value={filter.q ?? ""} onChange={(q) => setUrl({ q })} />
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Clients"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.company}
        onOpen={(row) => go(`/clients/${row.id}`)}
        selection={may("clients:write") ? { ids: chosen, set: setChosen } : undefined}
        sort={{ by: filter.sort, set: (sort) => setUrl({ sort: sort as Sort }) }}
        phone={(row) => <ClientLines row={row} />}
        keys={{ e: (row) => go(`/clients/${row.id}?edit=yes`) }}
        empty={
          narrowed ? (
            <Empty
              title="No client matches"
              action={
                <Button variant="default" onClick={() => go("/clients")}>
                  Show all
                </Button>
              }
            >
              Nothing is in this state, or has this in its name, address, contact or tags.
            </Empty>
          ) : (
            <Empty
              title="Your first client"
              action={creates && <Button onClick={create}>Create client</Button>}
              curl={curl("POST /v1/partners/clients", { company: "Harbour Dental", plan: "Growth", mrr_cents: 49900 })}
            >
              Create one here, or win a deal: the client then exists by itself, with its account and its commission.
            </Empty>
          )
        }
      />
      <BulkBar rows={list.rows.filter(({ id }) => chosen.includes(id))} clear={() => setChosen([])} />
      <CreateClient opened={creates && url.new === "yes"} close={() => setUrl({ new: undefined })} />
    </Page>
  );
}

function BulkBar({ rows, clear }: { rows: readonly Client[]; clear(): void }) {
  const [doing, setDoing] = useState<"suspend" | "tag" | null>(null);
  const totals = sums(rows.map(({ mrr_cents, currency }) => ({ amount_cents: mrr_cents, currency })));
  const note = totals.map(({ amount_cents, currency }) => money(amount_cents, currency)).join(" and ");
  return (
    <>
      <Bulk count={rows.length} note={`${note} MRR`} clear={clear}>
        <Button variant="subtle" leftSection={<TagIcon />} onClick={() => setDoing("tag")}>
          Tag
        </Button>
        <Button variant="danger-subtle" onClick={() => setDoing("suspend")}>
          Suspend…
        </Button>
      </Bulk>
      <SuspendClients clients={rows} opened={doing === "suspend"} close={() => setDoing(null)} done={clear} />
      <TagClients clients={rows} opened={doing === "tag"} close={() => setDoing(null)} done={clear} />
    </>
  );
}

/** A client on a phone. */
function ClientLines({ row }: { row: Client }) {
  return (
    <Lines
      mark={<Monogram name={row.company} size={32} />}
      title={row.company}
      note={
        <>
          <ClientState client={row} /> {row.plan}
        </>
      }
      end={
        <b>
          <Money cents={row.mrr_cents} currency={row.currency} />
        </b>
      }
      endNote={<When at={row.updated_at} />}
    />
  );
}
