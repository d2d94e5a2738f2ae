import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useMay, useSession } from "../../api/session.ts";
import { Answer, type Figure, Figures } from "../../ui/answer.tsx";
import { LineChart, Sparkline } from "../../ui/charts.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Amounts, money } from "../../ui/money.tsx";
import { Content, curl, Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { time } from "../../ui/when.tsx";
import { type Overview, REQUEST, type Revenue, useDemoDeal, useOverview } from "./data.ts";
import { type Earnings, EarningsChart, EarningsHeadline, earningsFigures, mrrOf, ownFirst, useEarnings } from "./earnings.tsx";
import classes from "./home.module.css";
import { Needs } from "./needs.tsx";
import { NextPayout } from "./next-payout.tsx";
import { Recent } from "./recent.tsx";

/** Am I earning, and what needs me? */
export default function Home() {
  const { data, error, refetch } = useOverview();
  const { partner } = useSession();
  const earnings = useEarnings();
  return (
    <Page title="Home" api={REQUEST} foot={data ? `As of ${time(data.as_of)}, updates by itself` : "Loading"}>
      {data && earnings !== undefined ? (
        <Shown overview={inOrder(data, partner?.currency)} earnings={earnings} />
      ) : error ? (
        <Failure title="The overview did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/** The partner's own currency comes first. */
function inOrder({ mrr, pipeline, ...rest }: Overview, own: string | undefined): Overview {
  return {
    ...rest,
    ...(mrr ? { mrr: ownFirst(mrr, own) } : {}),
    ...(pipeline ? { pipeline: { ...pipeline, totals: ownFirst(pipeline.totals, own) } } : {}),
  };
}

const isNew = ({ clients, pipeline }: Overview) =>
  clients !== undefined && clients.active + clients.pending + clients.suspended + clients.churned === 0 && !pipeline?.deals;

function Shown({ overview, earnings }: { overview: Overview; earnings: Earnings | null }) {
  if (isNew(overview)) return <FirstSteps />;
  const revenue = overview.mrr?.filter(({ mrr_cents, months }) => mrr_cents > 0 || months.length > 0) ?? [];
  return (
    <Content>
      {earnings ? <EarningsHeadline earnings={earnings} overview={overview} /> : <Headline overview={overview} />}
      <Figures figures={[...earningsFigures(earnings), ...figuresOf(overview)]} />
      <div className={classes.columns}>
        <div className={classes.column}>
          {earnings && <EarningsChart earned={earnings.months} />}
          {!earnings && <RevenueChart revenue={revenue} />}
          {overview.recent && <Recent events={overview.recent} />}
          {earnings && <RevenueChart revenue={revenue} />}
        </div>
        <div className={classes.column}>
          <TryIt />
          <Needs needs={overview.needs} />
          <NextPayout />
        </div>
      </div>
    </Content>
  );
}

/** What to do in the first minute, with demo data. */
function TryIt() {
  const { demo } = useSession();
  const may = useMay();
  const { data: deal } = useDemoDeal(demo && may("deals:write"));
  if (!deal) return null;
  return (
    <Section title="Try it">
      <div className={classes.try}>
        <span>
          Win <b>{deal.name}</b>: drag it to Won on the board, and see the client, the commission and the event that follow.
        </span>
        <Button component={Link} to="/deals" variant="default" size="xs">
          Open board
        </Button>
      </div>
    </Section>
  );
}

function Headline({ overview: { mrr = [], clients } }: { overview: Overview }) {
  const paying = mrrOf(mrr).filter(({ amount_cents }) => amount_cents > 0);
  const changes = mrr.filter(({ change_cents }) => change_cents !== 0);
  if (clients === undefined) return <Answer>Welcome</Answer>;
  return (
    <Answer
      sub={
        changes.length === 0
          ? "As much as when the month began."
          : `${changes.map(({ change_cents, currency }) => signed(change_cents, currency)).join(" and ")} since the month began.`
      }
    >
      {paying.length === 0 ? (
        <>
          <b>{clients.active}</b> active clients, none of them pays yet
        </>
      ) : (
        <>
          Your clients pay <Amounts amounts={paying} /> a month
        </>
      )}
    </Answer>
  );
}

const signed = (cents: number, currency: string) => `${cents > 0 ? "+" : ""}${money(cents, currency)}`;
const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Each number opens the rows behind it; a part that the person may not see is left out. */
function figuresOf({ mrr = [], clients, pipeline, last_90_days: decided }: Overview): Figure[] {
  const figures: (Figure | null)[] = [
    mrr[0] === undefined ? null : revenueFigure(mrr[0], mrr[1]),
    clients === undefined
      ? null
      : {
          name: "Active clients",
          value: clients.active,
          note: `${clients.pending} pending, ${clients.suspended} suspended`,
          to: "/clients?state=active",
          ...trend(
            "Active clients by month",
            clients.months.map(({ active }) => active),
          ),
        },
    pipeline === undefined
      ? null
      : {
          name: "Open pipeline",
          value: pipeline.totals[0]
            ? money(pipeline.totals[0].mrr_cents, pipeline.totals[0].currency, true)
            : plural(pipeline.deals, "deal"),
          ...(pipeline.totals[1] ? { also: money(pipeline.totals[1].mrr_cents, pipeline.totals[1].currency, true) } : {}),
          note:
            pipeline.deals === 0
              ? "nothing is open"
              : `${plural(pipeline.deals, "deal")}${pipeline.over_target > 0 ? `, ${pipeline.over_target} over their time` : ""}`,
          to: "/deals",
        },
    decided === undefined
      ? null
      : {
          name: "Won, last 90 days",
          value: decided.won + decided.lost === 0 ? "–" : `${Math.round((100 * decided.won) / (decided.won + decided.lost))}%`,
          note: `${decided.won} of ${decided.won + decided.lost} decided`,
          to: "/deals",
        },
  ];
  return figures.filter((figure) => figure !== null);
}

function revenueFigure(first: Revenue, second: Revenue | undefined): Figure {
  return {
    name: "Client MRR",
    value: money(first.mrr_cents, first.currency, true),
    ...(second ? { also: money(second.mrr_cents, second.currency, true) } : {}),
    note:
      first.suspended_mrr_cents > 0
        ? `${money(first.suspended_mrr_cents, first.currency, true)} more is suspended`
        : `${signed(first.change_cents, first.currency)} this month`,
    to: "/clients?state=active",
    ...trend(
      "Client MRR by month",
      first.months.map(({ mrr_cents }) => mrr_cents),
    ),
  };
}

const trend = (label: string, values: readonly number[]) =>
  values.length > 1 && new Set(values).size > 1 ? { trend: <Sparkline values={values} width={64} label={label} /> } : {};

const monthName = (month: string) =>
  new Date(`${month.slice(0, 7)}-01T00:00:00Z`).toLocaleDateString("en-GB", { month: "short", timeZone: "UTC" });

function RevenueChart({ revenue }: { revenue: readonly Revenue[] }) {
  const drawn = revenue.filter(({ months }) => months.length > 1);
  const [currency, setCurrency] = useState(drawn[0]?.currency ?? "");
  const shown = drawn.find((entry) => entry.currency === currency) ?? drawn[0];
  if (shown === undefined) return null;
  return (
    <Section
      title="Client revenue by month"
      aside={
        drawn.length > 1 && (
          <SegmentedControl
            data={drawn.map((entry) => entry.currency)}
            value={shown.currency}
            onChange={setCurrency}
            aria-label="Currency"
          />
        )
      }
    >
      <LineChart
        label={`Monthly recurring revenue of active clients in ${shown.currency}`}
        points={shown.months.map(({ month, mrr_cents }) => ({ label: monthName(month), value: mrr_cents }))}
        format={(cents) => (cents === 0 ? "0" : money(cents, shown.currency, true))}
      />
    </Section>
  );
}

/** What to do first, where there is nothing yet. */
function FirstSteps() {
  const may = useMay();
  return (
    <Empty
      title="Three steps to the first revenue"
      action={
        <>
          {may("clients:write") && (
            <Button component={Link} to="/clients?new=yes">
              Create a client
            </Button>
          )}
          {may("deals:write") && (
            <Button component={Link} to="/deals" variant="default">
              Register a deal
            </Button>
          )}
          {may("keys:write") && (
            <Button component={Link} to="/settings/api" variant="subtle">
              Make an API key
            </Button>
          )}
        </>
      }
      curl={curl("POST /v1/partners/clients", { company: "Harbour Dental", plan: "Growth", mrr_cents: 49900 })}
    >
      Create a client or register a deal: winning it makes the client. What they pay, what you earn, and what needs you, then
      stands here.
    </Empty>
  );
}
