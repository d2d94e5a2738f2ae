import { Button } from "@mantine/core";
import { Bar, Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { countsText } from "../words.tsx";
import { type Offer, type OfferFilter, offersRequest, useOffers } from "./data.ts";
import { OfferState, priceText } from "./words.tsx";

const TABS: readonly { value: string; name: string; filter: OfferFilter }[] = [
  { value: "", name: "All", filter: {} },
  { value: "free", name: "Free", filter: { free: true } },
  { value: "priced", name: "With a price", filter: { free: false } },
];

const COLUMNS: readonly Column<Offer>[] = [
  {
    key: "name",
    head: "Name",
    width: "minmax(180px, 1.6fr)",
    cell: (row) => (
      <span className="cut">
        <b className="strong">{row.name}</b> <span className="muted">{row.description}</span>
      </span>
    ),
  },
  {
    key: "seller",
    head: "By",
    width: "minmax(110px, 0.7fr)",
    cell: (row) => <span className="soft cut">{row.seller_company}</span>,
  },
  {
    key: "contains",
    head: "Contains",
    width: "minmax(160px, 1.2fr)",
    from: 900,
    cell: (row) => <span className="soft cut">{row.asset_counts && countsText(row.asset_counts)}</span>,
  },
  {
    key: "version",
    head: "Version",
    width: "60px",
    from: 760,
    cell: (row) => <span className="muted">v{row.latest_version}</span>,
  },
  { key: "state", head: "State", width: "108px", cell: (row) => <OfferState offer={row} /> },
  { key: "price", head: "Price", width: "88px", end: true, cell: (row) => <b className="strong">{priceText(row)}</b> },
];

/** What do other partners offer? */
export default function Marketplace() {
  const [url, setUrl] = useUrl();
  const tab = TABS.find(({ value }) => value === (url.show ?? "")) ?? TABS[0];
  const filter: OfferFilter = { ...tab?.filter, ...(url.q ? { q: url.q } : {}) };
  const list = useOffers(filter);
  const go = useGo();
  return (
    <Page
      title="Marketplace"
      fill
      api={offersRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      actions={
        <Button variant="default" onClick={() => go("/snapshots/purchases")}>
          Purchases
        </Button>
      }
    >
      <Table
        label="Offers"
        above={
          <Bar>
            <Tabs label="Price" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
            <Filter label="Search by name and description" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
          </Bar>
        }
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        onOpen={(row) => go(`/snapshots/marketplace/${row.id}`)}
        phone={(row) => (
          <Lines title={row.name} note={row.seller_company} end={<b>{priceText(row)}</b>} endNote={<OfferState offer={row} />} />
        )}
        empty={<None narrowed={Object.keys(filter).length > 0} />}
      />
    </Page>
  );
}

function None({ narrowed }: { narrowed: boolean }) {
  const go = useGo();
  if (narrowed) {
    return (
      <Empty
        title="No offer matches"
        action={
          <Button variant="default" onClick={() => go("/snapshots/marketplace")}>
            Show all offers
          </Button>
        }
      >
        Nothing on the marketplace has this text, or such a price.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is offered yet" action={<Button onClick={() => go("/snapshots?show=own")}>Offer one of yours</Button>}>
      Partners offer their snapshots here, free or at a price. What you get stands in your catalogue, with every later version,
      and is deployed like your own.
    </Empty>
  );
}
