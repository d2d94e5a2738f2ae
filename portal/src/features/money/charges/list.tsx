import { Button } from "@mantine/core";
import { useState } from "react";
import { useViews } from "../../../api/views.ts";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { daysWithin } from "../../../ui/days.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Money, money } from "../../../ui/money.tsx";
import { Monogram, Named } from "../../../ui/monogram.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { When, whenColumn } from "../../../ui/when.tsx";
import { useClientOptions } from "../../clients/data.ts";
import { type Charge, type ChargeFilter, exportAddress, listRequest, type Outcome, useCharges } from "./data.ts";
import { OneCharge } from "./one.tsx";
import { ChargeOutcome, forMonths } from "./words.tsx";

type Url = Readonly<Record<string, string | undefined>>;

const TABS = [
  { value: "", name: "All" },
  { value: "earned", name: "Earned" },
  { value: "no_sale", name: "No sale" },
  { value: "outside_window", name: "After the term" },
  { value: "zero", name: "Nothing paid" },
];

const COLUMNS: readonly Column<Charge>[] = [
  {
    key: "client",
    head: "Client",
    width: "minmax(180px, 1.2fr)",
    cell: (row) => <Named mark={<Monogram name={row.client_company} />} name={row.client_company} />,
  },
  { key: "for", head: "For", width: "minmax(110px, .8fr)", cell: (row) => <span className="soft">{forMonths(row)}</span> },
  { key: "outcome", head: "Outcome", width: "minmax(120px, .7fr)", from: 640, cell: (row) => <ChargeOutcome row={row} /> },
  {
    key: "reference",
    head: "Reference",
    width: "minmax(160px, 1.1fr)",
    from: 900,
    cell: (row) => <span className="mono muted">{row.external_id}</span>,
  },
  {
    key: "refunded",
    head: "Refunded",
    width: "96px",
    end: true,
    from: 760,
    cell: (row) =>
      row.refunded_cents > 0 && (
        <span className="soft">
          <Money cents={-row.refunded_cents} currency={row.currency} />
        </span>
      ),
  },
  {
    key: "amount",
    head: "Paid",
    width: "104px",
    end: true,
    cell: (row) => (
      <span className="strong">
        <Money cents={row.amount_cents} currency={row.currency} />
      </span>
    ),
  },
  whenColumn({ key: "charged", head: "Charged", at: (row) => row.charged_at, as: "day" }),
];

function filterOf(url: Url): ChargeFilter {
  const { outcome, client } = url;
  return {
    ...(TABS.some(({ value }) => value !== "" && value === outcome) ? { outcome: outcome as Outcome } : {}),
    ...(/^cli_[0-9a-z]{26}$/.test(client ?? "") ? { client_id: client ?? "" } : {}),
    ...daysWithin("charged", url),
  };
}

/** What did my clients pay, and did it earn? */
export default function ChargeList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useCharges(filter);
  const views = useViews("charges");
  const go = useGo();
  const narrowed = Object.keys(filter).length > 0;
  return (
    <Page title="Charges" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="Outcome" value={filter.outcome ?? ""} tabs={TABS} onChange={(outcome) => setUrl({ outcome })}>
          <SavedViews at="/earn/charges" {...views} />
        </Tabs>
        <MoreFilters client={url.client} />
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Charges"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.client_company}, ${money(row.amount_cents, row.currency)}`}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        open={url.open}
        phone={(row) => (
          <Lines
            mark={<Monogram name={row.client_company} size={32} />}
            title={row.client_company}
            note={
              <>
                <ChargeOutcome row={row} /> {forMonths(row)}
              </>
            }
            end={
              <b>
                <Money cents={row.amount_cents} currency={row.currency} />
              </b>
            }
            endNote={<When at={row.charged_at} as="day" />}
          />
        )}
        empty={
          narrowed ? (
            <Empty
              title="No charge matches"
              action={
                <Button variant="default" onClick={() => go("/earn/charges")}>
                  Show all
                </Button>
              }
            >
              No client paid anything of this kind in this time.
            </Empty>
          ) : (
            <Empty title="No charges yet">
              The operator reports what your clients pay. Each charge of a client that you have won then stands here, with what it
              earned you.
            </Empty>
          )
        }
      />
      {url.open && <OneCharge key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function MoreFilters({ client }: { client: string | undefined }) {
  const [text, setText] = useState("");
  const clients = useClientOptions(text, client ? [client] : []);
  return (
    <Filters names={["client", "from", "to"]}>
      <Choice name="client" label="Client" data={clients} search={[text, setText]} />
      <FromTo />
    </Filters>
  );
}
