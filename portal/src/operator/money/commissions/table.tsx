import { Select, TextInput } from "@mantine/core";
import { CommissionState, fromOf, KINDS, whatOf } from "../../../features/money/commissions/words.tsx";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { type Column, type Rows, Table } from "../../../ui/table.tsx";
import { type UrlChange, useUrl } from "../../../ui/url.ts";
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

/** What the address narrows the list to; status and kind need a partner. */
export function filterOf({ partner, status, kind, from, to }: Url): CommissionFilter {
  return {
    ...(partner ? { partner_id: partner } : {}),
    ...(partner && status ? { status: [status as Status] } : {}),
    ...(partner && kind ? { kind: [kind as Kind] } : {}),
    ...(from ? { accrued_after: `${from}T00:00:00Z` } : {}),
    ...(to ? { accrued_before: `${to}T00:00:00Z` } : {}),
  };
}

const TABS = [
  { value: "", name: "All" },
  { value: "pending", name: "Pending" },
  { value: "held", name: "Held" },
  { value: "approved", name: "Approved" },
  { value: "paid", name: "Paid" },
  { value: "void", name: "Void" },
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
        <Narrow url={url} setUrl={setUrl} own={own} />
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

function Narrow({ url, setUrl, own }: { url: Url; setUrl(change: UrlChange): void; own: boolean }) {
  const partner = own || url.partner;
  const count = [!own && partner && url.status, partner && url.kind, url.from, url.to].filter(Boolean).length;
  const clear = () => setUrl({ kind: undefined, from: undefined, to: undefined, ...(own ? {} : { status: undefined }) });
  return (
    <Filters count={count} clear={clear}>
      {partner && !own && (
        <Select
          label="State"
          placeholder="Any"
          clearable
          comboboxProps={{ withinPortal: false }}
          data={["pending", "held", "approved", "scheduled", "paid", "void"]}
          value={url.status ?? null}
          onChange={(status) => setUrl({ status: status ?? undefined })}
        />
      )}
      {partner && (
        <Select
          label="Kind"
          placeholder="Any"
          clearable
          comboboxProps={{ withinPortal: false }}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
          value={url.kind ?? null}
          onChange={(kind) => setUrl({ kind: kind ?? undefined })}
        />
      )}
      <TextInput
        type="date"
        label="Recorded on or after"
        value={url.from ?? ""}
        onChange={({ currentTarget }) => setUrl({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="Recorded before"
        value={url.to ?? ""}
        onChange={({ currentTarget }) => setUrl({ to: currentTarget.value })}
      />
      {!partner && <p className="muted">Choose a partner to narrow by state and kind.</p>}
    </Filters>
  );
}
