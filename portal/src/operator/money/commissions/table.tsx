import { CommissionState, fromOf, KINDS, whatOf } from "../../../features/money/commissions/words.tsx";
import { CURRENCIES } from "../../../ui/amount.tsx";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { type Column, type Rows, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { PartnerChoice } from "../../partners/choice.tsx";
import { type Commission, type CommissionFilter, exportHref, type Kind, type Status } from "./data.ts";

const columns = (partners: boolean): readonly Column<Commission>[] => [
  {
    key: "from",
    head: "From",
    width: "minmax(140px, 1.3fr)",
    cell: (row) => <span className="strong cut">{fromOf(row)}</span>,
  },
  ...(partners
    ? [
        {
          key: "partner",
          head: "Partner",
          width: "minmax(120px, 1fr)",
          from: 620,
          cell: (row: Commission) => <span className="soft cut">{row.partner_company}</span>,
        },
      ]
    : []),
  {
    key: "what",
    head: "What",
    width: "minmax(130px, 1.2fr)",
    from: 560,
    cell: (row) => <span className="soft cut">{whatOf(row)}</span>,
  },
  { key: "state", head: "State", width: "104px", cell: (row) => <CommissionState row={row} /> },
  {
    key: "base",
    head: "Of",
    width: "104px",
    end: true,
    from: 860,
    cell: (row) => (
      <span className="muted num">
        <Money cents={row.base_cents} currency={row.currency} />
      </span>
    ),
  },
  {
    key: "amount",
    head: "Amount",
    width: "104px",
    end: true,
    cell: (row) => (
      <span className="strong num">
        <Money cents={row.amount_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "until", head: "Hold until", at: (row) => row.hold_until, as: "day", width: "88px", from: 960 }),
  whenColumn({ key: "at", head: "Recorded", at: (row) => row.accrued_at, as: "day", width: "88px" }),
];

type Url = Readonly<Record<string, string | undefined>>;

/** What the address narrows the list to. */
export function filterOf(url: Url): CommissionFilter {
  const { partner, status, kind, currency } = url;
  return {
    ...(partner ? { partner_id: partner } : {}),
    ...(status ? { status: [status as Status] } : {}),
    ...(kind ? { kind: [kind as Kind] } : {}),
    ...(currency ? { currency } : {}),
    ...daysWithin("accrued", url),
  };
}

const STATUSES = ["pending", "held", "approved", "scheduled", "paid", "void"];
const TABS = [
  { value: "", name: "All" },
  ...STATUSES.map((value) => ({ value, name: value.charAt(0).toUpperCase() + value.slice(1) })),
];

type Props = {
  list: Rows<Commission>;
  filter: CommissionFilter;
  /** The page of one partner: no choice, and no column, of partners. */
  own?: boolean;
};

/** Commissions with what narrows them: of all partners, or of one. */
export function CommissionTable({ list, filter, own = false }: Props) {
  const [url, setUrl] = useUrl();
  const go = useGo();
  return (
    <>
      <Bar>
        {own ? (
          <Tabs label="State" value={url.status ?? ""} tabs={TABS} onChange={(status) => setUrl({ status })} />
        ) : (
          <div style={{ width: 240, marginRight: "auto" }}>
            <PartnerChoice
              aria-label="Partner"
              placeholder="All partners"
              value={url.partner ?? null}
              onChange={(id) => setUrl({ partner: id ?? undefined })}
            />
          </div>
        )}
        <MoreFilters own={own} />
        <Export href={exportHref(filter)} />
      </Bar>
      <Table
        label="Commissions"
        columns={columns(!own)}
        list={list}
        id={(row) => row.id}
        name={(row) => `${fromOf(row)}, ${money(row.amount_cents, row.currency)}`}
        onOpen={(row) => go(`/commissions/${row.id}`)}
        phone={(row) => (
          <Lines
            title={fromOf(row)}
            note={own ? whatOf(row) : `${row.partner_company}, ${whatOf(row).toLowerCase()}`}
            end={<Money cents={row.amount_cents} currency={row.currency} />}
            endNote={<CommissionState row={row} />}
          />
        )}
        empty={
          <Empty title="No commission">
            Sales earn when they are won, and again with every charge of the client that is reported.
          </Empty>
        }
      />
    </>
  );
}

function MoreFilters({ own }: { own: boolean }) {
  return (
    <Filters names={[...(own ? [] : ["status"]), "kind", "currency", "from", "to"]}>
      {!own && <Choice name="status" label="State" data={STATUSES} />}
      <Choice name="kind" label="Kind" data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))} />
      <Choice name="currency" label="Currency" data={CURRENCIES} />
      <FromTo />
    </Filters>
  );
}
