import { Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { startOfDay, today } from "../../ui/days.ts";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { type OutcomesResult, type Payout, useOutcomes } from "./data.ts";
import { Refused } from "./results.tsx";
import { plural, totalsOf, totalsText } from "./words.tsx";

type Props = { payouts: readonly Payout[]; as: "paid" | "failed"; close(): void; done?(): void };

/** Marks one payout or many as paid or as failed, with what the partners are told. */
export function Mark({ payouts: live, as, close, done }: Props) {
  // As they were when the form opened: their versions say whether somebody was quicker.
  const [payouts] = useState(live);
  const [result, setResult] = useState<OutcomesResult | null>(null);
  const send = useOutcomes();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { reference: "", failure: "", paid_at: today() },
    async send({ reference, failure, paid_at }, key) {
      const facts =
        as === "paid"
          ? {
              ...(reference.trim() === "" ? {} : { reference: reference.trim() }),
              ...(paid_at === today() || paid_at === "" ? {} : { paid_at: startOfDay(paid_at) }),
            }
          : { failure: failure.trim() };
      const outcomes = payouts.map(({ id, version }) => ({ payout_id: id, version, outcome: as, ...facts }));
      const told = await send.mutateAsync({ outcomes, key });
      if (told.failed > 0) return setResult(told);
      toast(`${plural(told.changed, "payout is", "payouts are")} marked as ${as}`);
      done?.();
      close();
    },
  });
  const [first] = payouts;
  const one = payouts.length === 1 ? first : undefined;
  const what = one ? one.partner_company : plural(payouts.length, "payout");
  return (
    <Modal opened onClose={close} title={`Mark ${what} as ${as}`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className="soft">
          {as === "paid" ? (
            <>
              <b>{totalsText(totalsOf(payouts))}</b> is booked as paid, and {one ? "the partner is" : "the partners are"} told.
              Nothing can undo it: what the bank returns later is put back by an adjustment.
            </>
          ) : (
            <>
              <b>{totalsText(totalsOf(payouts))}</b> stays owed. Each payout can be tried again with the payout method of then, or
              cancelled.
            </>
          )}
        </p>
        {as === "paid" ? (
          <>
            <TextInput
              label="Reference"
              description={`Of the bank; shown to the ${one ? "partner" : "partners"}`}
              placeholder="Optional"
              data-autofocus
              {...form.getInputProps("reference")}
            />
            <TextInput label="Paid on" type="date" max={today()} {...form.getInputProps("paid_at")} />
          </>
        ) : (
          <TextInput
            label="Reason"
            description={`Shown to the ${one ? "partner" : "partners"}`}
            placeholder="Account closed"
            data-autofocus
            {...form.getInputProps("failure")}
          />
        )}
        {result !== null && <Refused result={result} known={payouts} />}
        <FormFoot
          action={result === null ? `Mark as ${as}` : "Try again"}
          busy={busy}
          disabled={as === "failed" && form.values.failure.trim() === ""}
          close={close}
        />
      </Form>
    </Modal>
  );
}
