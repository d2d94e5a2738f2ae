import { Answer, Figures } from "../../ui/answer.tsx";
import { Failure } from "../../ui/failure.tsx";
import { gradeName } from "../../ui/grade.ts";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money, money } from "../../ui/money.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { day, since, time, When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Payout, usePayouts } from "../payouts/data.ts";
import { concernsOf } from "../system/words.ts";
import { type Overview, REQUEST, useOverview } from "./data.ts";

/** What waits for the operator, and does everything answer? */
export default function OverviewPage() {
  const { data, error, refetch } = useOverview({ repeats: true });
  return (
    <Page title="Overview" api={REQUEST} foot={data ? `As of ${time(data.as_of)}, asked again every 30 s` : "Loading"}>
      {data ? (
        <Shown overview={data} />
      ) : error ? (
        <Failure title="The overview did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Shown({ overview }: { overview: Overview }) {
  const failed = usePayouts({ status: ["failed"] }).rows;
  return (
    <Content>
      <Headline overview={overview} failed={failed} />
      <Figures figures={figuresOf(overview)} />
      <Waiting rows={waitingOf(overview, failed)} />
      <div className={classes.columns}>
        <Failing overview={overview} />
        <Largest overview={overview} />
      </div>
      <Recent overview={overview} />
    </Content>
  );
}

const count = (waiting: number) => (waiting >= 1000 ? "1,000+" : String(waiting));

type HeadlineProps = { overview: Overview; failed: readonly Payout[] };

function Headline({ overview, failed }: HeadlineProps) {
  const { registrations, access_requests, listings, purchases, health } = overview;
  const queues = [registrations, access_requests, listings, purchases];
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, failed.length);
  const concerns = concernsOf(health);
  const oldest = waitingOf(overview, failed)[0]?.at;
  return (
    <Answer
      sub={
        concerns.length > 0 ? (
          <>
            {concerns[0]}{" "}
            <Link className="link" to="/system">
              System
            </Link>
          </>
        ) : oldest === undefined ? (
          "Registrations, requests for access, offers, purchases and failed payouts appear here."
        ) : (
          `The oldest came ${since(oldest)}.`
        )
      }
    >
      {waiting === 0 ? (
        <b>Nothing waits for you</b>
      ) : (
        <>
          <b>{count(waiting)}</b> {waiting === 1 ? "decision waits" : "decisions wait"} for you
        </>
      )}
      {concerns.length === 0
        ? ", and everything answers"
        : `, and ${concerns.length === 1 ? "one thing needs" : `${concerns.length} things need`} a look`}
    </Answer>
  );
}

function figuresOf({ partners, clients, mrr, next_payout_run_at, health }: Overview) {
  const [first, second] = mrr;
  return [
    {
      name: "Partners",
      value: partners.active,
      note: `${partners.new_this_month} new this month${partners.suspended > 0 ? `, ${partners.suspended} suspended` : ""}`,
      to: "/partners",
    },
    {
      name: "Client accounts",
      value: clients.active,
      note: `${clients.pending} pending, ${clients.suspended} suspended`,
    },
    {
      name: "Client MRR",
      value: first ? money(first.mrr_cents, first.currency, true) : "–",
      ...(second ? { also: money(second.mrr_cents, second.currency, true) } : {}),
      note: "of active clients",
    },
    {
      name: "Next payout run",
      value: next_payout_run_at === null ? "By hand" : day(next_payout_run_at),
      note: next_payout_run_at === null ? "nothing is scheduled" : `at ${time(next_payout_run_at)}`,
      to: "/payout-runs",
    },
    {
      name: "Deliveries waiting",
      value: health.deliveries.pending,
      note:
        health.deliveries.endpoints_degraded > 0
          ? `${health.deliveries.endpoints_degraded} endpoints failing`
          : "no endpoint fails",
      to: "/system",
    },
  ];
}

const FAILED_SHOWN = 10;

/** Registrations, requests, offers, purchases and payouts that failed, the oldest first: one queue. */
function waitingOf({ registrations, access_requests, listings, purchases }: Overview, failed: readonly Payout[]) {
  return [
    ...registrations.oldest.map((one) => ({
      id: one.deal_id,
      kind: "Registration",
      about: one.partner,
      what: one.company,
      amount: one.mrr_cents === null ? null : <Money cents={one.mrr_cents} currency={one.currency} />,
      at: one.submitted_at,
      to: `/registrations?open=${one.deal_id}`,
    })),
    ...access_requests.oldest.map((one) => ({
      id: one.id,
      kind: "API access",
      about: one.partner,
      what: one.message ?? "",
      amount: null,
      at: one.created_at,
      to: `/access-requests?open=${one.id}`,
    })),
    ...listings.oldest.map((one) => ({
      id: one.snapshot_id,
      kind: "Offer",
      about: one.partner,
      what: `${one.name} v${one.version}`,
      amount: one.price_cents === 0 ? null : <Money cents={one.price_cents} currency={one.currency} />,
      at: one.submitted_at,
      to: `/marketplace?open=${one.snapshot_id}`,
    })),
    ...purchases.oldest.map((one) => ({
      id: one.id,
      kind: "Purchase due",
      about: one.partner,
      what: one.name,
      amount: <Money cents={one.price_cents} currency={one.currency} />,
      at: one.created_at,
      to: `/marketplace/purchases?open=${one.id}`,
    })),
    ...failed.slice(-FAILED_SHOWN).map((one) => ({
      id: one.id,
      kind: "Failed payout",
      about: one.failure ?? "",
      what: one.partner_company,
      amount: <Money cents={one.net_cents} currency={one.currency} />,
      at: one.updated_at,
      to: `/payouts/${one.id}`,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at));
}

function Waiting({ rows }: { rows: ReturnType<typeof waitingOf> }) {
  if (rows.length === 0) return null;
  return (
    <Section
      title="Waits for you"
      aside={
        rows.some(({ kind }) => kind === "Registration") && (
          <Link className="link" to="/registrations">
            All registrations
          </Link>
        )
      }
    >
      <ul className={classes.queue}>
        {rows.map(({ id, kind, about, what, amount, at, to }) => (
          <li key={id}>
            <span className="strong">{kind}</span>
            <span className="soft cut">{about}</span>
            <span className="cut">{what}</span>
            <span className="num">{amount}</span>
            <span className="muted num">
              <When at={at} />
            </span>
            <Link className="link" to={to} aria-label={`Review ${what || about}`}>
              Review
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Failing({ overview: { failing_endpoints } }: { overview: Overview }) {
  return (
    <Section
      title="Failing webhooks"
      aside={
        <Link className="link" to="/system">
          System
        </Link>
      }
    >
      {failing_endpoints.length === 0 ? (
        <p className="muted">Every endpoint takes its events.</p>
      ) : (
        <ul className={classes.rows}>
          {failing_endpoints.map(({ endpoint_id, partner_id, partner, url, failing_since }) => (
            <li key={endpoint_id}>
              <span className="cut">
                <Link className="link" to={`/partners/${partner_id}`}>
                  {partner}
                </Link>{" "}
                <span className="muted">{url}</span>
              </span>
              <State tone="bad">failing</State>
              <When muted at={failing_since} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Largest({ overview: { largest_partners } }: { overview: Overview }) {
  const most = Math.max(1, ...largest_partners.map(({ mrr_cents }) => mrr_cents));
  if (largest_partners.length === 0) return null;
  return (
    <Section
      title="Largest partners"
      aside={<span className="muted">by client MRR, {largest_partners[0]?.currency.toUpperCase()}</span>}
    >
      <ul className={classes.bars}>
        {largest_partners.map(({ partner_id, company, grade, mrr_cents, currency }) => (
          <li key={partner_id}>
            <span className="cut">
              <Link className="link" to={`/partners/${partner_id}`}>
                {company}
              </Link>{" "}
              <span className="muted">{gradeName(grade)}</span>
            </span>
            <span className="strong num">{money(mrr_cents, currency, true)}</span>
            <i style={{ "--part": mrr_cents / most } as React.CSSProperties} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Recent({ overview: { recent } }: { overview: Overview }) {
  if (recent.data.length === 0) return null;
  return (
    <Section
      title="Recent"
      aside={
        <Link className="link" to="/audit-log">
          Audit log
        </Link>
      }
    >
      <ul className={classes.rows}>
        {recent.data.map((entry) => (
          <li key={entry.id}>
            <span className="cut">
              <span className="strong">
                {entry.actor.name ?? (entry.actor.type === "system" ? "The service" : entry.actor.id)}
              </span>{" "}
              <span className="mono muted">{entry.action}</span>
            </span>
            <span>{entry.outcome === "denied" && <State tone="bad">denied</State>}</span>
            <When muted at={entry.occurred_at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
