import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { earnedBy, wonBefore } from "../../../features/money/charges/earned.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { amountsText, Money, money, sums } from "../../../ui/money.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { day, When } from "../../../ui/when.tsx";
import { usePartnerNames } from "../../partners/data.ts";
import { useWinOf } from "../commissions/data.ts";
import { CommissionRows } from "../commissions/rows.tsx";
import { type ChargeDetail, useCharge } from "./data.ts";
import { RefundCharge } from "./refund.tsx";
import { RefundRows } from "./refunds.tsx";
import { OutcomeState, REASONS } from "./words.tsx";

const TRAIL = [["Charges", "/charges"]] as const;

export default function OneCharge() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useCharge(id);
  const data = query.data;
  if (data === undefined) return <Waiting title="Charge" trail={TRAIL} query={query} />;
  return <Shown charge={data} />;
}

function Shown({ charge }: { charge: ChargeDetail }) {
  const [url, setUrl] = useUrl();
  const left = charge.amount_cents - charge.refunded_cents;
  const refund = () => setUrl({ refund: "yes" }, true);
  const name = `${charge.client_company}, ${day(charge.charged_at)}`;
  return (
    <Page
      title={
        <>
          <span className="cut">{name}</span> <OutcomeState charge={charge} />
        </>
      }
      name={name}
      trail={TRAIL}
      api={`GET /v1/admin/charges/${charge.id}`}
      foot={
        <span>
          Reported <When at={charge.created_at} as="since" /> by {charge.source === "billing" ? "billing" : "the operator"}
        </span>
      }
      actions={
        left > 0 && (
          <Button variant="default" onClick={refund}>
            Refund…
          </Button>
        )
      }
      phoneAction={
        left > 0 && (
          <Button variant="default" onClick={refund}>
            Refund…
          </Button>
        )
      }
    >
      <Split side={<Side charge={charge} />}>
        <Answer sub={REASONS[charge.outcome]}>
          {charge.client_company} paid{" "}
          <b>
            <Money cents={charge.amount_cents} currency={charge.currency} />
          </b>
          {charge.refunded_cents > 0 && (
            <>
              , got <b>{money(charge.refunded_cents, charge.currency)}</b> back
            </>
          )}
        </Answer>
        <Earned charge={charge} />
        <Section title="Refunds">
          {charge.refunds.length === 0 ? (
            <p className="muted">None.</p>
          ) : (
            <RefundRows refunds={charge.refunds} currency={charge.currency} />
          )}
        </Section>
      </Split>
      {url.refund === "yes" && left > 0 && <RefundCharge charge={charge} close={() => setUrl({ refund: undefined })} />}
    </Page>
  );
}

function Earned({ charge }: { charge: ChargeDetail }) {
  const win = useWinOf(charge.partner_id, wonBefore(charge));
  const rows = earnedBy(charge, win.data ?? []);
  const total = amountsText(sums(rows));
  return (
    <Section title="What it earned" aside={rows.length > 0 && `together ${total}`}>
      {win.isLoading ? (
        <Loading rows={2} />
      ) : rows.length === 0 ? (
        <p className="muted">Nothing.</p>
      ) : (
        <CommissionRows rows={rows} />
      )}
      {rows.length > 0 && (
        <p className="muted" style={{ marginTop: 8 }}>
          Overrides of the partners above stand in their own books.
        </p>
      )}
    </Section>
  );
}

function Side({ charge }: { charge: ChargeDetail }) {
  const names = usePartnerNames([charge.partner_id]);
  return (
    <Section title="Facts">
      <Facts
        rows={[
          [
            "Partner",
            <Link key="partner" className="link" to={`/partners/${charge.partner_id}`}>
              {names.get(charge.partner_id) ?? "Open the partner"}
            </Link>,
          ],
          ["Client", charge.client_company],
          ["Paid on", <When key="at" at={charge.charged_at} as="day" />],
          ["Months", charge.months],
          ["Plan", charge.plan],
          [
            "Reference",
            <span key="reference" className="mono">
              {charge.external_id}
            </span>,
          ],
          ["Charge", <Id key="id">{charge.id}</Id>],
          ["Client id", <Id key="client">{charge.client_id}</Id>],
          ["Deal", charge.deal_id && <Id key="deal">{charge.deal_id}</Id>],
          [
            "More",
            <Link key="more" className="link" to={`/charges?partner=${charge.partner_id}&client=${charge.client_id}`}>
              All charges of this client
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}
