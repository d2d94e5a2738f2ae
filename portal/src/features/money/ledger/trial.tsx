import type { UseQueryResult } from "@tanstack/react-query";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import type { Account, TrialBalance } from "./data.ts";
import classes from "./ledger.module.css";
import { ACCOUNTS } from "./words.ts";

const ORDER = Object.keys(ACCOUNTS) as Account[];

/** Each account on its side. In each currency both sides come to the same. */
export function Trial({ balance: { data } }: { balance: UseQueryResult<TrialBalance> }) {
  if (!data) return null;
  return (
    <div className={classes.trials}>
      {data.totals.map(({ currency, debit_cents, credit_cents }) => (
        <Section
          key={currency}
          title={currency.toUpperCase()}
          aside={debit_cents === credit_cents ? "Debits equal credits" : "Debits and credits differ"}
        >
          <table className={classes.trial} aria-label={`Trial balance in ${currency}`}>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col" data-end>
                  Debit
                </th>
                <th scope="col" data-end>
                  Credit
                </th>
              </tr>
            </thead>
            <tbody>
              {data.data
                .filter((row) => row.currency === currency)
                .toSorted((a, b) => ORDER.indexOf(a.account) - ORDER.indexOf(b.account))
                .map((row) => (
                  <tr key={row.account}>
                    <th scope="row">
                      {ACCOUNTS[row.account].name} <span className="muted only-desk">{ACCOUNTS[row.account].meaning}</span>
                    </th>
                    <td data-end>{row.debit_cents > 0 && money(row.debit_cents, currency)}</td>
                    <td data-end>{row.credit_cents > 0 && money(row.credit_cents, currency)}</td>
                  </tr>
                ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Total</th>
                <td data-end>{money(debit_cents, currency)}</td>
                <td data-end>{money(credit_cents, currency)}</td>
              </tr>
            </tfoot>
          </table>
        </Section>
      ))}
    </div>
  );
}
