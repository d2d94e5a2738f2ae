import { useMay } from "../../api/session.ts";
import { Brief, Listed } from "../../ui/brief.tsx";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { usePayments } from "../billing/payments/data.ts";

const SHOWN_MAX = 5;

/** What the customers of the client paid last. */
export function ClientPayments({ id }: { id: string }) {
  const may = useMay()("billing:read");
  const list = usePayments({ account_id: id }, may);
  if (!may) return null;
  return (
    <Section
      title="Payments of its customers"
      aside={
        list.rows.length > 0 && (
          <Link className="link" to={`/crm/${id}/payments`}>
            All payments
          </Link>
        )
      }
    >
      <Listed list={list} what="payments" none="None has arrived yet.">
        {(rows) => (
          <Brief
            lines={rows.slice(0, SHOWN_MAX).map((row) => ({
              id: row.id,
              to: `/crm/${id}/payments/${row.id}`,
              what: money(row.amount_cents + row.tip_cents, row.currency),
              note: row.payer.name ?? row.receipt_number,
              at: row.paid_at,
            }))}
          />
        )}
      </Listed>
    </Section>
  );
}
