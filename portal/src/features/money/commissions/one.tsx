import { useParams } from "@tanstack/react-router";
import { useMay } from "../../../api/session.ts";
import { gradeName } from "../../../ui/grade.ts";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { type Commission, type CommissionDetail, oneRequest, useCommission } from "./data.ts";
import { CommissionPage } from "./page.tsx";
import { Transfers } from "./transfers.tsx";

const TRAIL = [["Commissions", "/earn/commissions"]] as const;

/** Why is it this much? */
export default function OneCommission() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useCommission(id);
  const row = query.data;
  if (row === undefined) return <Waiting title="Commission" trail={TRAIL} query={query} />;
  return <Shown row={row} />;
}

function Shown({ row }: { row: CommissionDetail }) {
  const earns = row.amount_cents > 0;
  return (
    <CommissionPage
      row={row}
      trail={TRAIL}
      api={oneRequest(row.id)}
      foot="Recorded once, never edited"
      answer={
        <>
          {earns ? "You earn " : "Taken back: "}
          <b>
            <Money cents={Math.abs(row.amount_cents)} currency={row.currency} />
          </b>
          {earns && ` ${of(row)}`}
        </>
      }
      total="Yours"
      reader="you"
      terms={useTerms(row)}
      to={(id) => `/earn/commissions/${id}`}
    >
      <Transfers id={row.id} />
    </CommissionPage>
  );
}

const of = ({ kind, source_company }: Commission) =>
  kind === "first"
    ? "on the first month"
    : kind === "recurring"
      ? "on this charge"
      : kind === "override"
        ? `through ${source_company ?? "a sub-partner"}`
        : "by an adjustment";

function useTerms(row: CommissionDetail) {
  const may = useMay();
  const rule = row.rule as { name?: string; version?: number } | null;
  const link = (to: string, text: string, allowed = true) =>
    allowed ? (
      <Link key={to} className="link" to={to}>
        {text}
      </Link>
    ) : (
      text
    );
  return [
    ["Client", row.client_id && link(`/clients/${row.client_id}`, row.client_company ?? row.client_id, may("clients:read"))],
    ["Deal", row.deal_id && may("deals:read") ? link(`/deals/${row.deal_id}`, "Open the deal") : null],
    ["Charge", row.charge_id && link(`/earn/charges?open=${row.charge_id}`, "Open the charge")],
    [
      "Through",
      row.source_partner_id &&
        link(`/earn/commissions?partner=${row.source_partner_id}`, row.source_company ?? row.source_partner_id),
    ],
    ["Payout", row.payout_id && may("payouts:read") ? link(`/earn/payouts/${row.payout_id}`, "Open the payout") : null],
    ["Corrects", row.root_id && link(`/earn/commissions/${row.root_id}`, "Open the commission")],
    ["Tier then", gradeName(row.grade)],
    ["Rule", rule?.name && `${rule.name}, version ${rule.version}`],
    ["Level", row.level > 0 ? `${row.level}, an override` : null],
    ["Recorded", <When key="recorded" at={row.accrued_at} as="day" />],
  ] as const;
}
