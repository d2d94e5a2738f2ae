import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { Bar, Export } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { useGo } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { exportHref, useCharges } from "../money/charges/data.ts";
import { ChargeLines, columns } from "../money/charges/list.tsx";
import { useCommissions } from "../money/commissions/data.ts";
import { CommissionTable, filterOf } from "../money/commissions/table.tsx";
import { useEntries } from "../money/ledger/data.ts";
import { Entries, entryFilter } from "../money/ledger/entries.tsx";
import type { Partner } from "./data.ts";

/** The commissions of one partner. */
export function PartnerCommissions({ partner }: { partner: Partner }) {
  const [url] = useUrl();
  const filter = filterOf({ ...url, partner: partner.id });
  return <CommissionTable own filter={filter} list={useCommissions(filter)} />;
}

/** What its clients paid. */
export function PartnerCharges({ partner }: { partner: Partner }) {
  const filter = { partner_id: partner.id };
  const list = useCharges(filter);
  const go = useGo();
  const report = () => go(`/charges?partner=${partner.id}&new=yes`);
  return (
    <>
      <Bar>
        <div style={{ marginRight: "auto" }}>
          <Button variant="default" leftSection={<Plus />} onClick={report}>
            Report a charge
          </Button>
        </div>
        <Export href={exportHref(filter)} />
      </Bar>
      <Table
        label="Charges"
        columns={columns(null)}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.client_company}, ${money(row.amount_cents, row.currency)}`}
        onOpen={(row) => go(`/charges/${row.id}`)}
        phone={(row) => <ChargeLines row={row} />}
        empty={
          <Empty title="None of its clients has paid yet" action={<Button onClick={report}>Report a charge</Button>}>
            What clients pay is what the partner earns from.
          </Empty>
        }
      />
    </>
  );
}

/** Every transfer of its book. */
export function PartnerLedger({ partner }: { partner: Partner }) {
  const [url] = useUrl();
  const filter = entryFilter(url);
  return <Entries partner_id={partner.id} filter={filter} list={useEntries(partner.id, filter)} />;
}
