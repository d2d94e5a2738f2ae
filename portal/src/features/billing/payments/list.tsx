import { Button } from "@mantine/core";
import { useViews } from "../../../api/views.ts";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { money } from "../../../ui/money.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { Tag } from "../../../ui/section.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { exportAddress, listRequest, type Payment, type PaymentFilter, type PaymentStatus, usePayments } from "./data.ts";
import { FLAGS, methodOf, PaymentState, payerOf, STATUSES } from "./words.tsx";

const TABS: readonly { value: PaymentStatus | ""; name: string }[] = [
  { value: "", name: "All" },
  { value: "succeeded", name: "Received" },
  { value: "partially_refunded", name: "Part refunded" },
  { value: "refunded", name: "Refunded" },
  { value: "disputed", name: "Disputed" },
];

const COLUMNS: readonly Column<Payment>[] = [
  { key: "payer", head: "Paid by", width: "minmax(130px, 1fr)", cell: (row) => <b className="strong cut">{payerOf(row)}</b> },
  { key: "receipt", head: "Receipt", width: "116px", cell: (row) => <span className="mono soft">{row.receipt_number}</span> },
  {
    key: "method",
    head: "Method",
    width: "minmax(120px, 1fr)",
    from: 720,
    cell: (row) => <span className="soft cut">{methodOf(row)}</span>,
  },
  { key: "state", head: "State", width: "120px", cell: (row) => <PaymentState payment={row} /> },
  {
    key: "flags",
    head: "",
    width: "112px",
    from: 880,
    cell: (row) => (
      <>
        {!row.live && <Tag>test</Tag>} {row.flag && <Tag>{FLAGS[row.flag].name}</Tag>}
      </>
    ),
  },
  {
    key: "refunded",
    head: "Refunded",
    width: "96px",
    end: true,
    from: 880,
    cell: (row) => <span className="muted num">{row.refunded_cents > 0 && money(row.refunded_cents, row.currency)}</span>,
  },
  {
    key: "amount",
    head: "Amount",
    width: "112px",
    end: true,
    cell: (row) => <b className="strong num">{money(row.amount_cents + row.tip_cents, row.currency)}</b>,
  },
  whenColumn({ key: "paid", head: "Paid", from: 560, at: (row) => row.paid_at }),
];

type Url = Readonly<Record<string, string | undefined>>;

function filterOf(account: Account, { status, link, contact, money: kind, from, to }: Url): PaymentFilter {
  return {
    account_id: account.id,
    ...(status && status in STATUSES ? { status: status as PaymentStatus } : {}),
    ...(link ? { payment_link_id: link } : {}),
    ...(contact ? { contact_id: contact } : {}),
    ...(kind ? { live: kind === "real" } : {}),
    ...daysWithin("created", { from, to }),
  };
}

export default function PaymentsPage() {
  return <InAccount title="Payments">{(account) => <PaymentTable key={account.id} account={account} />}</InAccount>;
}

/** What has arrived? */
function PaymentTable({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const filter = filterOf(account, url);
  const list = usePayments(filter);
  const views = useViews("payments", account.id);
  const go = useGo();
  const at = `/crm/${account.id}/payments`;
  return (
    <Page title="Payments" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Table
        label="Payments"
        above={
          <Bar>
            <Tabs label="State" value={url.status ?? ""} tabs={TABS} onChange={(status) => setUrl({ status })}>
              <SavedViews at={at} {...views} />
            </Tabs>
            <Filters names={["money", "from", "to", "link", "contact"]}>
              <Choice
                name="money"
                label="Money"
                data={[
                  { value: "real", label: "Real" },
                  { value: "test", label: "Tests" },
                ]}
              />
              <FromTo />
            </Filters>
            <Export href={exportAddress(filter)} />
          </Bar>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `${payerOf(row)}, ${row.receipt_number}`}
        onOpen={(row) => go(`${at}/${row.id}`)}
        phone={(row) => (
          <Lines
            title={payerOf(row)}
            note={`${row.receipt_number}, ${methodOf(row)}`}
            end={<b>{money(row.amount_cents + row.tip_cents, row.currency)}</b>}
            endNote={<PaymentState payment={row} />}
          />
        )}
        empty={<None account={account} narrowed={Object.keys(filter).length > 1} />}
      />
    </Page>
  );
}

function None({ account, narrowed }: { account: Account; narrowed: boolean }) {
  const go = useGo();
  if (narrowed)
    return (
      <Empty
        title="No payment matches"
        action={
          <Button variant="default" onClick={() => go(`/crm/${account.id}/payments`)}>
            Show all
          </Button>
        }
      >
        No payment is in this state, or arrived on these days.
      </Empty>
    );
  return (
    <Empty
      title="No money has arrived yet"
      action={<Button onClick={() => go(`/crm/${account.id}/payment-links?new=yes`)}>New payment link</Button>}
    >
      What customers pay by links, and what you record by hand, stands here with its receipt.
    </Empty>
  );
}
