import { Button } from "@mantine/core";
import { useState } from "react";
import { CURRENCIES } from "../../ui/amount.tsx";
import { Blocker } from "../../ui/answer.tsx";
import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Choice, Filters, FromTo } from "../../ui/filters.tsx";
import { useGo } from "../../ui/link.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { PartnerChoice } from "../partners/choice.tsx";
import { Chosen } from "./chosen.tsx";
import { exportHref, listRequest, usePayouts } from "./data.ts";
import { OutcomesFile } from "./outcomes.tsx";
import classes from "./payouts.module.css";
import { columns, filterOf, PayoutLines, STATUS_TABS } from "./table.tsx";
import { plural, totalsOf, totalsText } from "./words.tsx";

/** The payouts of all partners: what failed comes first. */
export default function PayoutList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = usePayouts(filter);
  const go = useGo();
  const [ids, setIds] = useState<readonly string[]>([]);
  return (
    <Page
      title="Payouts"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} />}
      actions={
        <Button variant="default" onClick={() => setUrl({ do: "outcomes" }, true)}>
          Report outcomes…
        </Button>
      }
      phoneAction={
        <Button variant="default" onClick={() => setUrl({ do: "outcomes" }, true)}>
          Report outcomes…
        </Button>
      }
    >
      <Bar>
        <Tabs
          label="State"
          value={url.status ?? ""}
          tabs={STATUS_TABS}
          onChange={(status) => {
            setIds([]);
            setUrl({ status });
          }}
        />
        <Narrow />
        <Export href={exportHref(filter)} />
      </Bar>
      <Table
        label="Payouts"
        columns={columns(true)}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.partner_company}, ${row.statement_number}`}
        onOpen={(row) => go(`/payouts/${row.id}`)}
        selection={{ ids, set: setIds, phone: true }}
        phone={(row) => <PayoutLines row={row} />}
        {...(url.status ? {} : { above: <FailedOnes /> })}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty
              title="No payout matches"
              action={
                <Button variant="default" onClick={() => go("/payouts")}>
                  Show all
                </Button>
              }
            >
              {url.status === "failed" ? "Nothing failed that is still owed." : "Other states and partners have the rest."}
            </Empty>
          ) : (
            <Empty title="No payout yet" action={<Button onClick={() => go("/payout-runs/new")}>Preview a run</Button>}>
              A run schedules one payout for each partner and currency with approved commissions.
            </Empty>
          )
        }
      />
      <Chosen chosen={list.rows.filter(({ id }) => ids.includes(id))} clear={() => setIds([])} />
      {url.do === "outcomes" && <OutcomesFile known={list.rows} close={() => setUrl({ do: undefined })} />}
    </Page>
  );
}

/** What failed is still owed, and waits for the operator. */
function FailedOnes() {
  const [, setUrl] = useUrl();
  const { rows, more } = usePayouts({ status: ["failed"] });
  if (rows.length === 0) return null;
  return (
    <div className={classes.note}>
      <Blocker
        tone="bad"
        title={more ? `${rows.length}+ payouts failed` : `${plural(rows.length, "payout")} failed`}
        action={
          <Button variant="default" onClick={() => setUrl({ status: "failed" })}>
            Mend {rows.length === 1 ? "it" : "them"}
          </Button>
        }
      >
        {!more && `Still owed: ${totalsText(totalsOf(rows))}. `}Try again with the payout method of now, or cancel.
      </Blocker>
    </div>
  );
}

function Narrow() {
  const [url, setUrl] = useUrl();
  return (
    <Filters names={["partner", "currency", "from", "to"]}>
      <PartnerChoice
        label="Partner"
        placeholder="Any"
        comboboxProps={{ withinPortal: false }}
        value={url.partner ?? null}
        onChange={(id) => setUrl({ partner: id ?? undefined })}
      />
      <Choice name="currency" label="Currency" data={CURRENCIES} />
      <FromTo />
    </Filters>
  );
}
