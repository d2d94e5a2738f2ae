import { Button } from "@mantine/core";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { listRequest, type Provider, useProviders } from "./data.ts";
import { KINDS, ProviderForm } from "./form.tsx";

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

const stateOf = ({ status, archived_at }: Provider) => {
  if (archived_at !== null) return <State tone="ended">archived</State>;
  return <State tone={status === "active" ? "live" : "wait"}>{status}</State>;
};

const COLUMNS: readonly Column<Provider>[] = [
  { key: "name", head: "Name", width: "minmax(140px, 1fr)", cell: (row) => <b className="cut">{row.name}</b> },
  { key: "kind", head: "Kind", width: "120px", cell: (row) => <span className="soft">{KINDS[row.kind]}</span> },
  { key: "money", head: "Money", width: "120px", from: 620, cell: (row) => (row.live ? "real" : "none moves") },
  { key: "status", head: "Status", width: "96px", cell: stateOf },
  whenColumn({ key: "changed", head: "Changed", at: (row) => row.updated_at, from: 560 }),
];

/** Who collects what clients pay to the operator? */
export default function ProviderList() {
  const [url, setUrl] = useUrl();
  const archived = url.show === "archived";
  const list = useProviders(archived);
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const opened = list.rows.find(({ id }) => id === url.open);
  const close = () => setUrl({ new: undefined, open: undefined });
  return (
    <Page
      title="Payment providers"
      fill
      api={listRequest(archived)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New provider", create)}
    >
      <Bar>
        <Tabs
          label="Show"
          value={archived ? "archived" : ""}
          tabs={TABS}
          onChange={(show) => setUrl({ show, open: undefined })}
        />
      </Bar>
      <Table
        label="Payment providers"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        {...(archived ? {} : { onOpen: (row: Provider) => setUrl({ open: row.id, new: undefined }, true) })}
        phone={(row) => <Lines title={row.name} note={KINDS[row.kind]} end={stateOf(row)} />}
        empty={
          archived ? <Empty title="Nothing is archived">What was paid can still be refunded.</Empty> : <None create={create} />
        }
      />
      {url.new === "yes" && <ProviderForm provider={null} close={close} />}
      {opened && <ProviderForm key={`${opened.id} ${opened.version}`} provider={opened} close={close} />}
    </Page>
  );
}

function None({ create }: { create(): void }) {
  return (
    <Empty
      title="Collect what clients pay you"
      action={<Button onClick={create}>Add a provider</Button>}
      curl={curl("POST /v1/admin/providers", { kind: "test", name: "Test cards" })}
    >
      With a provider of yours, partners can send links by which a client pays you. Each payment is a charge, and earns.
    </Empty>
  );
}
