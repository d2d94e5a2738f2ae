import { ListingState, priceText } from "../../features/snapshots/marketplace/words.tsx";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { type Listing, type ListingFilter, listingsRequest, type Review, useListings } from "./data.ts";
import { ReviewListing } from "./review.tsx";

const TABS = [
  { value: "", name: "Waiting" },
  { value: "approved", name: "Listed" },
  { value: "rejected", name: "Refused" },
  { value: "all", name: "All" },
];

const COLUMNS: readonly Column<Listing>[] = [
  {
    key: "name",
    head: "Snapshot",
    width: "minmax(180px, 1.6fr)",
    cell: (row) => (
      <span className="cut">
        <b className="strong">{row.submitted_name}</b> <span className="muted">{row.submitted_description}</span>
      </span>
    ),
  },
  {
    key: "seller",
    head: "Partner",
    width: "minmax(130px, 1fr)",
    cell: (row) => <span className="soft cut">{row.seller_company}</span>,
  },
  { key: "state", head: "State", width: "150px", cell: (row) => <ListingState listing={row} /> },
  {
    key: "listed",
    head: "Listed now",
    width: "84px",
    from: 860,
    cell: (row) => <span className="muted">{row.listed_version === null ? "nothing" : `v${row.listed_version}`}</span>,
  },
  { key: "price", head: "Price", width: "92px", end: true, cell: (row) => <span className="strong">{priceText(row)}</span> },
  whenColumn<Listing>({ key: "submitted", head: "Submitted", at: (row) => row.submitted_at }),
];

const filterOf = ({ state, partner }: Readonly<Record<string, string | undefined>>): ListingFilter => ({
  ...(state === "all" ? {} : { review: [(state || "pending") as Review] }),
  ...(partner ? { partner_id: partner } : {}),
});

/** What do partners want to offer? */
export default function Listings() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useListings(filter);
  return (
    <Page title="Marketplace" fill api={listingsRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="Review" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
      </Bar>
      <Table
        label="Offers"
        columns={COLUMNS}
        list={list}
        id={(row) => row.snapshot_id}
        name={(row) => row.submitted_name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.snapshot_id }, true)}
        phone={(row) => (
          <Lines
            title={row.submitted_name}
            note={row.seller_company}
            end={<b>{priceText(row)}</b>}
            endNote={<ListingState listing={row} />}
          />
        )}
        empty={
          url.state ? (
            <Empty title="None in this state">Offers of partners appear here once they are submitted.</Empty>
          ) : (
            <Empty title="Nothing waits for you">
              Snapshots that partners want to offer to each other appear here, the oldest first: each version, and each new name
              or description. Whether they need a review at all is a setting of the programme.
            </Empty>
          )
        }
      />
      {url.open && <ReviewListing key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}
