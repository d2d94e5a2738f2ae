import { useParams } from "@tanstack/react-router";
import { Family, Receipt } from "../../../features/money/commissions/receipt.tsx";
import { Way } from "../../../features/money/commissions/way.tsx";
import { CommissionState, fromOf, gradeName, KINDS } from "../../../features/money/commissions/words.tsx";
import { Answer } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money } from "../../../ui/money.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import classes from "../../operator.module.css";
import { Acts } from "./acts.tsx";
import { type CommissionDetail, oneRequest, useCommission } from "./data.ts";

const TRAIL = [["Commissions", "/commissions"]] as const;

/** Why is it this much, and what may be done about it? */
export default function OneCommission() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useCommission(id);
  if (data !== undefined) return <Shown row={data} />;
  return (
    <Page title="Commission" trail={TRAIL}>
      {error ? <Failure title="The commission did not load" error={error} retry={refetch} /> : <Loading />}
    </Page>
  );
}

function Shown({ row }: { row: CommissionDetail }) {
  const name = `${fromOf(row)}, ${KINDS[row.kind].toLowerCase()}`;
  return (
    <Page
      title={
        <>
          <span className="cut">{name}</span> <CommissionState row={row} />
        </>
      }
      name={name}
      trail={TRAIL}
      api={oneRequest(row.id)}
      foot={`Version ${row.version}. The amount is recorded once, never edited`}
      actions={<Acts row={row} />}
      phoneAction={
        <div className={classes.acts}>
          <Acts row={row} />
        </div>
      }
    >
      <Split side={<Side row={row} />}>
        <Answer
          sub={
            <>
              <CommissionState row={row} />
              {row.hold_reason && <span>{row.hold_reason}</span>}
              <Id>{row.id}</Id>
            </>
          }
        >
          {row.amount_cents > 0 ? `${row.partner_company} earns ` : `Taken back from ${row.partner_company}: `}
          <b>
            <Money cents={Math.abs(row.amount_cents)} currency={row.currency} />
          </b>
        </Answer>
        <Receipt row={row} total="Earns" />
        {row.related.length > 0 && <Family row={row} to={(id) => `/commissions/${id}`} />}
      </Split>
    </Page>
  );
}

function Side({ row }: { row: CommissionDetail }) {
  const rule = row.rule as { id?: string; name?: string; version?: number } | null;
  const link = (to: string, text: string) => (
    <Link key={to} className="link" to={to}>
      {text}
    </Link>
  );
  return (
    <>
      <Section title="Its way to the partner">
        <Way row={row} />
      </Section>
      <Section title="Terms">
        <Facts
          rows={[
            ["Partner", link(`/partners/${row.partner_id}`, row.partner_company)],
            ["Client", row.client_company],
            ["Charge", row.charge_id && link(`/charges/${row.charge_id}`, "Open the charge")],
            [
              "Through",
              row.source_partner_id && link(`/partners/${row.source_partner_id}`, row.source_company ?? "A sub-partner"),
            ],
            [
              "Override of",
              row.origin_commission_id && link(`/commissions/${row.origin_commission_id}`, "The seller's commission"),
            ],
            ["Corrects", row.root_id && link(`/commissions/${row.root_id}`, "Open the commission")],
            ["Tier then", gradeName(row.grade)],
            ["Rule", rule?.id && link(`/programme/rules/${rule.id}`, `${rule.name}, version ${rule.version}`)],
            ["Ledger", link(`/partners/${row.partner_id}?tab=ledger&commission=${row.id}`, "Its entries")],
            ["Deal", row.deal_id && <Id key="deal">{row.deal_id}</Id>],
            ["Recorded", <When key="recorded" at={row.accrued_at} as="day" />],
          ]}
        />
      </Section>
    </>
  );
}
