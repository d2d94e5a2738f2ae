import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { type Figure, Figures } from "../../../ui/answer.tsx";
import { Export, Tabs } from "../../../ui/bar.tsx";
import { ColumnChart } from "../../../ui/columns.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { money } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { type LinkStats, type LinkTotals, statsAddress, useLinkStats } from "./data.ts";
import classes from "./links.module.css";
import { columnsOf, isEmpty, MEASURES, type Measure, nameOf, type Period, periodsOf } from "./model.ts";
import { earnedText } from "./words.tsx";

export const RANGES = [
  { value: "7", name: "7 d" },
  { value: "", name: "30 d" },
  { value: "90", name: "90 d" },
  { value: "365", name: "1 year" },
];
/** How many days the address says are shown. */
export const daysOf = ({ days }: Readonly<Record<string, string | undefined>>) =>
  Number(RANGES.find(({ value }) => value !== "" && value === days)?.value ?? 30);

const WORDS: Record<Measure, string> = {
  clicks: "Clicks",
  leads: "Leads",
  deals: "Deals",
  won: "Won",
  commissions: "Commission",
};

/** What came by the link: from the click to the commission, as a whole and by day. */
export function Stats({ id }: { id: string }) {
  const [url, setUrl] = useUrl();
  const days = daysOf(url);
  const { data, error, refetch } = useLinkStats(id, days);
  const show = MEASURES.find((measure) => measure === url.show) ?? "clicks";
  const periods = data ? periodsOf(data.data) : [];
  return (
    <Section
      title={days === 365 ? "The last year" : `The last ${days} days`}
      aside={
        <>
          <Tabs
            label="Time"
            value={days === 30 ? "" : String(days)}
            tabs={RANGES}
            onChange={(value) => setUrl({ days: value })}
          />
          <Export href={statsAddress(id, days)} />
        </>
      }
    >
      {error && !data && <Failure small title="The statistics did not load" error={error} retry={refetch} />}
      {!data && !error && <Loading rows={6} />}
      {data && (
        <div className={classes.stats}>
          <Figures figures={figuresOf(data)} />
          <div className={classes.chart}>
            <Tabs
              label="Shown by day"
              value={show}
              tabs={MEASURES.map((value) => ({ value, name: WORDS[value] }))}
              onChange={(value) => setUrl({ show: value === "clicks" ? undefined : value })}
            />
            <Chart totals={data.totals} periods={periods} show={show} />
          </div>
          <ByDay periods={periods} />
          <Left totals={data.totals} />
        </div>
      )}
    </Section>
  );
}

const share = (part: number, whole: number) =>
  whole === 0 ? undefined : `${((100 * part) / whole).toLocaleString("en-US", { maximumFractionDigits: 1 })}%`;

function figuresOf({ link_id, from, to, totals }: LinkStats): Figure[] {
  const { clicks, unique, leads, deals, won, commissions } = totals;
  const [first, second] = commissions.toSorted((a, b) => b.amount_cents - a.amount_cents);
  const n = (value: number) => value.toLocaleString("en-US");
  return [
    { name: "Clicks", value: n(clicks), note: `${n(unique)} visitor${unique === 1 ? "" : "s"}` },
    { name: "Leads", value: n(leads), note: leads > 0 && clicks > 0 ? `${share(leads, clicks)} of clicks` : "" },
    { name: "Deals", value: n(deals), note: "" },
    { name: "Won", value: n(won), note: won > 0 && deals > 0 ? `of ${n(deals)}` : "" },
    {
      name: "Commission",
      value: first ? money(first.amount_cents, first.currency) : "–",
      ...(second ? { also: money(second.amount_cents, second.currency) } : {}),
      note: first ? "after refunds" : "nothing earned",
      ...(first ? { to: `/earn/commissions?link=${link_id}&from=${from}&to=${to}` } : {}),
    },
  ];
}

type ChartProps = { totals: LinkTotals; periods: readonly Period[]; show: Measure };

/** One measure; of commissions one currency at a time. */
function Chart({ totals, periods, show }: ChartProps) {
  const currencies = totals.commissions.map(({ currency }) => currency);
  const [wanted, setWanted] = useState("");
  const currency = currencies.includes(wanted) ? wanted : (currencies[0] ?? "");
  const columns = columnsOf(periods, show, currency);
  if (columns.every(({ value }) => value === 0)) return <p className={classes.none}>None in this time.</p>;
  const isMoney = show === "commissions";
  const n = (value: number) => value.toLocaleString("en-US");
  return (
    <>
      {isMoney && currencies.length > 1 && (
        <SegmentedControl data={currencies} value={currency} onChange={setWanted} aria-label="Currency" />
      )}
      <ColumnChart
        label={`${WORDS[show]}${isMoney ? ` in ${currency}` : ""}, by ${periods.every(({ from, to }) => from === to) ? "day" : "week"}`}
        columns={columns}
        format={(value) => (isMoney ? money(value, currency) : n(value))}
        tick={(value) => (isMoney ? money(value, currency, true) : n(value))}
        height={160}
      />
    </>
  );
}

const FIRST_ROWS = 10;

/** The same in figures, newest first; days without anything are left out. */
function ByDay({ periods }: { periods: readonly Period[] }) {
  const [all, setAll] = useState(false);
  const filled = periods.filter((period) => !isEmpty(period)).toReversed();
  if (filled.length === 0) return null;
  const weeks = periods.some(({ from, to }) => from !== to);
  const shown = all ? filled : filled.slice(0, FIRST_ROWS);
  const n = (value: number) => <span className={value === 0 ? "muted" : undefined}>{value.toLocaleString("en-US")}</span>;
  return (
    <div>
      <Rows
        heads={[weeks ? "Week, in UTC" : "Day, in UTC", "Clicks", "·Visitors", "Leads", "·Deals", "Won", "Commission"]}
        ends={6}
      >
        {shown.map((period) => (
          <tr key={period.from}>
            <th scope="row" className={classes.day}>
              {nameOf(period)}
            </th>
            <td>{n(period.clicks)}</td>
            <td data-desk>{n(period.unique)}</td>
            <td>{n(period.leads)}</td>
            <td data-desk>{n(period.deals)}</td>
            <td>{n(period.won)}</td>
            <td className="strong">{earnedText(period.commissions)}</td>
          </tr>
        ))}
      </Rows>
      {filled.length > shown.length && (
        <Button className={classes.all} variant="subtle" onClick={() => setAll(true)}>
          Show all {filled.length}
        </Button>
      )}
    </div>
  );
}

/** What is counted apart, in a sentence. */
function Left({ totals: { bots, repeats } }: { totals: LinkTotals }) {
  const n = (value: number) => value.toLocaleString("en-US");
  return (
    <p className="muted">
      A visitor counts once a day.
      {repeats > 0 && ` ${n(repeats)} of the clicks came within an hour of another one by the same visitor.`}
      {bots > 0 &&
        ` ${n(bots)} more ${bots === 1 ? "was" : "were"} of bots and of pages loaded in advance, and ${bots === 1 ? "is" : "are"} left out.`}
    </p>
  );
}
