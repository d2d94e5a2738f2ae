import { Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Pair } from "../../ui/form.tsx";
import { minorUnits } from "../../ui/money.tsx";
import { OfferedTags } from "../../ui/offered-tags.tsx";
import { useTagNames } from "../crm/tags/data.ts";
import { type CustomField, type Deal, useContactsOf, useDealFields, useOwners } from "./data.ts";

/** A deal as a form shows it: amounts in whole units, nothing absent. */
export type DealValues = {
  name: string;
  company: string;
  company_domain: string;
  contact: { name: string; email: string; phone: string };
  plan: string;
  mrr_cents: number | string;
  amount_cents: number | string;
  currency: string;
  expected_close_on: string;
  contact_id: string;
  owner_id: string;
  tags: string[];
  notes: string;
  custom: Record<string, unknown>;
};

export function valuesOf(deal: Partial<Deal> & { currency: string }): DealValues {
  const whole = (cents: number | null | undefined) =>
    cents === null || cents === undefined ? "" : cents / minorUnits(deal.currency);
  return {
    name: deal.name ?? "",
    company: deal.company ?? "",
    company_domain: deal.company_domain ?? "",
    contact: { name: deal.contact?.name ?? "", email: deal.contact?.email ?? "", phone: deal.contact?.phone ?? "" },
    plan: deal.plan ?? "",
    mrr_cents: whole(deal.mrr_cents),
    amount_cents: whole(deal.amount_cents),
    currency: deal.currency,
    expected_close_on: deal.expected_close_on ?? "",
    contact_id: deal.contact_id ?? "",
    owner_id: deal.owner_id ?? "",
    tags: deal.tags ?? [],
    notes: deal.notes ?? "",
    custom: deal.custom ?? {},
  };
}

const text = (value: string) => (value.trim() === "" ? null : value.trim());

/** As the API wants it: what is empty is null, amounts are minor units. */
export function bodyOf(values: DealValues) {
  const minor = (value: number | string) => (value === "" ? null : Math.round(Number(value) * minorUnits(values.currency)));
  const contact = Object.fromEntries(Object.entries(values.contact).filter(([, value]) => value.trim() !== ""));
  const custom = Object.entries(values.custom).map(([key, value]) => [key, value === "" ? null : value]);
  return {
    name: values.name.trim(),
    company: text(values.company),
    company_domain: text(values.company_domain.toLowerCase()),
    contact: Object.keys(contact).length === 0 ? null : contact,
    plan: text(values.plan),
    mrr_cents: minor(values.mrr_cents),
    amount_cents: minor(values.amount_cents),
    currency: values.currency.trim().toLowerCase(),
    expected_close_on: text(values.expected_close_on),
    contact_id: text(values.contact_id),
    owner_id: text(values.owner_id),
    tags: values.tags,
    notes: text(values.notes),
    custom: Object.fromEntries(custom) as Deal["custom"],
  };
}

type DealForm = UseFormReturnType<DealValues>;
type Props = { form: DealForm; account: string };

function Amount({ form, field, label }: { form: DealForm; field: "mrr_cents" | "amount_cents"; label: string }) {
  return (
    <Pair wide="first">
      <NumberInput label={label} min={0} decimalScale={2} thousandSeparator="," hideControls {...form.getInputProps(field)} />
      <TextInput label="Currency" {...form.getInputProps("currency")} />
    </Pair>
  );
}

function Contact({ form }: { form: DealForm }) {
  return (
    <>
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
    </>
  );
}

function ContactChoice({ form, account }: Props) {
  const [typed, setTyped] = useState("");
  const [settled] = useDebouncedValue(typed, 200);
  const may = useMay();
  const { data = [] } = useContactsOf(account, settled, may("contacts:read"));
  const current = form.getValues().contact_id;
  const choices = data.map(({ id, name, email, phone }) => ({ value: id, label: name ?? email ?? phone ?? id }));
  if (current !== "" && !choices.some(({ value }) => value === current)) choices.push({ value: current, label: current });
  return (
    <Select
      label="Contact"
      placeholder="Find a contact"
      searchable
      clearable
      data={choices}
      filter={({ options }) => options}
      onSearchChange={setTyped}
      nothingFoundMessage="No contact of this name"
      {...form.getInputProps("contact_id")}
      value={current || null}
      onChange={(value) => form.setFieldValue("contact_id", value ?? "")}
    />
  );
}

function OwnerChoice({ form }: { form: DealForm }) {
  const wide = isPartnerWide(useSession());
  const may = useMay();
  const { data = [] } = useOwners(wide && may("account:read"));
  if (data.length === 0) return <TextInput label="Owner" description="Id of a user" {...form.getInputProps("owner_id")} />;
  return (
    <Select
      label="Owner"
      clearable
      searchable
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      {...form.getInputProps("owner_id")}
      value={form.getValues().owner_id || null}
      onChange={(value) => form.setFieldValue("owner_id", value ?? "")}
    />
  );
}

/** Those that the account offers, and any others. */
function Tags({ form, account }: Props) {
  const offered = useTagNames(account || null);
  return <OfferedTags data={offered} {...form.getInputProps("tags")} />;
}

function CustomInput({ form, field }: { form: DealForm; field: CustomField }) {
  const path = `custom.${field.key}`;
  const { value, ...props } = form.getInputProps(path);
  switch (field.type) {
    case "number":
      return <NumberInput label={field.label} hideControls {...props} value={value ?? ""} />;
    case "boolean":
      return <Checkbox label={field.label} {...form.getInputProps(path, { type: "checkbox" })} />;
    case "select":
      return <Select label={field.label} clearable data={field.options ?? []} {...props} value={value ?? null} />;
    case "multi_select":
      return <MultiSelect label={field.label} data={field.options ?? []} {...props} value={value ?? []} />;
    case "date":
      return <TextInput label={field.label} type="date" {...props} value={value ?? ""} />;
    default:
      return <TextInput label={field.label} {...props} value={value ?? ""} />;
  }
}

/** One field of a deal by the name that the API gives it. */
export function DealField({ field, form, account }: Props & { field: string }) {
  const { data: own = [] } = useDealFields(account);
  const custom = own.find(({ key }) => `custom.${key}` === field);
  if (custom) return <CustomInput form={form} field={custom} />;
  switch (field) {
    case "mrr_cents":
      return <Amount form={form} field="mrr_cents" label="Monthly revenue" />;
    case "amount_cents":
      return <Amount form={form} field="amount_cents" label="Value" />;
    case "expected_close_on":
      return <TextInput label="Closes on" type="date" {...form.getInputProps(field)} />;
    case "contact":
      return <Contact form={form} />;
    case "contact_id":
      return <ContactChoice form={form} account={account} />;
    case "owner_id":
      return <OwnerChoice form={form} />;
    case "tags":
      return <Tags form={form} account={account} />;
    case "notes":
      return <Textarea label="Notes" autosize minRows={2} {...form.getInputProps(field)} />;
    case "name":
      return <TextInput label="Name" {...form.getInputProps(field)} />;
    case "company":
      return <TextInput label="Company" {...form.getInputProps(field)} />;
    case "company_domain":
      return <TextInput label="Domain" placeholder="harbour.example" {...form.getInputProps(field)} />;
    case "plan":
      return <TextInput label="Plan" {...form.getInputProps(field)} />;
    default:
      return null;
  }
}

const SALE = ["company", "company_domain", "plan", "mrr_cents", "contact", "expected_close_on", "owner_id", "tags", "notes"];
const PLAIN = ["name", "amount_cents", "expected_close_on", "contact_id", "owner_id", "tags", "notes"];

/** The fields of a deal that a person fills in, those of its account at the end. */
export function useFieldsOf(account: string, sale: boolean): string[] {
  const { data = [] } = useDealFields(account);
  return [...(sale ? SALE : PLAIN), ...data.filter(({ archived }) => !archived).map(({ key }) => `custom.${key}`)];
}
