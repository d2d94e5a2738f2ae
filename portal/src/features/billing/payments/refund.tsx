import { Modal, TextInput } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { AmountInput } from "../../../ui/amount.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { minorDigits } from "../../../ui/minor-digits.ts";
import { inCents, inUnits, money } from "../../../ui/money.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Payment, refundableCents, useRefund } from "./data.ts";
import { payerOf } from "./words.tsx";

type Values = { amount_cents: number | string; reason: string };

const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "payment_not_refundable" ? { amount_cents: problem.detail } : {};

/** Returns a payment, or a part of it. */
export function RefundPayment({ payment, close }: { payment: Payment; close(): void }) {
  const refund = useRefund();
  const { currency, provider } = payment;
  const left = refundableCents(payment);
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { amount_cents: inUnits(left, currency), reason: "" },
    faultsOf,
    async send({ amount_cents, reason }, key) {
      const cents = inCents(amount_cents, currency);
      const body = { reason: reason.trim(), ...(cents === null ? {} : { amount_cents: cents }) };
      await refund.mutateAsync({ id: payment.id, body, key });
      toast(`${money(cents ?? left, currency)} goes back to ${payerOf(payment)}`);
      close();
    },
  });
  const cents = inCents(form.values.amount_cents, currency) ?? 0;
  return (
    <Modal opened onClose={close} title={`Refund ${payment.receipt_number}?`} size={480}>
      <Form onSubmit={onSubmit} problem={problem}>
        <AmountInput
          label={`Amount, ${currency.toUpperCase()}`}
          description={`At most ${money(left, currency)}`}
          data-autofocus
          min={0}
          decimalScale={minorDigits(currency)}
          {...form.getInputProps("amount_cents")}
        />
        <TextInput label="Reason" placeholder="Visit cancelled" autoComplete="off" {...form.getInputProps("reason")} />
        <p className="muted">
          {provider === "manual"
            ? `You return ${money(cents, currency)} by hand: it counts at once.`
            : `The provider returns ${money(cents, currency)} to ${payerOf(payment)}.`}{" "}
          A refund cannot be taken back, and does not open the link again.
        </p>
        <FormFoot action="Refund" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
