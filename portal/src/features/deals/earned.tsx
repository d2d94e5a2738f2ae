import { useMay } from "../../api/session.ts";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { type Commission, useCommissions } from "../money/commissions/data.ts";
import type { Deal } from "./data.ts";
import classes from "./deals.module.css";

const SHOWN_MAX = 6;

const nameOf = ({ kind, reason_code }: Commission) => `${kind}${reason_code ? `, ${reason_code.replaceAll("_", " ")}` : ""}`;

/** What a sale earned. Deals of clients, and those that were never won, earn nothing. */
export function Earned({ deal }: { deal: Deal }) {
  const may = useMay()("commissions:read");
  return may && deal.sale && deal.client_id !== null ? <Rows deal={deal} /> : null;
}

function Rows({ deal }: { deal: Deal }) {
  const { rows, loading, error, more, retry } = useCommissions({ deal_id: deal.id });
  return (
    <Section
      title="What this sale earned"
      aside={
        (more || rows.length > SHOWN_MAX) && (
          <Link className="link" to={`/earn/commissions?deal=${deal.id}`}>
            All commissions
          </Link>
        )
      }
    >
      {error ? (
        <Failure small title="The commissions did not load" error={error} retry={retry} />
      ) : loading ? (
        <Loading rows={2} />
      ) : rows.length === 0 ? (
        <p className="muted">Nothing yet.</p>
      ) : (
        <ul className={classes.earned}>
          {rows.slice(0, SHOWN_MAX).map((row) => (
            <li key={row.id}>
              <Link to={`/earn/commissions/${row.id}`}>
                <b>{nameOf(row)}</b>
              </Link>
              <span className="muted">{row.status}</span>
              <span className="strong num">
                <Money cents={row.amount_cents} currency={row.currency} />
              </span>
              <When at={row.accrued_at} as="day" muted />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
