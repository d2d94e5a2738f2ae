import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Money } from "../../ui/money.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { listRequest, type Registration, type RegistrationFilter, type RegistrationStatus, useRegistrations } from "./data.ts";
import { Review } from "./review.tsx";
import { RegistrationState } from "./status.tsx";

const TABS = [
  { value: "", name: "Waiting" },
  { value: "needs_info", name: "Asked for more" },
  { value: "approved", name: "Approved" },
  { value: "rejected", name: "Rejected" },
  { value: "all", name: "All" },
];

const COLUMNS: readonly Column<Registration>[] = [
  {
    key: "company",
    head: "Company",
    width: "minmax(160px, 1.3fr)",
    cell: (row) => (
      <span className="cut">
        <span className="strong">{row.company ?? row.company_domain}</span>{" "}
        {row.company !== null && <span className="muted">{row.company_domain}</span>}
      </span>
    ),
  },
  {
    key: "partner",
    head: "Partner",
    width: "minmax(140px, 1fr)",
    cell: (row) => <span className="soft cut">{row.partner_company}</span>,
  },
  { key: "state", head: "State", width: "130px", cell: (row) => <RegistrationState registration={row} /> },
  { key: "stage", head: "Stage", width: "110px", from: 860, cell: (row) => <span className="soft cut">{row.stage}</span> },
  { key: "plan", head: "Plan", width: "90px", from: 980, cell: (row) => <span className="soft cut">{row.plan}</span> },
  {
    key: "mrr",
    head: "MRR",
    width: "96px",
    end: true,
    cell: (row) => (
      <span className="strong">{row.mrr_cents !== null && <Money cents={row.mrr_cents} currency={row.currency} />}</span>
    ),
  },
  whenColumn({ key: "waits", head: "Submitted", at: (row) => row.submitted_at }),
];

/** What waits is decided oldest first; everything else is looked up newest first. */
function filterOf({ state, partner }: Readonly<Record<string, string | undefined>>): RegistrationFilter {
  const status = state === "all" ? {} : { status: [(state || "submitted") as RegistrationStatus] };
  return { ...status, ...(partner ? { partner_id: partner } : {}), sort: state ? "-created_at" : "created_at" };
}

export default function RegistrationList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useRegistrations(filter);
  return (
    <Page title="Registrations" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
      </Bar>
      <Table
        label="Registrations"
        columns={COLUMNS}
        list={list}
        id={(row) => row.deal_id}
        name={(row) => row.company ?? row.deal_id}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.deal_id }, true)}
        phone={(row) => <RegistrationLines row={row} />}
        empty={
          url.state ? (
            <Empty title="None in this state">Registrations appear here as partners register their sales.</Empty>
          ) : (
            <Empty title="Nothing waits for you">
              Registrations that you have to decide on appear here, the oldest first. Whether they need a decision at all is a
              setting of the programme.
            </Empty>
          )
        }
      />
      {url.open && <Review key={url.open} deal_id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function RegistrationLines({ row }: { row: Registration }) {
  return (
    <Lines
      title={row.company ?? row.company_domain}
      note={row.partner_company}
      end={row.mrr_cents !== null && <Money cents={row.mrr_cents} currency={row.currency} />}
      endNote={<RegistrationState registration={row} />}
    />
  );
}
