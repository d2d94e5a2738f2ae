import { Button } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Money, percent } from "../../../ui/money.tsx";
import { Monogram, Named } from "../../../ui/monogram.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, When, whenColumn } from "../../../ui/when.tsx";
import { type Commission, exportAddress, listRequest, useCommissions } from "./data.ts";
import { filterOf, MoreFilters, TABS } from "./filters.tsx";
import { Totals } from "./totals.tsx";
import { CommissionState, fromOf, whatOf } from "./words.tsx";

/** When it is yours, or what it waits for. */
function waitsFor({ status, hold_until, hold_reason }: Commission): string | null {
  if (status === "held") return hold_reason;
  if (status !== "pending") return null;
  return hold_until === null ? "waits for the first charge" : `until ${day(hold_until)}`;
}

const COLUMNS: readonly Column<Commission>[] = [
  {
    key: "from",
    head: "Earned from",
    width: "minmax(180px, 1.2fr)",
    cell: (row) => (
      <Named
        mark={<Monogram name={fromOf(row)} />}
        name={fromOf(row)}
        note={row.level > 0 ? (row.level > 1 ? "and below" : "sub-partner") : null}
      />
    ),
  },
  {
    key: "kind",
    head: "Kind",
    width: "minmax(150px, 1fr)",
    cell: (row) => <span className="soft">{whatOf(row)}</span>,
  },
  {
    key: "state",
    head: "State",
    width: "minmax(190px, 1fr)",
    from: 700,
    cell: (row) => (
      <>
        <CommissionState row={row} /> <span className="muted">{waitsFor(row)}</span>
      </>
    ),
  },
  {
    key: "base",
    head: "Of",
    width: "96px",
    end: true,
    from: 900,
    cell: (row) => (
      <span className="muted">{row.base_cents === 0 ? "" : <Money cents={row.base_cents} currency={row.currency} />}</span>
    ),
  },
  {
    key: "rate",
    head: "Rate",
    width: "56px",
    end: true,
    from: 900,
    cell: (row) => <span className="muted">{row.rate_bps > 0 && percent(row.rate_bps)}</span>,
  },
  {
    key: "amount",
    head: "Amount",
    width: "96px",
    end: true,
    cell: (row) => (
      <span className={row.status === "void" ? "muted" : "strong"}>
        <Money cents={row.amount_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "accrued", head: "Recorded", at: (row) => row.accrued_at, as: "day" }),
];

/** What did I earn, and why? */
export default function CommissionList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useCommissions(filter);
  const views = useViews("commissions");
  const go = useGo();
  const narrowed = Object.keys(filter).length > 0;
  return (
    <Page title="Commissions" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Table
        label="Commissions"
        above={
          <>
            <Totals />
            <Bar>
              <Tabs label="State" value={filter.status ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })}>
                <SavedViews at="/earn/commissions" {...views} />
              </Tabs>
              <MoreFilters client={url.client} link={url.link} />
              <Export href={exportAddress(filter)} />
            </Bar>
          </>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `${fromOf(row)}, ${whatOf(row)}`}
        onOpen={(row) => go(`/earn/commissions/${row.id}`)}
        phone={(row) => <CommissionLines row={row} />}
        empty={<None narrowed={narrowed} />}
      />
    </Page>
  );
}

function CommissionLines({ row }: { row: Commission }) {
  return (
    <Lines
      mark={<Monogram name={fromOf(row)} size={32} />}
      title={fromOf(row)}
      note={
        <>
          <CommissionState row={row} /> {whatOf(row).toLowerCase()}
        </>
      }
      end={
        <b>
          <Money cents={row.amount_cents} currency={row.currency} />
        </b>
      }
      endNote={<When at={row.accrued_at} as="day" />}
    />
  );
}

function None({ narrowed }: { narrowed: boolean }) {
  const go = useGo();
  const may = useMay();
  if (narrowed) {
    return (
      <Empty
        title="No commission matches"
        action={
          <Button variant="default" onClick={() => go("/earn/commissions")}>
            Show all
          </Button>
        }
      >
        Nothing of this kind was earned in this time.
      </Empty>
    );
  }
  return (
    <Empty
      title="Your first commission"
      action={
        may("deals:read") && (
          <Button component={Link} to="/deals">
            Open deals
          </Button>
        )
      }
      curl={curl("GET /v1/partners/deals/commissions")}
    >
      Win a deal that you have registered: its first month earns at once, and every charge of the client after that. Each amount
      then stands here, with how it was calculated.
    </Empty>
  );
}
