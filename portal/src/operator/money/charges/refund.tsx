import { Modal, TextInput } from "@mantine/core";
import { AmountInput } from "../../../ui/amount.tsx";
import { today } from "../../../ui/days.ts";
import { Form, FormFoot, Pair, useApiForm } from "../../../ui/form.tsx";
import { inCents, inUnits, money } from "../../../ui/money.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type ChargeDetail, useRefund } from "./data.ts";
import { timeOf } from "./report.tsx";

/** Reports what a client got back, and says what that takes from whom. */
export function RefundCharge({ charge, close }: { charge: ChargeDetail; close(): void }) {
  const refund = useRefund();
  const { currency } = charge;
  const left = charge.amount_cents - charge.refunded_cents;
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      amount_cents: inUnits(left, currency) as number | string,
      refunded_at: today(),
      external_id: "",
      reason: "",
    },
    async send({ amount_cents, refunded_at, external_id, reason }, key) {
      const body = {
        external_id,
        amount_cents: inCents(amount_cents, currency) ?? 0,
        refunded_at: timeOf(refunded_at),
        ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      };
      const saved = await refund.mutateAsync({ id: charge.id, body, key });
      toast(`${money(saved.applied_cents, currency)} is refunded`);
      close();
    },
  });
  const cents = inCents(form.values.amount_cents, currency) ?? 0;
  return (
    <Modal opened onClose={close} title={`Refund ${charge.client_company}`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className="soft">
          {cents >= left ? "Everything" : `${Math.round((cents * 100) / charge.amount_cents)}% of what`} that was earned from this
          charge is taken back, from the partners above the seller too. What has been paid out is taken from the next payout. This
          cannot be undone.
        </p>
        <Pair>
          <AmountInput
            label="Refunded"
            description={`At most ${money(left, currency)}`}
            min={0}
            data-autofocus
            {...form.getInputProps("amount_cents")}
          />
          <TextInput label="On" description="The day" type="date" {...form.getInputProps("refunded_at")} />
        </Pair>
        <TextInput label="Reference" placeholder="re_1001" {...form.getInputProps("external_id")} />
        <TextInput label="Reason" placeholder="Optional" {...form.getInputProps("reason")} />
        <FormFoot action="Refund" busy={busy} disabled={form.values.external_id.trim() === "" || cents === 0} close={close} />
      </Form>
    </Modal>
  );
}
