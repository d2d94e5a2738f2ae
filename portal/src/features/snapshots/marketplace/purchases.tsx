import { Button } from "@mantine/core";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { When, whenColumn } from "../../../ui/when.tsx";
import {
  type Purchase,
  type PurchaseFilter,
  type PurchaseStatus,
  purchasesExport,
  purchasesRequest,
  usePurchases,
} from "./data.ts";
import { PurchaseState, priceText, snapshotColumn } from "./words.tsx";

const TABS: readonly { value: string; name: string; filter: PurchaseFilter }[] = [
  { value: "", name: "All", filter: {} },
  { value: "bought", name: "Bought", filter: { role: "buyer" } },
  { value: "sold", name: "Sold", filter: { role: "seller" } },
];
const STATUSES = ["due", "completed", "cancelled"];

/** The seller does not learn who bought. */
const sideText = ({ role, seller_company }: Purchase) => (role === "buyer" ? `from ${seller_company}` : "to a partner");

const COLUMNS: readonly Column<Purchase>[] = [
  snapshotColumn,
  {
    key: "side",
    head: "Bought or sold",
    width: "minmax(150px, 1fr)",
    cell: (row) => (
      <span className="soft cut">
        {row.role === "buyer" ? "bought" : "sold"} {sideText(row)}
      </span>
    ),
  },
  { key: "state", head: "State", width: "110px", cell: (row) => <PurchaseState purchase={row} /> },
  {
    key: "share",
    head: "Your share",
    width: "96px",
    end: true,
    from: 760,
    cell: (row) => row.role === "seller" && <Money cents={row.seller_share_cents} currency={row.currency} />,
  },
  { key: "price", head: "Price", width: "96px", end: true, cell: (row) => <b className="strong">{priceText(row)}</b> },
  whenColumn<Purchase>({ key: "created", head: "When", at: (row) => row.created_at, as: "day" }),
];

function filterOf({ show, state, snapshot }: Readonly<Record<string, string | undefined>>): PurchaseFilter {
  return {
    ...TABS.find(({ value }) => value === (show ?? ""))?.filter,
    ...(state ? { status: [state as PurchaseStatus] } : {}),
    ...(snapshot ? { snapshot_id: snapshot } : {}),
  };
}

/** What was bought and sold, and what is still to be paid? */
export default function Purchases() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = usePurchases(filter);
  const go = useGo();
  return (
    <Page title="Purchases" fill api={purchasesRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Table
        label="Purchases"
        above={
          <Bar>
            <Tabs label="Side" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
            <Filters names={["state", "snapshot"]}>
              <Choice name="state" label="State" data={STATUSES} />
            </Filters>
            <Export href={purchasesExport(filter)} />
          </Bar>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.snapshot_name}
        onOpen={(row) => go(addressOf(row))}
        phone={(row) => (
          <Lines
            title={row.snapshot_name}
            note={
              <>
                <PurchaseState purchase={row} /> {sideText(row)}
              </>
            }
            end={<b>{priceText(row)}</b>}
            endNote={<When at={row.created_at} as="day" />}
          />
        )}
        empty={<None narrowed={Object.keys(filter).length > 0} />}
      />
    </Page>
  );
}

/** What a purchase is about: the earning, the snapshot, or the offer that is not paid yet. */
function addressOf({ role, status, commission_id, snapshot_id }: Purchase): string {
  if (commission_id !== null) return `/earn/commissions/${commission_id}`;
  return role === "seller" || status === "completed" ? `/snapshots/${snapshot_id}` : `/snapshots/marketplace/${snapshot_id}`;
}

function None({ narrowed }: { narrowed: boolean }) {
  const go = useGo();
  return narrowed ? (
    <Empty
      title="No purchase matches"
      action={
        <Button variant="default" onClick={() => go("/snapshots/purchases")}>
          Show all purchases
        </Button>
      }
    >
      Nothing was bought or sold like this.
    </Empty>
  ) : (
    <Empty
      title="Nothing bought or sold yet"
      action={<Button onClick={() => go("/snapshots/marketplace")}>Look at the marketplace</Button>}
    >
      Snapshots that you get on the marketplace stand here, and those that others get from you. One with a price is due until the
      operator has it; your share of a sale is then a commission.
    </Empty>
  );
}
