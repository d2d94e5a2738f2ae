import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Answer, type Figure } from "../../ui/answer.tsx";
import { Link } from "../../ui/link.tsx";
import { type Amount, Amounts, amountsText, gains, losses, money } from "../../ui/money.tsx";
import { Months } from "../../ui/months.tsx";
import { type Balance, type Earned, monthAddress, useBalances, useEarnedByMonth } from "../money/commissions/data.ts";
import type { Overview, Revenue } from "./data.ts";

export type Earnings = { months: readonly Earned[]; balances: readonly Balance[] };

/** What was earned; undefined while it loads, null for those who may not see it, and where nothing was earned yet. */
export function useEarnings(): Earnings | null | undefined {
  const session = useSession();
  const may = useMay()("commissions:read") && isPartnerWide(session);
  const months = useEarnedByMonth(may);
  const balances = useBalances(may);
  if (!may || months.error || balances.error) return null;
  if (!months.data || !balances.data) return undefined;
  const own = session.partner?.currency;
  return months.data.length === 0 ? null : { months: ownFirst(months.data, own), balances: ownFirst(balances.data, own) };
}

/** The same rows, those of the partner's own currency first. */
export const ownFirst = <Row extends { currency: string }>(rows: readonly Row[], own: string | undefined): Row[] =>
  rows.toSorted((a, b) => Number(b.currency === own) - Number(a.currency === own));

export const mrrOf = (rows: readonly Revenue[]): Amount[] =>
  rows.map(({ mrr_cents, currency }) => ({ amount_cents: mrr_cents, currency }));

const some = (amounts: readonly Amount[]) => amounts.filter(({ amount_cents }) => amount_cents !== 0);

/** The answer of the home: what this month brought so far. */
export function EarningsHeadline({ earnings: { months }, overview: { mrr = [] } }: { earnings: Earnings; overview: Overview }) {
  const inMonth = (ago: number): Amount[] =>
    some(months.map(({ currency, months: all }) => ({ amount_cents: all.at(-1 - ago)?.amount_cents ?? 0, currency })));
  const earned = gains(inMonth(0));
  const lost = losses(inMonth(0));
  const before = inMonth(1);
  const paying = some(mrrOf(mrr));
  return (
    <Answer
      sub={
        <>
          {lost.length > 0 && <span>{amountsText(lost)} was taken back.</span>}
          <span>
            {before.length === 0 ? "Nothing" : amountsText(before)} in the month before.
            {paying.length > 0 && ` Your clients pay ${amountsText(paying)} a month.`}
          </span>
        </>
      }
    >
      You earned {earned.length === 0 ? "nothing yet" : <Amounts amounts={earned} />} this month
    </Answer>
  );
}

/** What is ready for payout, and what still waits. */
export function earningsFigures(earnings: Earnings | null): Figure[] {
  if (earnings === null) return [];
  const [first, second] = earnings.balances;
  if (first === undefined) return [];
  const pending = some(earnings.balances.map(({ pending_cents, currency }) => ({ amount_cents: pending_cents, currency })));
  return [
    {
      name: "Approved commission",
      value: money(first.approved_cents, first.currency),
      ...(second && second.approved_cents !== 0 ? { also: money(second.approved_cents, second.currency) } : {}),
      note: pending.length === 0 ? "nothing is pending" : `${amountsText(pending)} pending`,
      to: "/earn/commissions?state=approved",
    },
  ];
}

export function EarningsChart({ earned }: { earned: readonly Earned[] }) {
  return (
    <Months
      title="Commission by month"
      all={earned}
      to={monthAddress}
      height={172}
      aside={
        <Link to="/earn/commissions" className="link only-desk">
          All commissions
        </Link>
      }
    />
  );
}
