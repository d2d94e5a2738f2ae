import { ActionIcon, Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { OUTCOMES } from "../../../features/money/charges/data.ts";
import { Bar, Export } from "../../../ui/bar.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { day, whenColumn } from "../../../ui/when.tsx";
import { PartnerChoice } from "../../partners/choice.tsx";
import { usePartnerNames } from "../../partners/data.ts";
import { BulkCharges } from "./bulk.tsx";
import { type Charge, type ChargeFilter, exportHref, listRequest, type Outcome, useCharges } from "./data.ts";
import { ReportCharge } from "./report.tsx";
import { OutcomeState } from "./words.tsx";

/** The columns of charges; those of one partner do without its name. */
export const columns = (nameOf: ((id: string) => string) | null): readonly Column<Charge>[] => [
  {
    key: "client",
    head: "Client",
    width: "minmax(150px, 1.3fr)",
    cell: (row) => <span className="strong cut">{row.client_company}</span>,
  },
  ...(nameOf === null
    ? []
    : [
        {
          key: "partner",
          head: "Partner",
          width: "minmax(120px, 1fr)",
          from: 620,
          cell: (row: Charge) => <span className="soft cut">{nameOf(row.partner_id)}</span>,
        },
      ]),
  { key: "outcome", head: "Outcome", width: "124px", cell: (row) => <OutcomeState charge={row} /> },
  { key: "plan", head: "Plan", width: "90px", from: 980, cell: (row) => <span className="soft cut">{row.plan}</span> },
  {
    key: "reference",
    head: "Reference",
    width: "minmax(130px, 1.7fr)",
    from: 1080,
    cell: (row) => <span className="mono muted cut">{row.external_id}</span>,
  },
  {
    key: "months",
    head: "Months",
    width: "60px",
    end: true,
    from: 860,
    cell: (row) => <span className="soft num">{row.months}</span>,
  },
  {
    key: "refunded",
    head: "Refunded",
    width: "96px",
    end: true,
    from: 760,
    cell: (row) => row.refunded_cents > 0 && <span className="soft num">{money(-row.refunded_cents, row.currency)}</span>,
  },
  {
    key: "amount",
    head: "Paid",
    width: "104px",
    end: true,
    cell: (row) => (
      <span className="strong num">
        <Money cents={row.amount_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "at", head: "On", at: (row) => row.charged_at, as: "day", width: "88px" }),
];

/** A charge on a phone, with its partner where there are several. */
export function ChargeLines({ row, partner }: { row: Charge; partner?: string | undefined }) {
  const refunded = row.refunded_cents > 0 ? `${money(row.refunded_cents, row.currency)} refunded` : null;
  return (
    <Lines
      title={row.client_company}
      note={[day(row.charged_at), refunded, partner].filter(Boolean).join(", ")}
      end={<Money cents={row.amount_cents} currency={row.currency} />}
      endNote={<OutcomeState charge={row} />}
    />
  );
}

type Url = Readonly<Record<string, string | undefined>>;

function filterOf(url: Url): ChargeFilter {
  const { partner, client, outcome } = url;
  return {
    ...(partner ? { partner_id: partner } : {}),
    ...(client ? { client_id: client } : {}),
    ...(outcome ? { outcome: [outcome as Outcome] } : {}),
    ...daysWithin("charged", url),
  };
}

export default function ChargeList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useCharges(filter);
  const names = usePartnerNames(list.rows.map(({ partner_id }) => partner_id));
  const go = useGo();
  const report = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Charges"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      actions={<Report one={report} several={() => setUrl({ new: "several" }, true)} />}
      phoneAction={
        <ActionIcon size={44} aria-label="Report a charge" onClick={report}>
          <Plus size={20} />
        </ActionIcon>
      }
    >
      <Bar>
        <div style={{ width: 240, marginRight: "auto" }}>
          <PartnerChoice
            aria-label="Partner"
            placeholder="All partners"
            value={url.partner ?? null}
            onChange={(id) => setUrl({ partner: id ?? undefined, client: undefined })}
          />
        </div>
        <MoreFilters />
        <Export href={exportHref(filter)} />
      </Bar>
      <Table
        label="Charges"
        columns={columns((id) => names.get(id) ?? "")}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.client_company}, ${money(row.amount_cents, row.currency)}`}
        onOpen={(row) => go(`/charges/${row.id}`)}
        phone={(row) => <ChargeLines row={row} partner={names.get(row.partner_id)} />}
        empty={<NoCharges filtered={Object.keys(filter).length > 0} report={report} />}
      />
      {url.new === "yes" && <ReportCharge partner_id={url.partner ?? null} close={() => setUrl({ new: undefined })} />}
      {url.new === "several" && <BulkCharges close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

function Report({ one, several }: { one(): void; several(): void }) {
  return (
    <>
      <Button variant="default" onClick={several}>
        Report several…
      </Button>
      <Button leftSection={<Plus />} onClick={one}>
        Report a charge
      </Button>
    </>
  );
}

function MoreFilters() {
  return (
    <Filters names={["outcome", "from", "to"]}>
      <Choice name="outcome" label="Outcome" data={Object.entries(OUTCOMES).map(([value, label]) => ({ value, label }))} />
      <FromTo />
    </Filters>
  );
}

function NoCharges({ filtered, report }: { filtered: boolean; report(): void }) {
  if (filtered) return <Empty title="No charge matches">What clients paid stands here as soon as it is reported.</Empty>;
  return (
    <Empty
      title="No client has paid yet"
      action={<Button onClick={report}>Report a charge</Button>}
      curl={curl("POST /v1/admin/clients/cli_…/charges", {
        external_id: "in_1001",
        amount_cents: 49900,
        currency: "usd",
        charged_at: "2026-11-01T09:00:00Z",
      })}
    >
      What clients pay is what partners earn from. Report each payment, without tax; your billing can do it by the API.
    </Empty>
  );
}
