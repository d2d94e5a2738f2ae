import { NumberInput, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CurrencyInput } from "../../ui/amount.tsx";
import { Pair } from "../../ui/form.tsx";
import { minorUnits } from "../../ui/money.tsx";
import type { Client } from "./data.ts";

/** A client as a form shows it: amounts in whole units, nothing absent. */
export type ClientValues = {
  company: string;
  contact: { name: string; email: string; phone: string };
  plan: string;
  mrr_cents: number | string;
  currency: string;
  external_id: string;
  tags: string[];
};

export const valuesOf = (client: Partial<Client> & { currency: string }): ClientValues => ({
  company: client.company ?? "",
  contact: { name: client.contact?.name ?? "", email: client.contact?.email ?? "", phone: client.contact?.phone ?? "" },
  plan: client.plan ?? "",
  mrr_cents: client.mrr_cents === undefined ? "" : client.mrr_cents / minorUnits(client.currency),
  currency: client.currency,
  external_id: client.external_id ?? "",
  tags: client.tags ?? [],
});

/** As the API wants it: what is empty is null, amounts are minor units. */
export function bodyOf({ company, contact, plan, mrr_cents, currency, external_id, tags }: ClientValues) {
  const filled = Object.fromEntries(Object.entries(contact).filter(([, value]) => value.trim() !== ""));
  return {
    company,
    contact: Object.keys(filled).length === 0 ? null : filled,
    plan: plan.trim() === "" ? null : plan,
    mrr_cents: Math.round(Number(mrr_cents || 0) * minorUnits(currency)),
    currency,
    external_id: external_id.trim() === "" ? null : external_id,
    tags,
  };
}

export function ClientFields<Values extends ClientValues>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput label="Company" data-autofocus {...form.getInputProps("company")} />
      <Pair wide="first">
        <NumberInput
          label="Monthly revenue"
          min={0}
          decimalScale={2}
          thousandSeparator=","
          hideControls
          {...form.getInputProps("mrr_cents")}
        />
        <CurrencyInput {...form.getInputProps("currency")} />
      </Pair>
      <Pair>
        <TextInput label="Plan" {...form.getInputProps("plan")} />
        <TextInput label="External id" {...form.getInputProps("external_id")} />
      </Pair>
      <TextInput label="Contact" autoComplete="off" {...form.getInputProps("contact.name")} />
      <Pair>
        <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps("contact.email")} />
        <TextInput
          label="Phone"
          type="tel"
          placeholder="+14155552671"
          autoComplete="off"
          {...form.getInputProps("contact.phone")}
        />
      </Pair>
      <TagsInput label="Tags" {...form.getInputProps("tags")} />
    </>
  );
}
