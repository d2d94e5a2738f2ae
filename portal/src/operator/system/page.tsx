import { Answer, Figures } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page, Split } from "../../ui/page.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { ago, When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Health, useHealth } from "./data.ts";
import { bytes, concernsOf, duration } from "./words.ts";

type Job = Health["jobs"][number];

/** "lead_scores" in words. */
const jobName = ({ name }: Job) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

/** How long the oldest has waited. */
const waits = (count: number, seconds: number) => (count === 0 ? "nothing waits" : `the oldest for ${duration(seconds)}`);

const failedLast = ({ last_error_at, started_at }: Job) => last_error_at !== null && last_error_at >= started_at;

export default function System() {
  const { data, error, refetch, dataUpdatedAt } = useHealth();
  return (
    <Page
      title="System"
      api="GET /v1/admin/health"
      foot={dataUpdatedAt > 0 && <span>As of {ago(new Date(dataUpdatedAt))}, asked again every 5 s</span>}
    >
      {error && <Failure title="The service did not say how it is" error={error} retry={refetch} />}
      {data === undefined
        ? !error && (
            <Content>
              <Loading rows={8} />
            </Content>
          )
        : !error && (
            <Split side={<Side health={data} />}>
              <Shown health={data} />
            </Split>
          )}
    </Page>
  );
}

function Shown({ health }: { health: Health }) {
  const { process, database, feed, deliveries, jobs } = health;
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
            note: waits(deliveries.pending, deliveries.oldest_pending_seconds),
          },
          { name: "Events waiting", value: feed.waiting_events, note: waits(feed.waiting_events, feed.oldest_waiting_seconds) },
          {
            name: "Connections",
            value: database.connections,
            note: `of ${database.connections_max}`,
          },
          { name: "Database", value: bytes(database.size_bytes), note: `PostgreSQL ${database.version}` },
        ]}
      />
      <Section title="Scheduled jobs" aside={<span className="muted">the last run of each</span>}>
        {jobs.length === 0 && <p className="muted">None has run yet: this database is new.</p>}
        <ul className={classes.jobs}>
          {jobs.map((job) => (
            <li key={job.name}>
              <span className="strong cut">{jobName(job)}</span>
              <State tone={failedLast(job) ? "bad" : "live"}>{failedLast(job) ? "failed" : "done"}</State>
              <span className="soft cut">{failedLast(job) ? job.last_error : job.outcome}</span>
              <span className="muted num">{job.duration_ms === null ? "" : duration(job.duration_ms / 1000)}</span>
              <span className="muted num">
                <When at={job.started_at} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Side({ health }: { health: Health }) {
  const { process, database, migrations, deliveries } = health;
  return (
    <>
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
          ]}
        />
      </Section>
      <Section title="Webhooks">
        <Facts
          rows={[
            ["Workers", deliveries.workers],
            ["In work", `${deliveries.endpoints_held} endpoints`],
            [
              "Failing",
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
      <Section title="Database">
        <Facts
          rows={[
            ["PostgreSQL", database.version],
            [
              "Migration",
              <span key="newest" className="mono">
                {migrations.newest.replace(/\.sql$/, "")}
              </span>,
            ],
            ["Oldest transaction", duration(database.oldest_transaction_seconds)],
          ]}
        />
      </Section>
    </>
  );
}
