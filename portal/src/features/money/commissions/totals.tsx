import { useSession } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { type Part, Stack } from "../../../ui/charts.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Legend } from "../../../ui/legend.tsx";
import { Amounts, amountsText, gains, losses, money } from "../../../ui/money.tsx";
import { Months } from "../../../ui/months.tsx";
import classes from "./commissions.module.css";
import { type Balance, monthAddress, useBalances, useEarnedByMonth } from "./data.ts";

/** What was earned, what of it waits, and what each month brought. */
export function Totals() {
  const balances = useBalances();
  const months = useEarnedByMonth();
  const { partner } = useSession();
  const books = balances.data?.toSorted(
    (a, b) => Number(b.currency === partner?.currency) - Number(a.currency === partner?.currency),
  );
  const failed = balances.error ?? months.error;
  // Before anything was earned, the list says how to begin.
  if (balances.data?.length === 0 && months.data?.length === 0) return null;
  if (failed && (!balances.data || !months.data)) return <Failure small title="The totals did not load" error={failed} />;
  return (
    <div className={classes.totals}>
      <div className={classes.books} data-many={(books?.length ?? 0) > 2 || undefined}>
        {books && <Headline balances={books} />}
        {books?.map((balance) => (
          <Book key={balance.currency} balance={balance} />
        ))}
      </div>
      {months.data && months.data.length > 0 && <Months title="Earned by month" all={months.data} to={monthAddress} />}
    </div>
  );
}

function Headline({ balances }: { balances: readonly Balance[] }) {
  const amounts = (field: "approved_cents" | "pending_cents") =>
    balances.map((balance) => ({ amount_cents: balance[field], currency: balance.currency }));
  const approved = gains(amounts("approved_cents"));
  const shown = approved.length > 0 ? approved : gains(amounts("pending_cents"));
  const owed = losses(amounts("approved_cents"));
  return (
    <Answer sub={owed.length > 0 && `${amountsText(owed)} is taken off what you earn next.`}>
      {shown.length === 0 ? "Nothing waits for a payout" : <Amounts amounts={shown} />}
      {shown.length > 0 && (shown.length > 1 ? " are " : " is ")}
      {shown.length > 0 && (approved.length > 0 ? "approved, ready for payout" : "on the way to you")}
    </Answer>
  );
}

const PARTS = [
  { name: "Approved", field: "approved_cents", tone: "accent", state: "approved", always: true },
  { name: "Pending", field: "pending_cents", tone: "mid", state: "pending", always: true },
  { name: "Held", field: "held_cents", tone: "stuck", state: "held", always: false },
  { name: "Scheduled", field: "scheduled_cents", tone: "wait", state: "scheduled", always: false },
  { name: "Paid", field: "paid_cents", tone: "rest", state: "paid", always: true },
] as const;

/** One currency: where its money stands. What was paid is past and not part of the bar. */
function Book({ balance }: { balance: Balance }) {
  const { currency } = balance;
  const parts: readonly Part[] = PARTS.slice(0, 4).map(({ name, field, tone }) => ({
    label: name,
    value: Math.max(0, balance[field]),
    tone,
  }));
  return (
    <section aria-label={`In ${currency}`} className={classes.book}>
      <header>
        <b>{currency.toUpperCase()}</b>
      </header>
      <Stack height={8} parts={parts} label={parts.map((part) => `${part.label} ${money(part.value, currency)}`).join(", ")} />
      <Legend
        currency={currency}
        entries={PARTS.filter(({ field, always }) => always || balance[field] !== 0).map(({ name, field, tone, state }) => ({
          label: name,
          tone,
          cents: balance[field],
          to: `/earn/commissions?state=${state}&currency=${currency}`,
        }))}
      />
    </section>
  );
}
