import { Button } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { type Part, Stack } from "../../../ui/charts.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Legend } from "../../../ui/legend.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { type Amount, Amounts, amountsText, gains, money } from "../../../ui/money.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { day, time } from "../../../ui/when.tsx";
import { Blockers } from "./blockers.tsx";
import { type Upcoming, useMethod, useUpcoming } from "./data.ts";
import classes from "./payouts.module.css";

/** When, how much, and what stands in the way. */
export function UpcomingPayouts() {
  const { data, error, refetch } = useUpcoming();
  const { partner } = useSession();
  if (error && !data) return <Failure small title="The next payout did not load" error={error} retry={refetch} />;
  if (!data) return <Loading />;
  const rows = data.toSorted((a, b) => Number(b.currency === partner?.currency) - Number(a.currency === partner?.currency));
  return (
    <div className={classes.upcoming}>
      <Headline rows={rows} />
      <Blockers rows={rows} />
      <div className={classes.books}>
        {rows.map((row) => (
          <Book key={row.currency} row={row} />
        ))}
      </div>
    </div>
  );
}

const amountsOf = (rows: readonly Upcoming[], field: "payable_cents" | "scheduled_cents"): Amount[] =>
  gains(rows.map((row) => ({ amount_cents: row[field], currency: row.currency })));

function Headline({ rows }: { rows: readonly Upcoming[] }) {
  const at = rows[0]?.scheduled_for ?? null;
  const paid = amountsOf(
    rows.filter(({ eligible }) => eligible),
    "payable_cents",
  );
  const waits = amountsOf(rows, "payable_cents");
  const moving = amountsOf(rows, "scheduled_cents");
  const minimums = amountsText(rows.map(({ minimum_cents, currency }) => ({ amount_cents: minimum_cents, currency })));
  return (
    <Answer
      sub={
        <>
          <span>
            Minimum {minimums}.{" "}
            {at === null
              ? "The operator starts each payout run by hand."
              : `What is approved by ${day(at)}, ${time(at)} goes out.`}
          </span>
          {moving.length > 0 && <span>{amountsText(moving)} more is on its way.</span>}
        </>
      }
    >
      {paid.length > 0 ? (
        <>
          <Amounts amounts={paid} /> will be paid {at === null ? "with the next run" : `on ${day(at)}`}
        </>
      ) : waits.length > 0 ? (
        <>
          <Amounts amounts={waits} /> {waits.length > 1 ? "wait" : "waits"}, and cannot be paid yet
        </>
      ) : (
        <>Nothing is due {at === null ? "yet" : `on ${day(at)}`}</>
      )}
    </Answer>
  );
}

/** One currency: what is paid next, and what comes later. */
function Book({ row }: { row: Upcoming }) {
  const { currency, payable_cents, minimum_cents, eligible, blockers, scheduled_cents } = row;
  const has = (code: string) => blockers.some((blocker) => blocker.code === code);
  const of = (code: string) => blockers.find((blocker) => blocker.code === code);
  const { data: method } = useMethod(!has("no_payout_method"));
  const owed = row.pending_cents + row.held_cents + row.approved_cents + scheduled_cents;
  const list = (state: string) => `/earn/commissions?state=${state}&currency=${currency}`;
  const hold = of("in_hold");
  const parts: (Part & { to: string; note?: string })[] = [
    {
      label: eligible ? "Next payout" : "Due, blocked",
      value: Math.max(0, payable_cents),
      tone: eligible ? "accent" : "stuck",
      to: `/earn/commissions?currency=${currency}`,
    },
    {
      label: "In hold",
      value: hold?.amount_cents ?? 0,
      tone: "mid",
      to: list("pending"),
      ...(hold?.until ? { note: `from ${day(hold.until)}` } : {}),
    },
    { label: "Awaiting first charge", value: of("awaiting_first_charge")?.amount_cents ?? 0, tone: "rest", to: list("pending") },
    { label: "Held by the operator", value: of("held_commissions")?.amount_cents ?? 0, tone: "stuck", to: list("held") },
    { label: "On its way", value: scheduled_cents, tone: "wait", to: list("scheduled") },
  ];
  const shown = parts.filter(({ value }) => value > 0);
  const missing = of("below_minimum")?.amount_cents;
  return (
    <section aria-label={`Upcoming in ${currency}`} className={classes.book}>
      <header>
        <b>{currency.toUpperCase()}</b>
        <span className="muted cut">
          {method?.currencies.includes(currency)
            ? `to ${method.kind === "sepa" ? method.hint : method.holder}`
            : has("no_payout_method")
              ? "no method yet"
              : method && "no method takes it"}
        </span>
        <span className="muted">{money(owed, currency)} owed</span>
      </header>
      <Stack
        height={10}
        parts={parts}
        label={shown.map(({ label, value }) => `${label} ${money(value, currency)}`).join(", ") || "Nothing is owed"}
      />
      {shown.length > 0 && (
        <Legend currency={currency} entries={shown.map(({ value, ...part }) => ({ ...part, cents: value }))} />
      )}
      {missing !== undefined && (
        <div className={classes.minimum}>
          <Progress label={`Part of the minimum in ${currency}`} value={payable_cents / minimum_cents} />
          <p>
            {money(missing, currency)} more, and it is paid: the minimum is {money(minimum_cents, currency)}. Until then it is
            carried over.
          </p>
        </div>
      )}
      {has("nothing_approved") && owed > 0 && (
        <p className="muted">
          Nothing of it is due by then.{" "}
          <Button component={Link} to={list("pending")} variant="subtle" size="compact-xs">
            See pending commissions
          </Button>
        </p>
      )}
    </section>
  );
}
