import { Modal, Select, TextInput } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { AmountInput } from "../../../ui/amount.tsx";
import { startOfDay, today } from "../../../ui/days.ts";
import { Form, FormFoot, Pair, useApiForm } from "../../../ui/form.tsx";
import { minorDigits } from "../../../ui/minor-digits.ts";
import { inCents, inUnits, money } from "../../../ui/money.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type PaymentLink, type RecordBody, useRecordPayment } from "./data.ts";
import { customerOf } from "./words.tsx";

const METHODS: { value: RecordBody["method"]; label: string }[] = [
  { value: "cash", label: "Cash" },
  { value: "card", label: "Card, at your desk" },
  { value: "bank_transfer", label: "Bank transfer" },
  { value: "cheque", label: "Cheque" },
  { value: "other", label: "Another way" },
];

type Values = { amount_cents: number | string; method: string; paid_at: string; note: string };

const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "amount_not_due" ? { amount_cents: problem.detail } : {};

/** Records money that came another way. It gets a receipt like any other. */
export function RecordPayment({ link, close }: { link: PaymentLink; close(): void }) {
  const record = useRecordPayment();
  const { currency, amount_due_cents } = link;
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { amount_cents: inUnits(amount_due_cents, currency), method: "cash", paid_at: today(), note: "" },
    faultsOf,
    async send({ amount_cents, method, paid_at, note }, key) {
      const body = {
        amount_cents: inCents(amount_cents, currency) ?? 0,
        method: method as RecordBody["method"],
        // Of today it is now; of another day its beginning.
        ...(paid_at === "" || paid_at === today() ? {} : { paid_at: startOfDay(paid_at) }),
        note: note.trim() || null,
      };
      const payment = await record.mutateAsync({ id: link.id, body, key });
      toast(`${money(payment.amount_cents, currency)} is recorded, receipt ${payment.receipt_number}`);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Record a payment of ${customerOf(link)}`} size={480}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Pair>
          <AmountInput
            label={`Amount, ${currency.toUpperCase()}`}
            description={`${money(amount_due_cents, currency)} is due`}
            data-autofocus
            min={0}
            decimalScale={minorDigits(currency)}
            {...form.getInputProps("amount_cents")}
          />
          <TextInput
            type="date"
            label="Paid on"
            description="Not in the future"
            max={today()}
            {...form.getInputProps("paid_at")}
          />
        </Pair>
        <Select label="How" allowDeselect={false} data={METHODS} {...form.getInputProps("method")} />
        <TextInput label="Note" description="For your team" autoComplete="off" {...form.getInputProps("note")} />
        <FormFoot action="Record payment" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
