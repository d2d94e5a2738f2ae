import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { FileText } from "lucide-react";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, whenColumn } from "../../../ui/when.tsx";
import {
  exportAddress,
  listRequest,
  type Payout,
  type PayoutFilter,
  type PayoutStatus,
  statementAddress,
  usePayouts,
  useUpcoming,
} from "./data.ts";
import classes from "./payouts.module.css";
import { UpcomingPayouts } from "./upcoming.tsx";
import { PayoutState, periodOf } from "./words.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "scheduled", name: "Scheduled" },
  { value: "processing", name: "Processing" },
  { value: "paid", name: "Paid" },
  { value: "failed", name: "Failed" },
  { value: "cancelled", name: "Cancelled" },
];

/** What the address says the list is narrowed to. */
function filterOf(url: Readonly<Record<string, string | undefined>>): PayoutFilter {
  const status = TABS.find(({ value }) => value !== "" && value === url.state)?.value as PayoutStatus | undefined;
  return {
    ...(status ? { status } : {}),
    ...(/^[a-z]{3}$/.test(url.currency ?? "") ? { currency: url.currency ?? "" } : {}),
    ...daysWithin("created", url),
  };
}

const amount = (field: "gross_cents" | "adjustments_cents" | "carry_in_cents") => (row: Payout) => (
  <span className={row[field] === 0 ? "muted" : "soft"}>
    {row[field] === 0 ? "–" : <Money cents={row[field]} currency={row.currency} />}
  </span>
);

const COLUMNS: readonly Column<Payout>[] = [
  {
    key: "statement",
    head: "Statement",
    width: "minmax(88px, 1fr)",
    cell: (row) => <span className="mono">{row.statement_number}</span>,
  },
  {
    key: "period",
    head: "Period",
    width: "minmax(120px, 1fr)",
    from: 560,
    cell: (row) => <span className="soft">{periodOf(row)}</span>,
  },
  { key: "state", head: "State", width: "minmax(96px, 1fr)", cell: (row) => <PayoutState row={row} /> },
  { key: "gross", head: "Gross", width: "88px", from: 860, end: true, cell: amount("gross_cents") },
  { key: "adjustments", head: "Adjustments", width: "88px", from: 980, end: true, cell: amount("adjustments_cents") },
  { key: "carry", head: "Carried over", width: "88px", from: 1060, end: true, cell: amount("carry_in_cents") },
  {
    key: "net",
    head: "Net",
    width: "96px",
    end: true,
    cell: (row) => (
      <span className={row.status === "cancelled" ? "muted" : "strong"}>
        <Money cents={row.net_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "paid", head: "Paid", at: (row) => row.paid_at, as: "day" }),
  {
    key: "reference",
    head: "Reference",
    width: "minmax(140px, 1fr)",
    from: 720,
    cell: (row) =>
      row.status === "failed" ? (
        <span className={classes.bad}>{row.failure}</span>
      ) : (
        <span className="mono muted">{row.reference}</span>
      ),
  },
  {
    key: "paper",
    head: "PDF",
    width: "32px",
    cell: ({ id, statement_number }) => (
      <Tooltip label="Open the statement">
        <ActionIcon
          component="a"
          href={statementAddress(id, "pdf")}
          target="_blank"
          size={26}
          aria-label={`Statement ${statement_number} as PDF`}
          onClick={(event: React.MouseEvent) => event.stopPropagation()}
        >
          <FileText size={14} />
        </ActionIcon>
      </Tooltip>
    ),
  },
];

/** When, how much, what blocks it? */
export default function PayoutList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = usePayouts(filter);
  const { data: upcoming = [] } = useUpcoming();
  const go = useGo();
  const narrowed = Object.keys(filter).length > 0;
  const currencies = [...new Set([...upcoming, ...list.rows].map(({ currency }) => currency))].sort();
  return (
    <Page title="Payouts" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Table
        label="Payouts"
        above={
          <>
            <UpcomingPayouts />
            <Bar>
              <Tabs label="State" value={filter.status ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
              <Filters names={["currency", "from", "to"]}>
                <Choice name="currency" label="Currency" data={currencies} />
                <FromTo />
              </Filters>
              <Export href={exportAddress(filter)} />
            </Bar>
          </>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `Statement ${row.statement_number}`}
        onOpen={(row) => go(`/earn/payouts/${row.id}`)}
        phone={(row) => <PayoutLines row={row} />}
        empty={<None narrowed={narrowed} />}
      />
    </Page>
  );
}

function PayoutLines({ row }: { row: Payout }) {
  return (
    <Lines
      title={periodOf(row)}
      note={
        <>
          <PayoutState row={row} /> {row.paid_at && `on ${day(row.paid_at)}`} {row.status === "failed" && row.failure}
        </>
      }
      end={
        <b>
          <Money cents={row.net_cents} currency={row.currency} />
        </b>
      }
      endNote={<span className="mono">{row.statement_number}</span>}
    />
  );
}

function None({ narrowed }: { narrowed: boolean }) {
  const go = useGo();
  if (narrowed) {
    return (
      <Empty
        title="No payout matches"
        action={
          <Button variant="default" onClick={() => go("/earn/payouts")}>
            Show all
          </Button>
        }
      >
        Nothing of this kind was paid in this time.
      </Empty>
    );
  }
  return (
    <Empty title="Your first payout" curl={curl("GET /v1/partners/payouts/upcoming")}>
      Each run pays what is approved and due, once it reaches the minimum. Every payout then stands here, with its statement.
    </Empty>
  );
}
