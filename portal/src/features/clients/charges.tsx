import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Brief, Listed } from "../../ui/brief.tsx";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { type Charge, OUTCOMES, useCharges } from "../money/charges/data.ts";

const SHOWN_MAX = 5;

const noteOf = ({ outcome, refunded_cents, currency }: Charge) =>
  refunded_cents > 0 ? `${OUTCOMES[outcome]}, ${money(refunded_cents, currency)} refunded` : OUTCOMES[outcome];

/** What the client paid last, and whether it earned. */
export function ClientCharges({ id }: { id: string }) {
  const session = useSession();
  const may = useMay()("commissions:read") && isPartnerWide(session);
  const list = useCharges({ client_id: id }, may);
  if (!may) return null;
  return (
    <Section
      title="Charges"
      aside={
        list.rows.length > 0 && (
          <Link className="link" to={`/earn/charges?client=${id}`}>
            All charges
          </Link>
        )
      }
    >
      <Listed list={list} what="charges" none="None has been reported yet.">
        {(rows) => (
          <Brief
            lines={rows.slice(0, SHOWN_MAX).map((row) => ({
              id: row.id,
              to: `/earn/charges?client=${id}&open=${row.id}`,
              what: money(row.amount_cents, row.currency),
              note: noteOf(row),
              at: row.charged_at,
            }))}
          />
        )}
      </Listed>
    </Section>
  );
}
