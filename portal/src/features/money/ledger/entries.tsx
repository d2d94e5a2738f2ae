import { Button } from "@mantine/core";
import type { List } from "../../../api/lists.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When, whenColumn } from "../../../ui/when.tsx";
import type { Entry } from "./data.ts";
import { ACCOUNTS, FACTS } from "./words.ts";

const amount = (cents: number, currency: string) => (cents > 0 ? <Money cents={cents} currency={currency} /> : null);

const COLUMNS: readonly Column<Entry>[] = [
  { key: "seq", head: "No.", width: "48px", cell: (row) => <span className="muted mono">{row.seq}</span> },
  {
    key: "fact",
    head: "Fact",
    width: "minmax(160px, 1.2fr)",
    cell: (row) => <span className="strong">{FACTS[row.fact] ?? row.fact}</span>,
  },
  {
    key: "account",
    head: "Account",
    width: "minmax(96px, .8fr)",
    cell: (row) => <span className="soft">{ACCOUNTS[row.account].name}</span>,
  },
  { key: "debit", head: "Debit", width: "104px", end: true, cell: (row) => amount(row.debit_cents, row.currency) },
  { key: "credit", head: "Credit", width: "104px", end: true, cell: (row) => amount(row.credit_cents, row.currency) },
  {
    key: "balance",
    head: "Balance after",
    width: "112px",
    end: true,
    from: 720,
    cell: (row) => (
      <span className="muted">
        <Money cents={row.balance_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "at", head: "Recorded", from: 560, at: (row) => row.at, as: "day" }),
];

type Props = { list: List<Entry>; above: React.ReactNode; narrowed: boolean };

/** The book, entry by entry; an entry opens the commission that it is about. */
export function Entries({ list, above, narrowed }: Props) {
  const go = useGo();
  return (
    <Table
      label="Entries"
      above={above}
      columns={COLUMNS}
      list={list}
      id={(row) => `${row.seq} ${row.account}`}
      name={(row) => `${FACTS[row.fact]}, ${ACCOUNTS[row.account].name}`}
      onOpen={(row) => row.commission_id && go(`/earn/commissions/${row.commission_id}`)}
      phone={(row) => (
        <Lines
          title={FACTS[row.fact] ?? row.fact}
          note={`${ACCOUNTS[row.account].name}, balance ${money(row.balance_cents, row.currency)}`}
          end={<b>{money(row.credit_cents - row.debit_cents, row.currency)}</b>}
          endNote={<When at={row.at} as="day" />}
        />
      )}
      empty={
        narrowed ? (
          <Empty
            title="No entry matches"
            action={
              <Button variant="default" onClick={() => go("/earn/ledger")}>
                Show all
              </Button>
            }
          >
            Nothing was moved there by then.
          </Empty>
        ) : (
          <Empty title="The book is empty">
            Every amount that you earn is entered twice, where it comes from and where it goes, and never changed. The first won
            deal makes the first entries.
          </Empty>
        )
      }
    />
  );
}
