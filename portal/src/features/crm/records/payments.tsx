import { useMay } from "../../../api/session.ts";
import { Brief } from "../../../ui/brief.tsx";
import { Link } from "../../../ui/link.tsx";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import { usePaymentLinks } from "../../billing/payment-links/data.ts";
import type { Account } from "./data.ts";

const SHOWN_MAX = 5;

/** What a person was asked to pay, and how that stands; nothing for those who were not asked. */
export function ContactPayments({ account, contact_id }: { account: Account; contact_id: string }) {
  const may = useMay()("billing:read");
  const { rows } = usePaymentLinks({ account_id: account.id, contact_id }, may);
  if (rows.length === 0) return null;
  return (
    <Section
      title="Payments"
      aside={
        rows.length > SHOWN_MAX && (
          <Link className="link" to={`/crm/${account.id}/payment-links?contact=${contact_id}`}>
            All
          </Link>
        )
      }
    >
      <Brief
        lines={rows.slice(0, SHOWN_MAX).map(({ id, description, status, total_cents, currency, created_at }) => ({
          id,
          to: `/crm/${account.id}/payment-links/${id}`,
          what: money(total_cents, currency),
          note: `${status.replace("_", " ")}${description === null ? "" : `, ${description}`}`,
          at: created_at,
        }))}
      />
    </Section>
  );
}
