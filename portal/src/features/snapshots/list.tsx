import { Button } from "@mantine/core";
import { useMay } from "../../api/session.ts";
import { Bar, Filter, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { CreateSnapshot } from "./create.tsx";
import { listRequest, type Snapshot, type SnapshotFilter, useSnapshots } from "./data.ts";
import { SnapshotState } from "./words.tsx";

const TABS: readonly { value: string; name: string; filter: SnapshotFilter }[] = [
  { value: "", name: "In use", filter: { status: ["draft", "published", "deprecated"] } },
  { value: "own", name: "Your own", filter: { status: ["draft", "published", "deprecated"], origin: "own" } },
  { value: "bought", name: "Bought", filter: { status: ["draft", "published", "deprecated"], origin: "bought" } },
  { value: "archived", name: "Archived", filter: { status: ["archived"] } },
];

const COLUMNS: readonly Column<Snapshot>[] = [
  { key: "name", head: "Name", width: "minmax(180px, 1.2fr)", cell: (row) => <b className="strong">{row.name}</b> },
  {
    key: "description",
    head: "Description",
    width: "minmax(160px, 2fr)",
    from: 860,
    cell: (row) => <span className="soft cut">{row.description}</span>,
  },
  { key: "state", head: "State", width: "100px", cell: (row) => <SnapshotState snapshot={row} /> },
  {
    key: "origin",
    head: "From",
    width: "84px",
    from: 760,
    cell: (row) => <span className="muted">{row.origin === "own" ? "you" : "marketplace"}</span>,
  },
  {
    key: "version",
    head: "Version",
    width: "64px",
    end: true,
    cell: (row) => (row.latest_version === null ? <span className="muted">none</span> : <b>v{row.latest_version}</b>),
  },
  whenColumn<Snapshot>({ key: "updated", head: "Changed", at: (row) => row.updated_at }),
];

/** What can I deploy? */
export default function Catalogue() {
  const [url, setUrl] = useUrl();
  const tab = TABS.find(({ value }) => value === (url.show ?? "")) ?? TABS[0];
  const filter = { ...tab?.filter, ...(url.q ? { q: url.q } : {}) };
  const list = useSnapshots(filter);
  const go = useGo();
  const writes = useMay()("snapshots:write");
  const create = () => setUrl({ new: "yes" }, true);
  const client = url.deploy ? `?deploy=${url.deploy}` : "";
  return (
    <Page
      title={url.deploy ? "Choose a snapshot to deploy" : "Snapshots"}
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New snapshot", writes && create)}
    >
      <Table
        label="Snapshots"
        above={
          <Bar>
            <Tabs label="Which" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
            <Filter label="Search by name" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
          </Bar>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        onOpen={(row) => go(`/snapshots/${row.id}${client}`)}
        phone={(row) => (
          <Lines
            title={row.name}
            note={<SnapshotState snapshot={row} />}
            end={<b>{row.latest_version === null ? "no version" : `v${row.latest_version}`}</b>}
            endNote={row.origin === "own" ? undefined : "bought"}
          />
        )}
        empty={<None narrowed={Boolean(url.show || url.q)} create={writes ? create : undefined} />}
      />
      {writes && url.new === "yes" && <CreateSnapshot close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

function None({ narrowed, create }: { narrowed: boolean; create: (() => void) | undefined }) {
  const go = useGo();
  if (narrowed) {
    return (
      <Empty
        title="No snapshot matches"
        action={
          <Button variant="default" onClick={() => go("/snapshots")}>
            Show those in use
          </Button>
        }
      >
        No snapshot has this name, or is of this kind.
      </Empty>
    );
  }
  return (
    <Empty
      title="Your first snapshot"
      action={create && <Button onClick={create}>Create snapshot</Button>}
      curl={curl("POST /v1/partners/snapshots", { name: "Clinic", source_client_id: "cli_…" })}
    >
      A snapshot is the set-up of an account: pipelines, custom fields, lead scoring, tags, message templates. Capture it from a
      client that is set up well, deploy it to others, and roll later versions out to all of them. What clients changed stays
      theirs.
    </Empty>
  );
}
