import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Answer, type Figure } from "../../ui/answer.tsx";
import { Link } from "../../ui/link.tsx";
import { Money, money } from "../../ui/money.tsx";
import { Months } from "../../ui/months.tsx";
import { type Balance, type Earned, monthAddress, useBalances, useEarnedByMonth } from "../money/commissions/data.ts";
import type { Overview } from "./data.ts";

export type Earnings = { months: readonly Earned[]; balances: readonly Balance[] };

/** What was earned; undefined while it loads, null for those who may not see it, and where nothing was earned yet. */
export function useEarnings(): Earnings | null | undefined {
  const session = useSession();
  const may = useMay()("commissions:read") && isPartnerWide(session);
  const months = useEarnedByMonth(may);
  const balances = useBalances(may);
  if (!may || months.error || balances.error) return null;
  if (!months.data || !balances.data) return undefined;
  const own = (one: { currency: string }) => Number(one.currency === session.partner?.currency);
  const ownFirst = <Row extends { currency: string }>(rows: readonly Row[]) => rows.toSorted((a, b) => own(b) - own(a));
  return months.data.length === 0 ? null : { months: ownFirst(months.data), balances: ownFirst(balances.data) };
}

const thisMonth = ({ months }: Earned) => months.at(-1)?.amount_cents ?? 0;
const amounts = (rows: readonly { cents: number; currency: string }[]) =>
  rows
    .filter(({ cents }) => cents !== 0)
    .map(({ cents, currency }) => money(cents, currency))
    .join(" and ");

/** The answer of the home: what this month brought so far. */
export function EarningsHeadline({ earnings: { months }, overview: { mrr = [] } }: { earnings: Earnings; overview: Overview }) {
  const earned = months.filter((one) => thisMonth(one) !== 0);
  const paying = amounts(mrr.map(({ mrr_cents, currency }) => ({ cents: mrr_cents, currency })));
  const before = amounts(months.map(({ currency, months: all }) => ({ cents: all.at(-2)?.amount_cents ?? 0, currency })));
  return (
    <Answer
      sub={`${before === "" ? "Nothing" : before} in the month before.${paying === "" ? "" : ` Your clients pay ${paying} a month.`}`}
    >
      You earned {earned.length === 0 && "nothing yet"}
      {earned.map((one, index) => (
        <span key={one.currency}>
          {index > 0 && " and "}
          <b>
            <Money cents={thisMonth(one)} currency={one.currency} />
          </b>
        </span>
      ))}{" "}
      this month
    </Answer>
  );
}

/** What is ready for payout, and what still waits. */
export function earningsFigures(earnings: Earnings | null): Figure[] {
  if (earnings === null) return [];
  const [first, second] = earnings.balances;
  if (first === undefined) return [];
  const pending = amounts(earnings.balances.map(({ pending_cents, currency }) => ({ cents: pending_cents, currency })));
  return [
    {
      name: "Approved commission",
      value: money(first.approved_cents, first.currency),
      ...(second && second.approved_cents !== 0 ? { also: money(second.approved_cents, second.currency) } : {}),
      note: pending === "" ? "nothing is pending" : `${pending} pending`,
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
        <Link to="/earn/commissions" className="link">
          All commissions
        </Link>
      }
    />
  );
}
