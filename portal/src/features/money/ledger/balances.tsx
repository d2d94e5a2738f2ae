import type { UseQueryResult } from "@tanstack/react-query";
import { Answer, Figures } from "../../../ui/answer.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { day as dayText } from "../../../ui/when.tsx";
import type { Account, TrialBalance } from "./data.ts";
import classes from "./ledger.module.css";
import { ACCOUNTS } from "./words.ts";

const SHOWN: readonly Account[] = ["pending", "held", "approved", "scheduled", "cash"];
const OWED: readonly Account[] = ["pending", "held", "approved", "scheduled"];

type Props = { balance: UseQueryResult<TrialBalance>; day: string | undefined };

/** What is owed, and where it stands, by currency. Each figure opens the entries of its account. */
export function Balances({ balance: { data, error, refetch }, day }: Props) {
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
  const currencies = data.totals.map(({ currency }) => currency);
  const owed = currencies.map((currency) => ({ currency, cents: OWED.reduce((sum, account) => sum + at(account, currency), 0) }));
  return (
    <div className={classes.balances}>
      <Answer sub={day ? `At the end of ${dayText(day)}, in UTC.` : "Now."}>
        {owed.length === 0 && "Nothing is in the book"}
        {owed.map(({ currency, cents }, index) => (
          <span key={currency}>
            {index > 0 && " and "}
            <b>
              <Money cents={cents} currency={currency} />
            </b>
          </span>
        ))}
        {owed.length > 0 && (day ? " was owed to you" : " is owed to you")}
      </Answer>
      {currencies.map((currency) => (
        <Figures
          key={currency}
          figures={SHOWN.map((account) => ({
            name: `${ACCOUNTS[account].name}, ${currency.toUpperCase()}`,
            value: money(at(account, currency), currency),
            note: ACCOUNTS[account].meaning,
            to: `/earn/ledger?account=${account}&currency=${currency}${day ? `&day=${day}` : ""}`,
          }))}
        />
      ))}
    </div>
  );
}
