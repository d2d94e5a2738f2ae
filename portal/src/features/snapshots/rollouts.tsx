import { Button } from "@mantine/core";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Stack } from "../../ui/charts.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { useSnapshot } from "./data.ts";
import { doneOf, partsOf, RolloutState, targetText } from "./rollout-words.tsx";
import { ENDED, listRequest, type Rollout, type RolloutStatus, useRollouts } from "./rollouts.data.ts";

const GOING: RolloutStatus[] = ["queued", "canary", "running", "paused", "halted", "rolling_back"];
const TABS: readonly { value: string; name: string; status: RolloutStatus[] }[] = [
  { value: "", name: "All", status: [] },
  { value: "going", name: "Going on", status: GOING },
  { value: "ended", name: "Ended", status: [...ENDED] },
];

function Name({ rollout: { snapshot_id, version, dry_run } }: { rollout: Rollout }) {
  const { data } = useSnapshot(snapshot_id);
  return (
    <span className="cut">
      <b className="strong">
        {data?.name ?? "Snapshot"} v{version}
      </b>
      {dry_run && <span className="muted">, dry run</span>}
    </span>
  );
}

const COLUMNS: readonly Column<Rollout>[] = [
  { key: "name", head: "Snapshot", width: "minmax(160px, 1.2fr)", cell: (row) => <Name rollout={row} /> },
  { key: "state", head: "State", width: "140px", cell: (row) => <RolloutState rollout={row} /> },
  {
    key: "target",
    head: "For",
    width: "minmax(130px, 1fr)",
    from: 1000,
    cell: (row) => <span className="soft">{targetText(row)}</span>,
  },
  {
    key: "progress",
    head: "Clients",
    width: "minmax(120px, 1.4fr)",
    from: 640,
    cell: (row) => (
      <Stack
        parts={partsOf(row)}
        label={partsOf(row)
          .map(({ label, value }) => `${value} ${label}`)
          .join(", ")}
      />
    ),
  },
  {
    key: "done",
    head: "Done",
    width: "92px",
    end: true,
    cell: (row) => (
      <span>
        <b className="strong">{doneOf(row).toLocaleString("en-US")}</b>{" "}
        <span className="muted">of {row.total.toLocaleString("en-US")}</span>
      </span>
    ),
  },
  whenColumn<Rollout>({ key: "created", head: "Started", at: (row) => row.created_at }),
];

/** What is on its way to many clients? */
export default function Rollouts() {
  const [url, setUrl] = useUrl();
  const status = TABS.find(({ value }) => value === (url.show ?? ""))?.status ?? [];
  const filter = status.length === 0 ? {} : { status };
  const list = useRollouts(filter);
  const go = useGo();
  return (
    <Page title="Rollouts" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Table
        label="Rollouts"
        above={
          <Bar>
            <Tabs label="State" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
          </Bar>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        onOpen={(row) => go(`/snapshots/rollouts/${row.id}`)}
        phone={(row) => (
          <Lines
            title={<Name rollout={row} />}
            note={<RolloutState rollout={row} />}
            end={<b>{`${doneOf(row)} of ${row.total}`}</b>}
            endNote={row.counts.failed > 0 ? `${row.counts.failed} failed` : undefined}
          />
        )}
        empty={
          <Empty title="No rollout yet" action={<Button onClick={() => go("/snapshots")}>Choose a snapshot</Button>}>
            A rollout brings a version of a snapshot to many clients: a few first, then everybody. It halts by itself when too
            many fail, and can be rolled back as a whole.
          </Empty>
        }
      />
    </Page>
  );
}
