import { Answer, Figures } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { allRows, type Column, Table } from "../../ui/table.tsx";
import { ago, When } from "../../ui/when.tsx";
import { type Health, useHealth } from "./data.ts";
import { bytes, concernsOf, duration } from "./words.ts";

type Job = Health["jobs"][number];

const COLUMNS: readonly Column<Job>[] = [
  { key: "name", head: "Job", width: "minmax(130px, 1fr)", cell: (row) => <b>{row.name}</b> },
  {
    key: "state",
    head: "Last run",
    width: "minmax(90px, 0.6fr)",
    cell: (row) => (failedLast(row) ? <State tone="bad">failed</State> : <State tone="live">done</State>),
  },
  {
    key: "outcome",
    head: "Outcome",
    width: "minmax(160px, 2fr)",
    cell: (row) => <span className="soft cut">{failedLast(row) ? row.last_error : row.outcome}</span>,
  },
  { key: "runs", head: "Runs", width: "64px", end: true, from: 640, cell: (row) => <span className="muted">{row.runs}</span> },
  {
    key: "took",
    head: "Took",
    width: "72px",
    end: true,
    from: 640,
    cell: (row) => <span className="muted">{row.duration_ms === null ? "" : `${row.duration_ms} ms`}</span>,
  },
  {
    key: "at",
    head: "Started",
    width: "80px",
    end: true,
    cell: (row) => (
      <span className="muted">
        <When at={row.started_at} />
      </span>
    ),
  },
];

const failedLast = ({ last_error_at, started_at }: Job) => last_error_at !== null && last_error_at >= started_at;

export default function System() {
  const { data, error, refetch, dataUpdatedAt } = useHealth();
  return (
    <Page
      title="System"
      api="GET /v1/admin/health"
      foot={dataUpdatedAt > 0 && <span>As of {ago(new Date(dataUpdatedAt))}, asked again every 5 s</span>}
    >
      <Content>
        {error && <Failure title="The service did not say how it is" error={error} retry={refetch} />}
        {data ? <Shown health={data} /> : !error && <Loading rows={8} />}
      </Content>
    </Page>
  );
}

function Shown({ health }: { health: Health }) {
  const { process, database, migrations, feed, deliveries, jobs } = health;
  const concerns = concernsOf(health);
  return (
    <>
      <Answer
        sub={
          concerns.length === 0 ? `Version ${process.version}, up for ${duration(process.uptime_seconds)}.` : concerns.join(" ")
        }
      >
        {concerns.length === 0 ? (
          <b>Everything answers</b>
        ) : (
          <>
            <b>{concerns.length}</b> {concerns.length === 1 ? "thing needs" : "things need"} a look
          </>
        )}
      </Answer>
      <Figures
        figures={[
          {
            name: "Deliveries waiting",
            value: deliveries.pending,
            note: `oldest ${duration(deliveries.oldest_pending_seconds)}`,
          },
          { name: "Events waiting", value: feed.waiting_events, note: `oldest ${duration(feed.oldest_waiting_seconds)}` },
          {
            name: "Connections",
            value: database.connections,
            note: `of ${database.connections_max}`,
          },
          { name: "Database", value: bytes(database.size_bytes), note: `PostgreSQL ${database.version}` },
        ]}
      />
      <Section title="Webhooks">
        <Facts
          rows={[
            ["Workers", deliveries.workers],
            ["Endpoints in work", deliveries.endpoints_held],
            [
              "Endpoints failing",
              deliveries.endpoints_degraded === 0 ? (
                "none"
              ) : (
                <State key="bad" tone="bad">
                  {deliveries.endpoints_degraded}
                </State>
              ),
            ],
          ]}
        />
      </Section>
      <Section title="Process">
        <Facts
          rows={[
            [
              "State",
              <State key="state" tone={health.readiness === "ready" ? "live" : "wait"}>
                {health.readiness}
              </State>,
            ],
            ["Version", process.version],
            ["Node", process.node],
            ["Memory", bytes(process.memory_bytes)],
            [
              "Newest migration",
              <span key="newest" className="mono">
                {migrations.newest}
              </span>,
            ],
            ["Oldest transaction", duration(database.oldest_transaction_seconds)],
          ]}
        />
      </Section>
      <Section title="Scheduled jobs">
        <Table label="Jobs" columns={COLUMNS} list={allRows(jobs)} id={(row) => row.name} name={(row) => row.name} />
      </Section>
    </>
  );
}
