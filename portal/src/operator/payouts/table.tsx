import { daysWithin } from "../../ui/days.ts";
import { Lines } from "../../ui/lines.tsx";
import { Money } from "../../ui/money.tsx";
import type { Column } from "../../ui/table.tsx";
import { day, whenColumn } from "../../ui/when.tsx";
import type { Payout, PayoutFilter, Status } from "./data.ts";
import { METHODS, PayoutState } from "./words.tsx";

/** The columns of payouts; those of one partner do without its name. */
export const columns = (partners: boolean): readonly Column<Payout>[] => [
  ...(partners
    ? [
        {
          key: "partner",
          head: "Partner",
          width: "minmax(140px, 1.3fr)",
          cell: (row: Payout) => <span className="strong cut">{row.partner_company}</span>,
        },
      ]
    : []),
  {
    key: "statement",
    head: "Statement",
    width: "92px",
    ...(partners ? { from: 620 } : {}),
    cell: (row) => <span className="mono muted">{row.statement_number}</span>,
  },
  { key: "state", head: "State", width: "112px", cell: (row) => <PayoutState payout={row} /> },
  {
    key: "note",
    head: "Reference or reason",
    width: "minmax(110px, 1.2fr)",
    from: 760,
    cell: (row) => <span className={`cut ${row.failure === null ? "mono muted" : "soft"}`}>{noteOf(row)}</span>,
  },
  {
    key: "method",
    head: "Paid to",
    width: "minmax(130px, 1fr)",
    from: 940,
    cell: (row) => (
      <span className="soft cut" title={METHODS[row.method]}>
        {row.method_hint}
      </span>
    ),
  },
  {
    key: "net",
    head: "Net",
    width: "112px",
    end: true,
    cell: (row) => (
      <span className="strong num">
        <Money cents={row.net_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "for", head: "For", at: (row) => row.scheduled_for, as: "day", width: "88px", from: 560 }),
];

const noteOf = ({ failure, reference, attempt }: Payout) => failure ?? reference ?? (attempt > 1 ? `attempt ${attempt}` : "");

export function PayoutLines({ row, partner = true }: { row: Payout; partner?: boolean }) {
  const note = noteOf(row);
  return (
    <Lines
      title={partner ? row.partner_company : row.statement_number}
      note={note || `for ${day(row.scheduled_for)}`}
      end={<Money cents={row.net_cents} currency={row.currency} />}
      endNote={<PayoutState payout={row} />}
    />
  );
}

export const STATUS_TABS: readonly { value: Status | ""; name: string }[] = [
  { value: "", name: "All" },
  { value: "failed", name: "Failed" },
  { value: "scheduled", name: "Scheduled" },
  { value: "processing", name: "Processing" },
  { value: "paid", name: "Paid" },
  { value: "cancelled", name: "Cancelled" },
];

/** What the address narrows a list of payouts to. */
export const filterOf = ({
  partner,
  status,
  currency,
  from,
  to,
}: Readonly<Record<string, string | undefined>>): PayoutFilter => ({
  ...(partner ? { partner_id: partner } : {}),
  ...(status ? { status: [status as Status] } : {}),
  ...(currency ? { currency } : {}),
  ...daysWithin("created", { from, to }),
});
