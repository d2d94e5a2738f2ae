import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { Gauge, Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Bar, Export, Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Monogram, Named } from "../../../ui/monogram.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { spaced } from "../../../ui/phone.ts";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { When, whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../records/account.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { FilterChips, Filters, filterQuery, filtersOf } from "../records/filters.tsx";
import { usePersonName } from "../records/people.tsx";
import { BulkLeads } from "./bulk.tsx";
import { CreateLead } from "./create.tsx";
import { exportAddress, type Lead, listRequest, SORTS, SOURCES, useLeads } from "./data.ts";
import { LeadState, leadName } from "./status.tsx";

const TABS = [
  { value: "", name: "Open" },
  { value: "new", name: "New" },
  { value: "working", name: "Working" },
  { value: "qualified", name: "Qualified" },
  { value: "disqualified", name: "Disqualified" },
  { value: "converted", name: "Converted" },
  { value: "all", name: "All" },
];
const OPEN = ["new", "working", "qualified"];
const MORE = ["source", "score"];

export default function LeadsPage() {
  return <InAccount title="Leads">{(account) => <LeadList key={account.id} account={account} />}</InAccount>;
}

function useColumns(): readonly Column<Lead>[] {
  const nameOf = usePersonName();
  return [
    {
      key: "name",
      head: "Name",
      width: "minmax(200px, 1.6fr)",
      sorts: ["name"],
      cell: (row) => (
        <Named
          mark={<Monogram name={leadName(row)} person />}
          name={leadName(row)}
          note={[row.title, row.company].filter(Boolean).join(", ")}
        />
      ),
    },
    {
      key: "state",
      head: "State",
      width: "minmax(110px, 0.8fr)",
      cell: (row) => (
        <span className="cut">
          <LeadState lead={row} /> <span className="muted">{row.disqualified_reason}</span>
        </span>
      ),
    },
    {
      key: "source",
      head: "From",
      width: "minmax(100px, 0.8fr)",
      from: 760,
      cell: (row) => <span className="soft cut">{row.source.name ?? row.source.kind}</span>,
    },
    {
      key: "reach",
      head: "Reached by",
      width: "minmax(130px, 1fr)",
      from: 900,
      cell: (row) => <span className="soft cut">{spaced(row.phone) ?? row.email}</span>,
    },
    {
      key: "owner",
      head: "Owner",
      width: "112px",
      from: 1060,
      cell: (row) => <span className="soft cut">{row.owner_id && nameOf(row.owner_id)}</span>,
    },
    {
      key: "score",
      head: "Score",
      width: "72px",
      end: true,
      sorts: ["-score"],
      cell: (row) => <span className="strong">{row.score}</span>,
    },
    whenColumn({ key: "created", head: "Created", sorts: ["-created_at", "created_at"], at: (row) => row.created_at }),
  ];
}

function filterOf(account: Account, url: Readonly<Record<string, string | undefined>>) {
  const sort = SORTS.find((known) => known === url.sort) ?? "-score";
  const tab = TABS.find(({ value }) => value === url.state)?.value ?? "";
  return {
    account_id: account.id,
    sort,
    ...(tab === "all" ? {} : { status: tab === "" ? OPEN : [tab] }),
    ...filterQuery(url),
    ...(url.source ? { source_kind: url.source } : {}),
    ...(url.score ? { score_min: url.score } : {}),
  };
}

function LeadList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const filter = filterOf(account, url);
  const list = useLeads(filter);
  const columns = useColumns();
  const views = useViews("leads", account.id);
  const may = useMay();
  const go = useGo();
  const fields = useCustomFields(account.id, "lead").data ?? [];
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const writes = may("leads:write") && account.readOnly === null;
  const base = `/crm/${account.id}/leads`;
  const create = () => setUrl({ new: "yes" }, true);
  const narrowed = Boolean(url.q || url.state) || filtersOf(url, MORE).length > 0;
  return (
    <Page
      title="Leads"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} />}
      actions={
        <>
          <Button variant="subtle" leftSection={<Gauge />} onClick={() => go(`${base}/scoring`)}>
            Scoring
          </Button>
          {writes && (
            <Button leftSection={<Plus />} onClick={create}>
              New lead
            </Button>
          )}
        </>
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="New lead" onClick={create}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })}>
          <SavedViews at={base} {...views} />
        </Tabs>
        <Filter label="Filter leads" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
        <Filters url={url} setUrl={setUrl} fields={fields}>
          <Select
            label="From"
            data={[...SOURCES]}
            value={url.source ?? null}
            clearable
            allowDeselect
            onChange={(source) => setUrl({ source: source ?? undefined })}
          />
          <TextInput
            label="Score at least"
            inputMode="numeric"
            defaultValue={url.score ?? ""}
            onBlur={({ currentTarget }) => setUrl({ score: currentTarget.value.replaceAll(/\D/g, "") })}
          />
        </Filters>
        <Export href={exportAddress(filter)} />
      </Bar>
      <FilterChips url={url} setUrl={setUrl} fields={fields} more={MORE} />
      <Table
        label="Leads"
        columns={columns}
        list={list}
        id={(row) => row.id}
        name={leadName}
        onOpen={(row) => go(`${base}/${row.id}`)}
        selection={writes ? { ids: chosen, set: setChosen } : undefined}
        sort={{ by: filter.sort, set: (sort) => setUrl({ sort }) }}
        phone={(row) => <LeadLines row={row} />}
        keys={{ e: (row) => writes && go(`${base}/${row.id}?edit=yes`) }}
        empty={<None account={account} narrowed={narrowed} writes={writes} create={create} />}
      />
      <BulkLeads rows={list.rows.filter(({ id }) => chosen.includes(id))} clear={() => setChosen([])} />
      {writes && url.new === "yes" && <CreateLead account={account} close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

function LeadLines({ row }: { row: Lead }) {
  return (
    <Lines
      mark={<Monogram name={leadName(row)} person size={32} />}
      title={leadName(row)}
      note={
        <>
          <LeadState lead={row} /> {row.company}
        </>
      }
      end={<b>{row.score}</b>}
      endNote={<When at={row.created_at} />}
    />
  );
}

function None({ account, narrowed, writes, create }: { account: Account; narrowed: boolean; writes: boolean; create(): void }) {
  const go = useGo();
  if (narrowed) {
    return (
      <Empty
        title="No lead matches"
        action={
          <Button variant="default" onClick={() => go(`/crm/${account.id}/leads?state=all`)}>
            Show all
          </Button>
        }
      >
        Nobody is in this state with these filters.
      </Empty>
    );
  }
  return (
    <Empty
      title="Nobody waits for an answer"
      action={writes && <Button onClick={create}>Create a lead</Button>}
      curl={curl("POST /v1/leads", { account_id: account.id, name: "Ada Okafor", email: "ada@harbour.example" })}
    >
      Leads come from forms, ads and calls by the API, from a file, or by hand. A name or an address is enough.
    </Empty>
  );
}
