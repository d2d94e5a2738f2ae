import { Button } from "@mantine/core";
import { Answer } from "../../ui/answer.tsx";
import { Bar, Export } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Link, useGo } from "../../ui/link.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { day, moment, time, whenColumn } from "../../ui/when.tsx";
import { useOverview } from "../overview/data.ts";
import classes from "./payouts.module.css";
import { exportHref, listRequest, type Run, useRuns } from "./runs.data.ts";
import { plural, RunState, reasonOf, TRIGGERS, totalsText } from "./words.tsx";

const payoutsOf = ({ scheduled }: Run) => scheduled.reduce((sum, { payouts }) => sum + payouts, 0);
const blockedOf = ({ blocked }: Run) => blocked.map(({ code, partners }) => `${reasonOf(code).name}: ${partners}`).join(" · ");

const COLUMNS: readonly Column<Run>[] = [
  {
    key: "started",
    head: "Started",
    width: "minmax(130px, 1fr)",
    cell: (row) => <span className="strong">{moment(row.created_at)}</span>,
  },
  { key: "state", head: "State", width: "104px", cell: (row) => <RunState run={row} /> },
  {
    key: "trigger",
    head: "How",
    width: "minmax(110px, 0.8fr)",
    from: 760,
    cell: (row) => <span className="soft">{TRIGGERS[row.trigger]}</span>,
  },
  {
    key: "blocked",
    head: "Blocked",
    width: "minmax(120px, 3fr)",
    from: 860,
    cell: (row) => (
      <span className="muted cut" title={blockedOf(row)}>
        {blockedOf(row)}
      </span>
    ),
  },
  {
    key: "payouts",
    head: "Payouts",
    width: "72px",
    end: true,
    from: 560,
    cell: (row) => <span className="soft num">{payoutsOf(row)}</span>,
  },
  {
    key: "total",
    head: "Scheduled",
    width: "minmax(120px, 1.2fr)",
    end: true,
    cell: (row) => <span className="strong num cut">{totalsText(row.scheduled)}</span>,
  },
  whenColumn({ key: "cutoff", head: "Due by", at: (row) => row.cutoff, as: "day", width: "88px", from: 620 }),
];

/** When is the next run, and what did the last ones pay? */
export default function RunList() {
  const list = useRuns();
  const go = useGo();
  const create = () => go("/payout-runs/new");
  return (
    <Page
      title="Payout runs"
      fill
      api={listRequest}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New run", create)}
    >
      <Table
        label="Runs"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `Run of ${day(row.created_at)}`}
        onOpen={(row) => go(`/payout-runs/${row.id}`)}
        phone={(row) => (
          <Lines
            title={moment(row.created_at)}
            note={`${plural(payoutsOf(row), "payout")}, ${TRIGGERS[row.trigger]}`}
            end={totalsText(row.scheduled)}
            endNote={<RunState run={row} />}
          />
        )}
        above={<Above runs={list.rows} />}
        empty={
          <Empty
            title="Nobody was paid yet"
            action={<Button onClick={create}>Preview the first run</Button>}
            curl={curl("POST /v1/admin/payout-runs/preview", {})}
          >
            A run schedules one payout for each partner and currency with approved commissions. Its preview says who would be
            paid, and changes nothing.
          </Empty>
        }
      />
    </Page>
  );
}

function Above({ runs }: { runs: readonly Run[] }) {
  return (
    <>
      <div className={classes.above}>
        <Next running={runs.find(({ state }) => state === "running")} />
      </div>
      {runs.length > 0 && (
        <Bar>
          <span style={{ marginRight: "auto" }} />
          <Export href={exportHref} />
        </Bar>
      )}
    </>
  );
}

function Next({ running }: { running: Run | undefined }) {
  const { data } = useOverview();
  const at = data?.next_payout_run_at;
  if (running !== undefined)
    return (
      <Answer
        sub={
          <Link className="link" to={`/payout-runs/${running.id}`}>
            See its progress
          </Link>
        }
      >
        A run is <b>under way</b>
      </Answer>
    );
  if (at === undefined) return <Answer>Payout runs</Answer>;
  return (
    <Answer
      sub={
        <>
          <span>You can start one at any time: what it would pay is shown first.</span>
          <Link className="link" to="/programme">
            Schedule and minimums
          </Link>
        </>
      }
    >
      {at === null ? (
        <>
          Runs start <b>when you start them</b>
        </>
      ) : (
        <>
          The next run starts on <b>{day(at)}</b>, {time(at)}
        </>
      )}
    </Answer>
  );
}
