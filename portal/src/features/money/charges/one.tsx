import { useMay } from "../../../api/session.ts";
import { Brief, Listed } from "../../../ui/brief.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { amountsText, Money, money, sums } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import { useCommissions } from "../commissions/data.ts";
import { whatOf } from "../commissions/words.tsx";
import classes from "./charges.module.css";
import { type ChargeDetail, useCharge } from "./data.ts";
import { earnedBy, wonBefore } from "./earned.ts";
import { ChargeOutcome, forMonths, meaningOf } from "./words.tsx";

/** A charge, what it earned, and what the client got back. */
export function OneCharge({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = useCharge(id);
  return (
    <Panel title={<Id>{id}</Id>} close={close}>
      {data ? (
        <div className={classes.view}>
          <About charge={data} />
          <Earned charge={data} />
          {data.refunds.length > 0 && <Refunds charge={data} />}
        </div>
      ) : error ? (
        <Failure title="The charge did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

function About({ charge }: { charge: ChargeDetail }) {
  const may = useMay();
  return (
    <>
      <div>
        <h3 className={classes.name}>
          {charge.client_company} paid <Money cents={charge.amount_cents} currency={charge.currency} />
        </h3>
        <p className="muted">{meaningOf(charge)}</p>
      </div>
      <Facts
        rows={[
          ["Outcome", <ChargeOutcome key="outcome" row={charge} />],
          ["For", forMonths(charge)],
          ["Charged", <When key="charged" at={charge.charged_at} as="day" />],
          [
            "Client",
            may("clients:read") ? (
              <Link key="client" className="link" to={`/clients/${charge.client_id}`}>
                Open the client
              </Link>
            ) : null,
          ],
          [
            "Deal",
            charge.deal_id && may("deals:read") ? (
              <Link key="deal" className="link" to={`/deals/${charge.deal_id}`}>
                Open the deal
              </Link>
            ) : null,
          ],
          [
            "Reference",
            <span key="reference" className="mono">
              {charge.external_id}
            </span>,
          ],
          ["Reported by", charge.source === "billing" ? "payment links" : "the operator"],
        ]}
      />
    </>
  );
}

function Earned({ charge }: { charge: ChargeDetail }) {
  const deal_id = wonBefore(charge);
  const wins = useCommissions({ ...(deal_id ? { deal_id } : {}), kind: "first", level: 0 }, deal_id !== null);
  const list = { ...wins, loading: wins.loading && deal_id !== null, rows: earnedBy(charge, wins.rows) };
  return (
    <Section title="What it earned" aside={list.rows.length > 1 && `together ${amountsText(sums(list.rows))}`}>
      <Listed list={list} what="commissions" none="Nothing.">
        {(rows) => (
          <Brief
            lines={rows.map((row) => ({
              id: row.id,
              to: `/earn/commissions/${row.id}`,
              what: whatOf(row),
              note: row.status,
              amount: money(row.amount_cents, row.currency),
              at: row.accrued_at,
            }))}
          />
        )}
      </Listed>
    </Section>
  );
}

function Refunds({ charge: { refunds, currency } }: { charge: ChargeDetail }) {
  return (
    <Section title="Refunded">
      <Brief
        lines={refunds.map(({ id, reason, external_id, applied_cents, refunded_at }) => ({
          id,
          what: reason ?? <span className="mono">{external_id}</span>,
          amount: money(-applied_cents, currency),
          at: refunded_at,
        }))}
      />
    </Section>
  );
}
