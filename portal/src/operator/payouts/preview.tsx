import { Lines } from "../../ui/lines.tsx";
import { Money, money } from "../../ui/money.tsx";
import type { Column } from "../../ui/table.tsx";
import type { PreviewRow } from "./runs.data.ts";
import { METHODS, plural, rankOf, reasonOf } from "./words.tsx";

export const isBlocked = ({ blockers }: PreviewRow) => blockers.length > 0;

const firstOf = ({ blockers }: PreviewRow) => blockers[0]?.code ?? "";

/** Those with the same reason stand together, the largest amounts first. */
export const groupedRows = (rows: readonly PreviewRow[]) =>
  rows.toSorted((one, other) => rankOf(firstOf(one)) - rankOf(firstOf(other)) || other.net_cents - one.net_cents);

/** The reason, and what changes it. */
export function groupOf(row: PreviewRow): string {
  const { name, way } = reasonOf(firstOf(row));
  return `${name}: ${way}`;
}

const amount = (cents: number, currency: string) => (
  <span className="soft num">{cents === 0 ? "–" : money(cents, currency)}</span>
);

const NET: Column<PreviewRow> = {
  key: "net",
  head: "Net",
  width: "112px",
  end: true,
  cell: (row) => (
    <span className="strong num">
      <Money cents={row.net_cents} currency={row.currency} />
    </span>
  ),
};

const COMPANY: Column<PreviewRow> = {
  key: "company",
  head: "Partner",
  width: "minmax(150px, 1.4fr)",
  cell: (row) => <span className="strong cut">{row.company}</span>,
};

export const PAID: readonly Column<PreviewRow>[] = [
  COMPANY,
  {
    key: "method",
    head: "How",
    width: "minmax(96px, 0.8fr)",
    from: 760,
    cell: (row) => <span className="soft">{row.method && METHODS[row.method]}</span>,
  },
  {
    key: "count",
    head: "Commissions",
    width: "92px",
    end: true,
    from: 620,
    cell: (row) => <span className="soft num">{row.commission_count}</span>,
  },
  {
    key: "gross",
    head: "Earned",
    width: "104px",
    end: true,
    from: 680,
    cell: (row) => amount(row.gross_cents, row.currency),
  },
  {
    key: "adjustments",
    head: "Taken back",
    width: "104px",
    end: true,
    from: 860,
    cell: (row) => amount(row.adjustments_cents, row.currency),
  },
  {
    key: "carry",
    head: "Carried over",
    width: "104px",
    end: true,
    from: 860,
    cell: (row) => amount(row.carry_in_cents, row.currency),
  },
  NET,
];

export const paidLines = (row: PreviewRow) => (
  <Lines
    title={row.company}
    note={plural(row.commission_count, "commission")}
    end={<Money cents={row.net_cents} currency={row.currency} />}
    endNote={row.method && METHODS[row.method]}
  />
);

/** What is missing to the minimum, and what else blocks it. */
function alsoOf({ blockers, currency }: PreviewRow): string {
  const [first, ...others] = blockers;
  const missing =
    first?.code === "below_minimum" && first.amount_cents !== undefined ? `${money(first.amount_cents, currency)} missing` : "";
  const also = others.map(({ code }) => reasonOf(code).name.toLowerCase()).join(", ");
  return [missing || first?.detail, also && `also: ${also}`].filter(Boolean).join("; ");
}

export const BLOCKED: readonly Column<PreviewRow>[] = [
  COMPANY,
  {
    key: "also",
    head: "Why",
    width: "minmax(160px, 3fr)",
    from: 560,
    cell: (row) => (
      <span className="soft cut" title={alsoOf(row)}>
        {alsoOf(row)}
      </span>
    ),
  },
  NET,
];

export const blockedLines = (row: PreviewRow) => (
  <Lines title={row.company} note={alsoOf(row)} end={<Money cents={row.net_cents} currency={row.currency} />} />
);
