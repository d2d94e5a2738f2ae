import { useParams } from "@tanstack/react-router";
import { CommissionPage } from "../../../features/money/commissions/page.tsx";
import { Id } from "../../../ui/copy.tsx";
import { gradeName } from "../../../ui/grade.ts";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { Acts } from "./acts.tsx";
import { type CommissionDetail, oneRequest, useCommission } from "./data.ts";

const TRAIL = [["Commissions", "/commissions"]] as const;

/** Why is it this much, and what may be done about it? */
export default function OneCommission() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useCommission(id);
  const data = query.data;
  if (data === undefined) return <Waiting title="Commission" trail={TRAIL} query={query} />;
  return <Shown row={data} />;
}

function Shown({ row }: { row: CommissionDetail }) {
  return (
    <CommissionPage
      row={row}
      trail={TRAIL}
      api={oneRequest(row.id)}
      foot={`Version ${row.version}. The amount is recorded once, never edited`}
      actions={<Acts row={row} />}
      answer={
        <>
          {row.amount_cents > 0 ? `${row.partner_company} earns ` : `Taken back from ${row.partner_company}: `}
          <b>
            <Money cents={Math.abs(row.amount_cents)} currency={row.currency} />
          </b>
        </>
      }
      total="Earns"
      reader="the partner"
      terms={termsOf(row)}
      to={(id) => `/commissions/${id}`}
    />
  );
}

function termsOf(row: CommissionDetail) {
  const rule = row.rule as { id?: string; name?: string; version?: number } | null;
  const link = (to: string, text: string) => (
    <Link key={to} className="link" to={to}>
      {text}
    </Link>
  );
  return [
    ["Partner", link(`/partners/${row.partner_id}`, row.partner_company)],
    ["Client", row.client_company],
    ["Charge", row.charge_id && link(`/charges/${row.charge_id}`, "Open the charge")],
    ["Through", row.source_partner_id && link(`/partners/${row.source_partner_id}`, row.source_company ?? "A sub-partner")],
    ["Override of", row.origin_commission_id && link(`/commissions/${row.origin_commission_id}`, "The seller's commission")],
    ["Corrects", row.root_id && link(`/commissions/${row.root_id}`, "Open the commission")],
    ["Tier then", gradeName(row.grade)],
    ["Rule", rule?.id && link(`/programme/rules/${rule.id}`, `${rule.name}, version ${rule.version}`)],
    ["Ledger", link(`/partners/${row.partner_id}?tab=ledger&commission=${row.id}`, "Its entries")],
    ["Deal", row.deal_id && <Id key="deal">{row.deal_id}</Id>],
    ["Recorded", <When key="recorded" at={row.accrued_at} as="day" />],
  ] as const;
}
