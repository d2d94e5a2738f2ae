import { useParams } from "@tanstack/react-router";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money } from "../../../ui/money.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { day, When } from "../../../ui/when.tsx";
import { type Commission, type CommissionDetail, oneRequest, useCommission } from "./data.ts";
import { Family, Receipt } from "./receipt.tsx";
import { Transfers } from "./transfers.tsx";
import { Way } from "./way.tsx";
import { CommissionState, fromOf, gradeName, KINDS } from "./words.tsx";

const TRAIL = [["Commissions", "/earn/commissions"]] as const;

/** Why is it this much? */
export default function OneCommission() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const { data: row, error, refetch } = useCommission(id);
  if (row === undefined) {
    return (
      <Page title="Commission" trail={TRAIL}>
        {error ? <Failure title="The commission did not load" error={error} retry={refetch} /> : <Loading />}
      </Page>
    );
  }
  return <Shown row={row} />;
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
      foot="Recorded once, never edited"
    >
      <Split side={<Side row={row} />}>
        <Answer
          sub={
            <>
              <span>{standing(row)}</span>
              <Id>{row.id}</Id>
            </>
          }
        >
          {row.amount_cents > 0 ? "You earn " : "Taken back: "}
          <b>
            <Money cents={Math.abs(row.amount_cents)} currency={row.currency} />
          </b>
          {row.amount_cents > 0 && ` ${of(row)}`}
        </Answer>
        <Receipt row={row} total="Yours" />
        {row.related.length > 0 && <Family row={row} to={(id) => `/earn/commissions/${id}`} />}
        <Transfers id={row.id} />
      </Split>
    </Page>
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

/** How it stands, in a sentence. */
function standing({ status, hold_until, hold_reason }: Commission): string {
  switch (status) {
    case "pending":
      return hold_until === null ? "Waits for the client's first charge" : `Approved on ${day(hold_until)}`;
    case "held":
      return `Held by the operator${hold_reason ? `: ${hold_reason}` : ""}`;
    case "approved":
      return "Approved, ready for payout";
    case "scheduled":
      return "Part of a payout that is not paid yet";
    case "paid":
      return "Paid out";
    case "void":
      return "Void: it was taken back as a whole";
  }
}

function Side({ row }: { row: CommissionDetail }) {
  const may = useMay();
  const rule = row.rule as { name?: string; version?: number } | null;
  return (
    <>
      <Section title="Its way to you">
        <Way row={row} />
      </Section>
      <Section title="Terms">
        <Facts
          rows={[
            [
              "Client",
              row.client_id && (
                <RecordLink
                  key="client"
                  to={`/clients/${row.client_id}`}
                  may={may("clients:read")}
                  name={row.client_company ?? row.client_id}
                />
              ),
            ],
            [
              "Deal",
              row.deal_id && <RecordLink key="deal" to={`/deals/${row.deal_id}`} may={may("deals:read")} name="Open the deal" />,
            ],
            [
              "Charge",
              row.charge_id && <RecordLink key="charge" to={`/earn/charges?open=${row.charge_id}`} may name="Open the charge" />,
            ],
            [
              "Through",
              row.source_partner_id && (
                <RecordLink
                  key="through"
                  to={`/earn/commissions?partner=${row.source_partner_id}`}
                  may
                  name={row.source_company ?? row.source_partner_id}
                />
              ),
            ],
            [
              "Corrects",
              row.root_id && <RecordLink key="root" to={`/earn/commissions/${row.root_id}`} may name="Open the commission" />,
            ],
            ["Grade then", gradeName(row.grade)],
            ["Rule", rule?.name && `${rule.name}, version ${rule.version}`],
            ["Level", row.level > 0 ? `${row.level}, an override` : null],
            ["Recorded", <When key="recorded" at={row.accrued_at} as="day" />],
          ]}
        />
      </Section>
    </>
  );
}

function RecordLink({ to, name, may }: { to: string; name: string; may: boolean }) {
  return may ? (
    <Link className="link" to={to}>
      {name}
    </Link>
  ) : (
    name
  );
}
