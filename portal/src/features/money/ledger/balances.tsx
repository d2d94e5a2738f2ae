import type { UseQueryResult } from "@tanstack/react-query";
import { useSession } from "../../../api/session.ts";
import { Answer, type Figure, Figures } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Amounts, amountsText, gains, losses, money } from "../../../ui/money.tsx";
import { day as dayText } from "../../../ui/when.tsx";
import type { Account, TrialBalance } from "./data.ts";
import classes from "./ledger.module.css";
import { ACCOUNTS } from "./words.ts";

const SHOWN: readonly Account[] = ["pending", "held", "approved", "scheduled", "cash"];
const OWED: readonly Account[] = ["pending", "held", "approved", "scheduled"];

type Props = { balance: UseQueryResult<TrialBalance>; day: string | undefined };

/** The currencies of a book, the partner's own first. A third one and further ones stand in the trial balance. */
const currenciesOf = ({ totals }: TrialBalance, own: string | undefined) =>
  totals.map(({ currency }) => currency).sort((a, b) => Number(b === own) - Number(a === own));

/** What is owed, and where it stands. Each figure opens the entries of its account. */
export function Balances({ balance: { data, error, refetch }, day }: Props) {
  const { partner } = useSession();
  if (error && !data) return <Failure small title="The balances did not load" error={error} retry={refetch} />;
  if (!data) {
    return (
      <div className={classes.balances}>
        <Loading rows={3} />
      </div>
    );
  }
  const at = (account: Account, currency: string) =>
    data.data.find((row) => row.account === account && row.currency === currency)?.balance_cents ?? 0;
  const currencies = currenciesOf(data, partner?.currency);
  const figure = (account: Account, shown: readonly string[]): Figure => {
    const [first = "usd", second] = shown;
    return {
      name: ACCOUNTS[account].name,
      value: money(at(account, first), first),
      ...(second ? { also: money(at(account, second), second) } : {}),
      note: ACCOUNTS[account].meaning,
      to: `/earn/ledger?account=${account}${day ? `&day=${day}` : ""}`,
    };
  };
  const all = currencies.map((currency) => ({
    currency,
    amount_cents: OWED.reduce((sum, account) => sum + at(account, currency), 0),
  }));
  const owed = gains(all);
  const owing = losses(all);
  const be = owed.length > 1 ? ["were", "are"] : ["was", "is"];
  return (
    <div className={classes.balances}>
      <Answer
        sub={
          <>
            <span>{day ? `At the end of ${dayText(day)}.` : "As it stands now. Choose a day to see the book as it was."}</span>
            {owing.length > 0 && <span>{amountsText(owing)} is taken off what you earn next.</span>}
          </>
        }
      >
        {owed.length === 0 ? "Nothing" : <Amounts amounts={owed} />} {be[day ? 0 : 1]} owed to you
      </Answer>
      {currencies.length > 0 && <Figures figures={SHOWN.map((account) => figure(account, currencies))} />}
    </div>
  );
}
