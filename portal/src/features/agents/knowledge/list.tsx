import { Button } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { curl, Loaded, newAction, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { CreateSource } from "./create.tsx";
import { listRequest, type Source, useSources } from "./data.ts";
import { SourcePanel } from "./one.tsx";
import { TrySearch } from "./search.tsx";
import { KINDS, SourceState, size } from "./words.tsx";

const COLUMNS: readonly Column<Source>[] = [
  {
    key: "name",
    head: "Name",
    width: "minmax(160px, 1.6fr)",
    cell: (row) => (
      <span className="cut">
        <b>{row.name}</b> <span className="muted">{row.url ?? row.filename}</span>
      </span>
    ),
  },
  { key: "kind", head: "Kind", width: "72px", from: 480, cell: (row) => <span className="soft">{KINDS[row.kind]}</span> },
  { key: "status", head: "Status", width: "96px", cell: (row) => <SourceState source={row} /> },
  { key: "key", head: "Key", width: "minmax(100px, 0.8fr)", from: 760, cell: (row) => <code className="cut">{row.key}</code> },
  { key: "passages", head: "Passages", width: "80px", end: true, from: 640, cell: (row) => row.chunks },
  { key: "size", head: "Size", width: "80px", end: true, from: 700, cell: (row) => size(row.bytes) },
  whenColumn({ key: "changed", head: "Changed", from: 560, at: (row) => row.updated_at }),
];

export default function KnowledgePage() {
  return <InAccount title="Knowledge">{(account) => <Knowledge key={account.id} account={account} />}</InAccount>;
}

/** What the agents of an account look things up in. */
function Knowledge({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const list = useSources(account.id);
  const writes = useMay()("agents:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  const open = list.rows.find(({ id }) => id === url.open);
  return (
    <Page
      title="Knowledge"
      fill
      api={listRequest(account.id)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("Add a source", writes && create)}
    >
      <ReadOnly account={account} />
      {list.rows.length > 0 && <TrySearch account={account} open={(id) => setUrl({ open: id, new: undefined }, true)} />}
      <Table
        label="Knowledge sources"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={row.url ?? KINDS[row.kind]} end={<SourceState source={row} />} />}
        empty={
          <Empty
            title="What should agents know?"
            action={writes && <Button onClick={create}>Add a source</Button>}
            curl={curl("POST /v1/knowledge-sources", {
              account_id: account.id,
              kind: "text",
              name: "Opening hours",
              text: "We are open from 9 to 17.",
            })}
          >
            Texts, pages and files in which agents of {account.company} look things up before they answer. A page is fetched every
            day.
          </Empty>
        }
      />
      {writes && url.new === "yes" && <CreateSource account={account} close={close} />}
      {open && <SourcePanel key={open.id} source={open} writes={writes} close={close} />}
    </Page>
  );
}
