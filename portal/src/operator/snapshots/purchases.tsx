import { PurchaseState, priceText, snapshotColumn } from "../../features/snapshots/marketplace/words.tsx";
import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Filters } from "../../ui/filters.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Money } from "../../ui/money.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { PartnerChoice } from "../partners/choice.tsx";
import {
  type Purchase,
  type PurchaseFilter,
  type PurchaseStatus,
  purchasesExport,
  purchasesRequest,
  usePurchases,
} from "./data.ts";
import { OnePurchase } from "./purchase.tsx";

const TABS = [
  { value: "", name: "Due" },
  { value: "completed", name: "Completed" },
  { value: "cancelled", name: "Cancelled" },
  { value: "all", name: "All" },
];

const COLUMNS: readonly Column<Purchase>[] = [
  snapshotColumn,
  {
    key: "buyer",
    head: "Buyer",
    width: "minmax(120px, 1fr)",
    cell: (row) => <span className="soft cut">{row.buyer_company}</span>,
  },
  {
    key: "seller",
    head: "Seller",
    width: "minmax(120px, 1fr)",
    from: 760,
    cell: (row) => <span className="soft cut">{row.seller_company}</span>,
  },
  { key: "state", head: "State", width: "104px", cell: (row) => <PurchaseState purchase={row} /> },
  {
    key: "share",
    head: "Seller gets",
    width: "92px",
    end: true,
    from: 900,
    cell: (row) => (
      <span className="muted">
        <Money cents={row.seller_share_cents} currency={row.currency} />
      </span>
    ),
  },
  { key: "price", head: "Price", width: "92px", end: true, cell: (row) => <b className="strong">{priceText(row)}</b> },
  whenColumn<Purchase>({ key: "created", head: "When", at: (row) => row.created_at }),
];

const filterOf = ({ state, partner, snapshot }: Readonly<Record<string, string | undefined>>): PurchaseFilter => ({
  ...(state === "all" ? {} : { status: [(state || "due") as PurchaseStatus] }),
  ...(partner ? { partner_id: partner } : {}),
  ...(snapshot ? { snapshot_id: snapshot } : {}),
});

/** Whose price do I wait for? */
export default function Purchases() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = usePurchases(filter);
  return (
    <Page title="Purchases" fill api={purchasesRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
        <Filters names={["partner", "snapshot"]}>
          <PartnerChoice
            label="Buyer"
            comboboxProps={{ withinPortal: false }}
            value={url.partner ?? null}
            onChange={(partner) => setUrl({ partner: partner ?? undefined })}
          />
        </Filters>
        <Export href={purchasesExport(filter)} />
      </Bar>
      <Table
        label="Purchases"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.snapshot_name}, ${row.buyer_company}`}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        phone={(row) => (
          <Lines
            title={row.snapshot_name}
            note={row.buyer_company}
            end={<b>{priceText(row)}</b>}
            endNote={<PurchaseState purchase={row} />}
          />
        )}
        empty={
          url.state || url.partner || url.snapshot ? (
            <Empty title="No purchase matches">Nothing was bought like this.</Empty>
          ) : (
            <Empty title="Nothing is due">
              When a partner buys a snapshot at a price, the purchase waits here until you have its money. Then the buyer gets the
              snapshot, and the seller its share as a commission.
            </Empty>
          )
        }
      />
      {url.open && <OnePurchase key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}
