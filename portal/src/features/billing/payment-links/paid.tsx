import { Brief, Listed } from "../../../ui/brief.tsx";
import { Link } from "../../../ui/link.tsx";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import type { Account } from "../../crm/records/data.ts";
import { usePayments } from "../payments/data.ts";
import { methodOf, STATUSES } from "../payments/words.tsx";
import type { PaymentLink } from "./data.ts";

/** The money that came by a link, each with its receipt. */
export function LinkPayments({ account, link }: { account: Account; link: PaymentLink }) {
  const list = usePayments({ account_id: account.id, payment_link_id: link.id });
  return (
    <Section
      title="Payments"
      aside={
        list.more && (
          <Link className="link" to={`/crm/${account.id}/payments?link=${link.id}`}>
            All payments
          </Link>
        )
      }
    >
      <Listed list={list} what="payments" none="None has arrived yet.">
        {(rows) => (
          <Brief
            lines={rows.map((row) => ({
              id: row.id,
              to: `/crm/${account.id}/payments/${row.id}`,
              what: row.receipt_number,
              note: `${methodOf(row)}, ${STATUSES[row.status].name}${row.flag ? `, ${row.flag}` : ""}`,
              amount: money(row.amount_cents + row.tip_cents, row.currency),
              at: row.paid_at,
            }))}
          />
        )}
      </Listed>
    </Section>
  );
}
