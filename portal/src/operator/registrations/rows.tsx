import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money } from "../../ui/money.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { useRegistrations } from "./data.ts";
import { RegistrationState } from "./status.tsx";

const SHOWN = 8;

/** The latest registrations of a partner. */
export function RegistrationRows({ partner_id }: { partner_id: string }) {
  const { rows, loading, error, retry } = useRegistrations({ partner_id, sort: "-created_at" });
  if (error) return <Failure small title="The registrations did not load" error={error} retry={retry} />;
  if (loading) return <Loading rows={4} />;
  if (rows.length === 0) return <p className="muted">It has not registered a sale yet.</p>;
  return (
    <ul className={classes.rows}>
      {rows.slice(0, SHOWN).map((row) => (
        <li key={row.deal_id}>
          <span className="cut">
            <Link className="link" to={`/registrations?state=all&open=${row.deal_id}`}>
              <b>{row.company ?? row.company_domain ?? "No company"}</b>
            </Link>{" "}
            <span className="muted">
              {row.stage}, <When at={row.submitted_at} />
            </span>
          </span>
          <span className="num">{row.mrr_cents !== null && <Money cents={row.mrr_cents} currency={row.currency} />}</span>
          <RegistrationState registration={row} />
        </li>
      ))}
    </ul>
  );
}
