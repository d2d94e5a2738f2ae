import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import { ACCOUNTS, FACTS } from "../ledger/words.ts";
import { type LedgerEntry, useTransfersOf } from "./data.ts";

type Account = LedgerEntry["account"];
type Transfer = Pick<LedgerEntry, "seq" | "at" | "fact" | "currency"> & { from: Account | null; to: Account; cents: number };

const nameOf = (account: Account | null) => (account === null ? "" : ACCOUNTS[account].name);

/** Both entries of a transfer as one, oldest first. */
function transfersOf(entries: readonly LedgerEntry[]): Transfer[] {
  const debits = new Map(entries.filter(({ debit_cents }) => debit_cents > 0).map((entry) => [entry.seq, entry]));
  return entries
    .filter(({ credit_cents }) => credit_cents > 0)
    .map(({ seq, at, fact, account, credit_cents, currency }) => ({
      seq,
      at,
      fact,
      from: debits.get(seq)?.account ?? null,
      to: account,
      cents: credit_cents,
      currency,
    }))
    .sort((a, b) => a.seq - b.seq);
}

/** How the amount was moved between the accounts of the book. */
export function Transfers({ id }: { id: string }) {
  const { data, error, refetch } = useTransfersOf(id);
  return (
    <Section
      title="In the ledger"
      aside={
        <Link className="link" to={`/earn/ledger?commission=${id}`}>
          Open ledger
        </Link>
      }
    >
      {error && !data && <Failure small title="The ledger did not load" error={error} retry={refetch} />}
      {data && (
        <Rows heads={["·Recorded", "Fact", "Debit → credit", "Amount"]} ends={1}>
          {transfersOf(data).map(({ seq, at, fact, from, to, cents, currency }) => (
            <tr key={seq}>
              <td className="muted" data-desk>
                <When at={at} as="day" />
              </td>
              <td className="soft">{FACTS[fact]}</td>
              <td className="soft">
                {nameOf(from)} → {nameOf(to)}
              </td>
              <td className="strong">
                <Money cents={cents} currency={currency} />
              </td>
            </tr>
          ))}
        </Rows>
      )}
    </Section>
  );
}
