import { Button, Select, Skeleton } from "@mantine/core";
import type { List } from "../../../api/lists.ts";
import { useMay } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Amounts, money, sums } from "../../../ui/money.tsx";
import { curl, Loaded, newAction, Page } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { exportAddress, type LinkFilter, type LinkStatus, listRequest, type PaymentLink, usePaymentLinks } from "./data.ts";
import { CreateLink } from "./form.tsx";
import classes from "./links.module.css";
import { customerOf, isOpen, LinkState, paidText, STATUSES, shareOf } from "./words.tsx";

const TABS: readonly { value: LinkStatus | ""; name: string }[] = [
  { value: "", name: "All" },
  { value: "active", name: "Active" },
  { value: "partially_paid", name: "Part paid" },
  { value: "paid", name: "Paid" },
  { value: "expired", name: "Expired" },
];

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    key: "customer",
    head: "Customer",
    width: "minmax(130px, 1fr)",
    cell: (row) => <b className="strong cut">{customerOf(row)}</b>,
  },
  {
    key: "for",
    head: "For",
    width: "minmax(120px, 1.2fr)",
    from: 720,
    cell: (row) => <span className="soft cut">{row.description ?? row.reference}</span>,
  },
  { key: "state", head: "State", width: "96px", cell: (row) => <LinkState link={row} /> },
  {
    key: "paid",
    head: "Paid",
    width: "minmax(190px, 1fr)",
    from: 880,
    cell: (row) => (
      <span className={classes.bar}>
        <Progress label={`Paid by ${customerOf(row)}`} value={shareOf(row)} />
        <span className="muted num">{Math.floor(shareOf(row) * 100)}%</span>
      </span>
    ),
  },
  {
    key: "amount",
    head: "Amount",
    width: "112px",
    end: true,
    cell: (row) => <b className="strong num">{money(row.total_cents, row.currency)}</b>,
  },
  {
    key: "due",
    head: "Due",
    width: "80px",
    end: true,
    from: 980,
    cell: (row) => <span className="muted">{row.due_on && day(row.due_on)}</span>,
  },
  whenColumn({ key: "created", head: "Created", from: 560, at: (row) => row.created_at }),
  {
    key: "copy",
    head: "",
    width: "30px",
    from: 560,
    cell: (row) => (
      // biome-ignore lint/a11y/noStaticElementInteractions: only keeps clicks from the row around it
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys do not reach the row either
      <span onClick={(event) => event.stopPropagation()}>
        <Copy text={row.url} label={`Copy the link for ${customerOf(row)}`} />
      </span>
    ),
  },
];

type Url = Readonly<Record<string, string | undefined>>;

function filterOf(account: Account, { status, contact, deal, from, to }: Url): LinkFilter {
  return {
    account_id: account.id,
    ...(status && status in STATUSES ? { status: status as LinkStatus } : {}),
    ...(contact ? { contact_id: contact } : {}),
    ...(deal ? { deal_id: deal } : {}),
    ...daysWithin("created", { from, to }),
  };
}

export default function PaymentLinksPage() {
  return <InAccount title="Payment links">{(account) => <LinkList key={account.id} account={account} />}</InAccount>;
}

/** Who still has to pay? */
function LinkList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const filter = filterOf(account, url);
  const list = usePaymentLinks(filter);
  const views = useViews("payment-links", account.id);
  const go = useGo();
  const writes = useMay()("billing:write") && account.readOnly === null;
  const at = `/crm/${account.id}/payment-links`;
  const create = () => setUrl({ new: "yes" }, true);
  const narrowed = Object.keys(filter).length > 1;
  return (
    <Page
      title="Payment links"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New payment link", writes && create)}
    >
      <ReadOnly account={account} />
      <Table
        label="Payment links"
        above={
          <>
            {!narrowed && <Headline list={list} />}
            <Bar>
              <Tabs label="State" value={url.status ?? ""} tabs={TABS} onChange={(status) => setUrl({ status })}>
                <SavedViews at={at} {...views} />
              </Tabs>
              <Filters names={["status", "from", "to", "contact", "deal"]}>
                <Select
                  label="State"
                  placeholder="Any"
                  clearable
                  comboboxProps={{ withinPortal: false }}
                  data={Object.entries(STATUSES).map(([value, { name }]) => ({ value, label: name }))}
                  value={url.status ?? null}
                  onChange={(status) => setUrl({ status: status ?? undefined })}
                />
                <FromTo />
              </Filters>
              <Export href={exportAddress(filter)} />
            </Bar>
          </>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={customerOf}
        onOpen={(row) => go(`${at}/${row.id}`)}
        keys={{ c: (row) => void navigator.clipboard.writeText(row.url) }}
        phone={(row) => (
          <Lines
            title={customerOf(row)}
            note={row.description ?? paidText(row)}
            end={<b>{money(row.total_cents, row.currency)}</b>}
            endNote={<LinkState link={row} />}
          />
        )}
        empty={<None account={account} narrowed={narrowed} create={writes ? create : undefined} />}
      />
      {writes && url.new === "yes" && <CreateLink account={account} close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

/** The answer, as long as all links are loaded: a sum of some would be wrong. */
function Headline({ list: { rows, loading, more } }: { list: List<PaymentLink> }) {
  if (loading)
    return (
      <div className={classes.headline}>
        <Skeleton height={20} width={420} maw="100%" />
      </div>
    );
  if (rows.length === 0 || more) return null;
  const open = rows.filter((row) => isOpen(row) && row.usage === "single");
  const due = sums(open.map(({ amount_due_cents, currency }) => ({ amount_cents: amount_due_cents, currency })));
  const late = open.filter(({ due_on }) => due_on !== null && due_on < new Date().toISOString().slice(0, 10)).length;
  return (
    <div className={classes.headline}>
      <Answer
        sub={
          open.length > 0 && (
            <span>
              {open.length === 1 ? "By 1 link" : `By ${open.length} links`}
              {late > 0 && `; ${late} ${late === 1 ? "is" : "are"} past the day when it was due`}
            </span>
          )
        }
      >
        {open.length === 0 ? (
          "Nothing is outstanding"
        ) : (
          <>
            <Amounts amounts={due} /> is still to be paid
          </>
        )}
      </Answer>
    </div>
  );
}

type NoneProps = { account: Account; narrowed: boolean; create: (() => void) | undefined };

function None({ account, narrowed, create }: NoneProps) {
  const go = useGo();
  if (narrowed)
    return (
      <Empty
        title="No link matches"
        action={
          <Button variant="default" onClick={() => go(`/crm/${account.id}/payment-links`)}>
            Show all
          </Button>
        }
      >
        No link is in this state, or was created on these days.
      </Empty>
    );
  return (
    <Empty
      title="Ask for your first payment"
      action={create && <Button onClick={create}>New payment link</Button>}
      curl={curl("POST /v1/billing/payment-link", {
        account_id: account.id,
        customer: { name: "Ada Okafor", email: "ada@harbour.example" },
        amount_cents: 14_280,
        description: "Invoice 2026-118",
      })}
    >
      A payment link is a page on which a customer of {account.company} pays, in full or in parts, in their language. You see here
      who has paid, and who has not.
    </Empty>
  );
}
