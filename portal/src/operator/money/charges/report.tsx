import { Autocomplete, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { AmountInput, CountInput, CurrencyInput } from "../../../ui/amount.tsx";
import { startOfDay, today } from "../../../ui/days.ts";
import { Form, FormFoot, Pair, useApiForm } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { inCents, money } from "../../../ui/money.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { PartnerChoice } from "../../partners/choice.tsx";
import { usePlans } from "../../plans/data.ts";
import { useEarningClients, useReportCharge } from "./data.ts";

/** A day as the API wants it: today is now, any other its beginning. */
export const timeOf = (day: string) => (day === today() ? new Date().toISOString() : startOfDay(day));

export function ReportCharge({ partner_id, close }: { partner_id: string | null; close(): void }) {
  const report = useReportCharge();
  const plans = usePlans({ state: ["active"] });
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      partner_id,
      client_id: null as string | null,
      amount_cents: "" as number | string,
      currency: "usd",
      charged_at: today(),
      months: 1 as number | string,
      plan: "",
      external_id: "",
    },
    async send({ client_id, amount_cents, currency, charged_at, months, plan, external_id }, key) {
      const body = {
        external_id,
        amount_cents: inCents(amount_cents, currency) ?? 0,
        currency,
        charged_at: timeOf(charged_at),
        months: Number(months),
        ...(plan.trim() === "" ? {} : { plan: plan.trim() }),
      };
      const charge = await report.mutateAsync({ client_id: client_id ?? "", body, key });
      toast(`${money(charge.amount_cents, charge.currency)} of ${charge.client_company} is reported`);
      go(`/charges/${charge.id}`);
    },
  });
  return (
    <Panel
      title="Report a charge"
      close={close}
      foot={
        <FormFoot
          form="new-charge"
          action="Report charge"
          busy={busy}
          disabled={form.values.client_id === null || form.values.amount_cents === "" || form.values.external_id.trim() === ""}
          close={close}
        />
      }
    >
      <Form id="new-charge" onSubmit={onSubmit} problem={problem}>
        <PartnerChoice
          label="Partner"
          value={form.values.partner_id}
          onChange={(id) => form.setValues({ partner_id: id, client_id: null })}
        />
        <ClientChoice
          partner_id={form.values.partner_id}
          value={form.values.client_id}
          onChange={(id) => form.setFieldValue("client_id", id)}
        />
        <Pair wide="first">
          <AmountInput label="Paid" description="Without tax" min={0} {...form.getInputProps("amount_cents")} />
          <CurrencyInput description="Of the charge" {...form.getInputProps("currency")} />
        </Pair>
        <Pair>
          <TextInput label="Paid on" type="date" {...form.getInputProps("charged_at")} />
          <CountInput label="For how many months" min={1} max={120} {...form.getInputProps("months")} />
        </Pair>
        <Pair>
          <Autocomplete
            label="Plan"
            placeholder="Any"
            data={plans.rows.map(({ name }) => name)}
            {...form.getInputProps("plan")}
          />
          <TextInput label="Reference" placeholder="in_1001" {...form.getInputProps("external_id")} />
        </Pair>
        <p className="muted">
          The reference is the number in your billing. The same one reported twice is one charge, so nothing is earned twice.
        </p>
      </Form>
    </Panel>
  );
}

type ChoiceProps = { partner_id: string | null; value: string | null; onChange(id: string | null): void };

/** A client for which the partner earns, by its name; any other by its id. */
function ClientChoice({ partner_id, value, onChange }: ChoiceProps) {
  const [text, setText] = useState("");
  const { data = [] } = useEarningClients(partner_id);
  const options = new Map(data);
  for (const id of [text.trim(), value ?? ""]) if (/^cli_\w{26}$/.test(id) && !options.has(id)) options.set(id, id);
  return (
    <Select
      label="Client"
      description="By its name where the partner has earned from it, else by its id"
      placeholder={partner_id === null ? "Paste its id, or choose a partner" : "Find a client"}
      searchable
      clearable
      nothingFoundMessage="Nothing of this name. An id begins with cli_"
      data={[...options].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      onSearchChange={setText}
      onChange={onChange}
    />
  );
}
