import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { ReceiptText, Undo2 } from "lucide-react";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { money } from "../../../ui/money.tsx";
import { Page, PhoneActs, Split } from "../../../ui/page.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toastError } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { InAccount, ReadOnly, useRightAccount } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import type { ProviderKind } from "../providers/data.ts";
import { KINDS as PROVIDERS } from "../providers/kinds.ts";
import { Disputes, Refunds, Results } from "./after.tsx";
import { type Payment, readReceipt, refundableCents, usePayment } from "./data.ts";
import { RefundPayment } from "./refund.tsx";
import { FLAGS, methodOf, PaymentState, payerOf } from "./words.tsx";

type Props = { account: Account; payment: Payment };

const trailOf = (account: Account) => [["Payments", `/crm/${account.id}/payments`]] as const;

export default function PaymentPage() {
  return <InAccount title="Payment">{(account) => <OnePayment account={account} />}</InAccount>;
}

function OnePayment({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = usePayment(id);
  const payment = query.data;
  useRightAccount(account, payment, "payments");
  if (payment === undefined) return <Waiting title="Payment" trail={trailOf(account)} query={query} />;
  return <Shown account={account} payment={payment} />;
}

/** Opens the receipt in a window of its own. The window opens with the click: browsers refuse one that comes later. */
function openReceipt(payment: Payment): void {
  const receipt = window.open("about:blank", "_blank");
  readReceipt(payment.id).then(
    ({ url }) => receipt?.location.assign(url),
    (error: Error) => {
      receipt?.close();
      toastError("The receipt did not open", error);
    },
  );
}

/** What came, by whom, and what became of it? */
function Shown({ account, payment }: Props) {
  const [url, setUrl] = useUrl();
  const refunds = useMay()("billing:write") && account.readOnly === null && refundableCents(payment) > 0;
  const { currency, amount_cents, tip_cents, refunded_cents, refunding_cents } = payment;
  const acts = (
    <>
      <Button variant="default" leftSection={<ReceiptText />} onClick={() => openReceipt(payment)}>
        Receipt
      </Button>
      {refunds && (
        <Button variant="default" leftSection={<Undo2 />} onClick={() => setUrl({ do: "refund" }, true)}>
          Refund…
        </Button>
      )}
    </>
  );
  return (
    <Page
      title={
        <>
          <span className="cut">{payment.receipt_number}</span> <PaymentState payment={payment} />
        </>
      }
      name={payment.receipt_number}
      trail={trailOf(account)}
      api={`GET /v1/billing/payments/${payment.id}`}
      foot={
        <span>
          Version {payment.version}, changed <When at={payment.updated_at} as="since" />
        </span>
      }
      actions={acts}
    >
      <ReadOnly account={account} />
      <Split side={<Side account={account} payment={payment} />}>
        <Answer
          sub={
            <>
              {tip_cents > 0 && <span>{money(tip_cents, currency)} of it is a tip</span>}
              {refunded_cents > 0 && <span>{money(refunded_cents, currency)} was refunded</span>}
              {refunding_cents > 0 && <span>{money(refunding_cents, currency)} is being refunded</span>}
              <Id>{payment.id}</Id>
            </>
          }
        >
          <b>{money(amount_cents + tip_cents, currency)}</b> from {payerOf(payment)}
        </Answer>
        <PhoneActs>{acts}</PhoneActs>
        {!payment.live && <Blocker title="A test">The test provider took it: no money has moved.</Blocker>}
        {payment.flag && (
          <Blocker tone={payment.flag === "overpaid" ? "bad" : "wait"} title={`Flag: ${FLAGS[payment.flag].name}`}>
            {FLAGS[payment.flag].why}
          </Blocker>
        )}
        <Disputes payment={payment} />
        <Refunds payment={payment} />
        <Results payment={payment} />
      </Split>
      {refunds && url.do === "refund" && <RefundPayment payment={payment} close={() => setUrl({ do: undefined })} />}
    </Page>
  );
}

function Side({ account, payment }: Props) {
  const { payer, contact_id, payment_link_id, note, provider } = payment;
  return (
    <>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Paid by",
              contact_id ? (
                <Link key="payer" className="link" to={`/crm/${account.id}/contacts/${contact_id}`}>
                  {payerOf(payment)}
                </Link>
              ) : (
                payer.name
              ),
            ],
            ["Email", payer.email],
            ["Method", methodOf(payment)],
            ["Provider", provider in PROVIDERS ? PROVIDERS[provider as ProviderKind].name : provider],
            ["Paid", <When key="paid" at={payment.paid_at} as="day" />],
            [
              "Link",
              <Link key="link" className="link" to={`/crm/${account.id}/payment-links/${payment_link_id}`}>
                Open the payment link
              </Link>,
            ],
            ["Note", note],
          ]}
        />
      </Section>
      {Object.keys(payer.answers).length > 0 && (
        <Section title="Answers">
          <Facts rows={Object.entries(payer.answers).map(([key, answer]) => [key.replaceAll("_", " "), answer] as const)} />
        </Section>
      )}
    </>
  );
}
