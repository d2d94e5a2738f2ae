import { SegmentedControl, Select, TextInput } from "@mantine/core";
import { AmountInput, CurrencyInput } from "../../../ui/amount.tsx";
import { Form, FormFoot, Pair, useApiForm } from "../../../ui/form.tsx";
import { inCents, money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type AdjustmentBody, useAdjust } from "./data.ts";

type Reason = AdjustmentBody["reason_code"];
const REASONS: { value: Reason; label: string }[] = [
  { value: "bonus", label: "Bonus" },
  { value: "correction", label: "Correction" },
  { value: "goodwill", label: "Goodwill" },
  { value: "clawback", label: "Clawback" },
  { value: "write_off", label: "Write-off of a negative balance" },
  { value: "payout_returned", label: "Payout returned by the bank" },
  { value: "other", label: "Other" },
];

type Props = { partner: { id: string; company: string; currency: string }; returned?: boolean; close(): void };

/** Adds an amount to a partner's balance, or takes one from it. */
export function Adjust({ partner, returned = false, close }: Props) {
  const adjust = useAdjust();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      direction: "add" as "add" | "take",
      amount_cents: "" as number | string,
      currency: partner.currency,
      reason_code: (returned ? "payout_returned" : "bonus") as Reason,
      reference: "",
      description: "",
    },
    async send({ direction, amount_cents, currency, reason_code, reference, description }, key) {
      const cents = inCents(amount_cents, currency) ?? 0;
      const body = {
        amount_cents: direction === "add" ? cents : -cents,
        currency,
        reason_code,
        reference,
        ...(description.trim() === "" ? {} : { description: description.trim() }),
      };
      const saved = await adjust.mutateAsync({ partner_id: partner.id, body, key });
      toast(`${money(saved.amount_cents, saved.currency)} is booked for ${partner.company}`);
      close();
    },
  });
  const { direction, amount_cents, currency, reference } = form.values;
  const cents = inCents(amount_cents, currency) ?? 0;
  return (
    <Panel
      title={`Adjust the balance of ${partner.company}`}
      close={close}
      foot={
        <FormFoot
          form="adjust"
          action="Adjust balance"
          busy={busy}
          disabled={cents === 0 || reference.trim() === ""}
          close={close}
        />
      }
    >
      <Form id="adjust" onSubmit={onSubmit} problem={problem}>
        <SegmentedControl
          aria-label="Direction"
          data={[
            { value: "add", label: "Add to it" },
            { value: "take", label: "Take from it" },
          ]}
          {...form.getInputProps("direction")}
        />
        <Pair wide="first">
          <AmountInput label="Amount" min={0} allowNegative={false} data-autofocus {...form.getInputProps("amount_cents")} />
          <CurrencyInput {...form.getInputProps("currency")} />
        </Pair>
        <Pair>
          <Select label="Reason" allowDeselect={false} data={REASONS} {...form.getInputProps("reason_code")} />
          <TextInput label="Reference" placeholder="ADJ-2026-11" {...form.getInputProps("reference")} />
        </Pair>
        <TextInput label="Description" description="The partner sees it" {...form.getInputProps("description")} />
        <p className="muted">
          {cents === 0 ? "The amount" : money(direction === "add" ? cents : -cents, currency)} is approved at once and goes into
          the next payout. The same reference is booked once. What is booked can be changed only by another adjustment.
        </p>
      </Form>
    </Panel>
  );
}
