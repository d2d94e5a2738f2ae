import { Select } from "@mantine/core";
import { ACCOUNTS, FACTS } from "../../../features/money/ledger/words.ts";
import { Bar, Export } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { type Column, type Rows, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, moment } from "../../../ui/when.tsx";
import { type Account, type Entry, type EntryFilter, entriesHref } from "./data.ts";

export const entryFilter = ({ account, commission }: Readonly<Record<string, string | undefined>>): EntryFilter => ({
  ...(account ? { account: account as Account } : {}),
  ...(commission ? { commission_id: commission } : {}),
});

const amount = (cents: number, currency: string) => cents > 0 && <Money cents={cents} currency={currency} />;

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: "at",
    head: "Recorded",
    width: "116px",
    cell: (row) => <span className="muted">{moment(row.at)}</span>,
  },
  {
    key: "fact",
    head: "Fact",
    width: "minmax(150px, 1.2fr)",
    cell: (row) => <span className="strong cut">{FACTS[row.fact]}</span>,
  },
  {
    key: "account",
    head: "Account",
    width: "minmax(100px, 1fr)",
    cell: (row) => <span className="soft">{ACCOUNTS[row.account].name.toLowerCase()}</span>,
  },
  {
    key: "commission",
    head: "For",
    width: "minmax(110px, 1fr)",
    from: 700,
    cell: (row) =>
      row.commission_id && (
        <Link className="link mono" to={`/commissions/${row.commission_id}`} aria-label={`Commission ${row.commission_id}`}>
          com_…{row.commission_id.slice(-6)}
        </Link>
      ),
  },
  {
    key: "debit",
    head: "Debit",
    width: "104px",
    end: true,
    cell: (row) => <span className="soft num">{amount(row.debit_cents, row.currency)}</span>,
  },
  {
    key: "credit",
    head: "Credit",
    width: "104px",
    end: true,
    cell: (row) => <span className="soft num">{amount(row.credit_cents, row.currency)}</span>,
  },
  {
    key: "balance",
    head: "Balance after",
    width: "116px",
    end: true,
    from: 620,
    cell: (row) => (
      <span className="strong num">
        <Money cents={row.balance_cents} currency={row.currency} />
      </span>
    ),
  },
];

/** Every transfer of a book as its two entries, the newest first. */
export function Entries({ partner_id, list, filter }: { partner_id: string; list: Rows<Entry>; filter: EntryFilter }) {
  const [url, setUrl] = useUrl();
  return (
    <>
      <Bar>
        <div style={{ width: 200, marginRight: "auto" }}>
          <Select
            aria-label="Account"
            placeholder="All accounts"
            clearable
            data={Object.entries(ACCOUNTS).map(([value, { name }]) => ({ value, label: name }))}
            value={url.account ?? null}
            onChange={(account) => setUrl({ account: account ?? undefined })}
          />
        </div>
        <Export href={entriesHref(partner_id, filter)} />
      </Bar>
      <Table
        label="Entries"
        columns={COLUMNS}
        list={list}
        id={({ seq, account }) => `${seq} ${account}`}
        name={({ fact, account }) => `${FACTS[fact]}, ${ACCOUNTS[account].name}`}
        phone={(row) => (
          <Lines
            title={`${FACTS[row.fact]}, ${ACCOUNTS[row.account].name.toLowerCase()}`}
            note={`${day(row.at)}, ${row.credit_cents > 0 ? "credit" : "debit"}`}
            end={<Money cents={row.credit_cents || row.debit_cents} currency={row.currency} />}
          />
        )}
        empty={
          <Empty title="Nothing was booked">Each commission, and each move of one, is booked here as debit and credit.</Empty>
        }
      />
    </>
  );
}
