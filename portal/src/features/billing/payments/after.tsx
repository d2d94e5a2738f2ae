import { Blocker } from "../../../ui/answer.tsx";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { When } from "../../../ui/when.tsx";
import { usePersonName } from "../../crm/records/people.tsx";
import type { Payment } from "./data.ts";
import classes from "./payments.module.css";
import { RefundState } from "./words.tsx";

const DISPUTES: Record<Payment["disputes"][number]["status"], { title: string; text: string }> = {
  open: { title: "The payer disputes it", text: "Their bank decides. Answer the provider with what proves the sale." },
  won: { title: "The dispute is won", text: "The payment stays." },
  lost: { title: "The dispute is lost", text: "The money went back to the payer." },
};

/** What the payer wants back by the bank. */
export function Disputes({ payment: { disputes, currency } }: { payment: Payment }) {
  return disputes.map(({ id, status, reason, amount_cents }) => (
    <Blocker
      key={id}
      tone={status === "won" ? "wait" : "bad"}
      title={`${DISPUTES[status].title}: ${money(amount_cents, currency)}`}
    >
      {reason.replaceAll("_", " ")}. {DISPUTES[status].text}
    </Blocker>
  ));
}

/** What was returned, and why. */
export function Refunds({ payment: { refunds, currency } }: { payment: Payment }) {
  const nameOf = usePersonName();
  return (
    <Section title="Refunds">
      {refunds.length === 0 ? (
        <p className="muted">Nothing was returned.</p>
      ) : (
        <ul className={classes.refunds}>
          {refunds.map((refund) => (
            <li key={refund.id}>
              <RefundState refund={refund} />
              <div>
                <p>{refund.reason}</p>
                <p className="muted">{refund.failure ?? `by ${nameOf(refund.created_by)}`}</p>
              </div>
              <b className="num">{money(refund.amount_cents, currency)}</b>
              <When muted at={refund.created_at} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const DID: Record<Payment["on_paid_results"][number]["action"], string> = {
  move_deal: "The deal was moved",
  add_tags: "The contact was tagged",
  send_message: "A message was written",
  charge: "The client was charged",
  charge_refund: "The charge was refunded",
};

/** What the payment has set off, and what was refused. */
export function Results({ payment: { on_paid_results } }: { payment: Payment }) {
  if (on_paid_results.length === 0) return null;
  return (
    <Section title="What it has set off">
      <ul className={classes.results}>
        {on_paid_results.map(({ action, status, detail }) => (
          <li key={action}>
            <State tone={status === "done" ? "live" : "bad"}>{status}</State>
            <span>
              {DID[action]}
              {detail && <span className="muted">: {detail}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
