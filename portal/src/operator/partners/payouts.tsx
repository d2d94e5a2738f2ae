import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { useGo } from "../../ui/link.tsx";
import { Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { exportHref, usePayouts } from "../payouts/data.ts";
import shared from "../payouts/payouts.module.css";
import { columns, filterOf, PayoutLines, STATUS_TABS } from "../payouts/table.tsx";
import type { Partner } from "./data.ts";
import { PayoutHold } from "./payout-hold.tsx";
import { PayoutMethod, SetPayoutMethod } from "./payout-method.tsx";

/** How a partner is paid, whether it is, and what it was paid. */
export function PartnerPayouts({ partner }: { partner: Partner }) {
  const [url, setUrl] = useUrl();
  const filter = { ...filterOf({ status: url.status }), partner_id: partner.id };
  const list = usePayouts(filter);
  const go = useGo();
  return (
    <>
      <Table
        label="Payouts"
        columns={columns(false)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.statement_number}
        onOpen={(row) => go(`/payouts/${row.id}`)}
        phone={(row) => <PayoutLines row={row} partner={false} />}
        above={
          <>
            <div className={shared.above}>
              <div className={shared.two}>
                <PayoutMethod partner={partner} edit={() => setUrl({ method: "set" }, true)} />
                <PayoutHold partner={partner} />
              </div>
            </div>
            <Bar>
              <Tabs label="State" value={url.status ?? ""} tabs={STATUS_TABS} onChange={(status) => setUrl({ status })} />
              <Export href={exportHref(filter)} />
            </Bar>
          </>
        }
        empty={
          <p className={shared.none}>
            {url.status
              ? "No payout is in this state."
              : "No payout yet. A run schedules one as soon as what is approved and due reaches the minimum."}
          </p>
        }
      />
      {url.method === "set" && <SetPayoutMethod partner={partner} close={() => setUrl({ method: undefined })} />}
    </>
  );
}
