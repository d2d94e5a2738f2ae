import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { useCharges } from "../money/charges/data.ts";
import classes from "./clients.module.css";

const SHOWN_MAX = 5;
const OUTCOMES = { earned: "earned", no_sale: "no sale", outside_window: "after the term", zero: "nothing paid" };

/** What the client paid last, and whether it earned. */
export function ClientCharges({ id }: { id: string }) {
  const session = useSession();
  const may = useMay()("commissions:read") && isPartnerWide(session);
  const { rows, loading, error, retry } = useCharges({ client_id: id }, may);
  if (!may) return null;
  return (
    <Section
      title="Charges"
      aside={
        rows.length > 0 && (
          <Link className="link" to={`/earn/charges?client=${id}`}>
            All charges
          </Link>
        )
      }
    >
      {error ? (
        <Failure small title="The charges did not load" error={error} retry={retry} />
      ) : loading ? (
        <Loading rows={2} />
      ) : rows.length === 0 ? (
        <p className="muted">None has been reported yet.</p>
      ) : (
        <ul className={classes.charges}>
          {rows.slice(0, SHOWN_MAX).map((row) => (
            <li key={row.id}>
              <Link to={`/earn/charges?client=${id}&open=${row.id}`}>
                <b>
                  <Money cents={row.amount_cents} currency={row.currency} />
                </b>
              </Link>
              <span className="muted cut">
                {OUTCOMES[row.outcome]}
                {row.refunded_cents > 0 && (
                  <>
                    , <Money cents={row.refunded_cents} currency={row.currency} /> refunded
                  </>
                )}
              </span>
              <When at={row.charged_at} as="day" muted />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
