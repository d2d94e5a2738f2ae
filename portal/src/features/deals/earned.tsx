import { useMay } from "../../api/session.ts";
import { Brief, Listed } from "../../ui/brief.tsx";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { type Commission, useCommissions } from "../money/commissions/data.ts";
import type { Deal } from "./data.ts";

const SHOWN_MAX = 6;

const nameOf = ({ kind, reason_code }: Commission) => `${kind}${reason_code ? `, ${reason_code.replaceAll("_", " ")}` : ""}`;

/** What a sale earned. Deals of clients, and those that were never won, earn nothing. */
export function Earned({ deal }: { deal: Deal }) {
  const may = useMay()("commissions:read");
  return may && deal.sale && deal.client_id !== null ? <Rows deal={deal} /> : null;
}

function Rows({ deal }: { deal: Deal }) {
  const list = useCommissions({ deal_id: deal.id });
  return (
    <Section
      title="What this sale earned"
      aside={
        (list.more || list.rows.length > SHOWN_MAX) && (
          <Link className="link" to={`/earn/commissions?deal=${deal.id}`}>
            All commissions
          </Link>
        )
      }
    >
      <Listed list={list} what="commissions" none="Nothing yet.">
        {(rows) => (
          <Brief
            lines={rows.slice(0, SHOWN_MAX).map((row) => ({
              id: row.id,
              to: `/earn/commissions/${row.id}`,
              what: nameOf(row),
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
