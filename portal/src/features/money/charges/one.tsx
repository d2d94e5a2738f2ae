import { useMay } from "../../../api/session.ts";
import { Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import { useCommissions } from "../commissions/data.ts";
import classes from "./charges.module.css";
import type { Charge } from "./data.ts";
import { ChargeOutcome, forMonths, meaningOf } from "./words.tsx";

/** A charge and what it earned. The API gives charges as a list alone: one that is not loaded shows what it earned. */
export function OneCharge({ id, charge, close }: { id: string; charge: Charge | undefined; close(): void }) {
  return (
    <Panel title={<Id>{id}</Id>} close={close}>
      <div className={classes.view}>
        {charge && <About charge={charge} />}
        <Earned id={id} />
      </div>
    </Panel>
  );
}

function About({ charge }: { charge: Charge }) {
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
            "Refunded",
            charge.refunded_cents > 0 ? <Money key="refunded" cents={charge.refunded_cents} currency={charge.currency} /> : null,
          ],
          [
            "Client",
            may("clients:read") && (
              <Link key="client" className="link" to={`/clients/${charge.client_id}`}>
                Open the client
              </Link>
            ),
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

function Earned({ id }: { id: string }) {
  const { rows, loading, error, retry } = useCommissions({ charge_id: id });
  return (
    <Section title="What it earned">
      {error ? (
        <Failure small title="The commissions did not load" error={error} retry={retry} />
      ) : loading ? (
        <Loading rows={2} />
      ) : rows.length === 0 ? (
        <p className="muted">No commission names this charge.</p>
      ) : (
        <ul className={classes.earned}>
          {rows.map((row) => (
            <li key={row.id}>
              <Link to={`/earn/commissions/${row.id}`}>
                <b>{row.kind}</b> <span className="muted">{row.reason_code?.replaceAll("_", " ")}</span>
              </Link>
              <span className="muted">{row.status}</span>
              <span className="strong num">
                <Money cents={row.amount_cents} currency={row.currency} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
