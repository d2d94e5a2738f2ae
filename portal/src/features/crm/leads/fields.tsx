import { Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Pair } from "../../../ui/form.tsx";
import type { CustomField } from "../records/data.ts";
import { OwnerSelect } from "../records/people.tsx";
import { type CustomForm, CustomInputs, customBody, customForm } from "../records/values.tsx";
import { RecordTags } from "../tags/input.tsx";
import { type Lead, SOURCES, type SourceKind } from "./data.ts";

/** A lead as a form shows it: nothing is absent. */
export type LeadValues = {
  name: string;
  phone: string;
  email: string;
  company: string;
  title: string;
  country: string;
  tags: string[];
  notes: string;
  owner_id: string | null;
  external_id: string;
  source: { kind: SourceKind; name: string };
  custom: CustomForm;
};

export const valuesOf = (fields: readonly CustomField[], lead: Partial<Lead> = {}): LeadValues => ({
  name: lead.name ?? "",
  phone: lead.phone ?? "",
  email: lead.email ?? "",
  company: lead.company ?? "",
  title: lead.title ?? "",
  country: lead.country ?? "",
  tags: lead.tags ?? [],
  notes: lead.notes ?? "",
  owner_id: lead.owner_id ?? null,
  external_id: lead.external_id ?? "",
  source: { kind: lead.source?.kind ?? "call", name: lead.source?.name ?? "" },
  custom: customForm(fields, lead.custom ?? {}),
});

const orNull = (text: string) => (text.trim() === "" ? null : text);
const TEXTS = ["name", "phone", "email", "company", "title", "country", "notes", "external_id"] as const;

/** As the API wants it. A source is replaced as a whole, so what the form does not show is kept. */
export const bodyOf = (fields: readonly CustomField[], values: LeadValues, source?: Lead["source"]) => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, orNull(values[name])])) as Record<(typeof TEXTS)[number], string | null>),
  tags: values.tags,
  owner_id: values.owner_id,
  source: { ...source, kind: values.source.kind, name: orNull(values.source.name) },
  ...(Object.keys(values.custom).length === 0 ? {} : { custom: customBody(fields, values.custom) }),
});

type Props = { form: UseFormReturnType<LeadValues>; fields: readonly CustomField[] };

export function LeadFields({ form, fields }: Props) {
  const text = (name: string, label: string, more = {}) => (
    <TextInput label={label} autoComplete="off" {...more} {...form.getInputProps(name)} />
  );
  return (
    <>
      {text("name", "Name", { "data-autofocus": true })}
      <Pair>
        {text("phone", "Phone", { type: "tel", placeholder: "+14155552671" })}
        {text("email", "Email", { type: "email" })}
      </Pair>
      <Pair>
        {text("company", "Company")}
        {text("title", "Title")}
      </Pair>
      <Pair>
        <Select label="Came by" data={[...SOURCES]} {...form.getInputProps("source.kind")} />
        {text("source.name", "Name of the source", { placeholder: "Contact form" })}
      </Pair>
      <Pair>
        <OwnerSelect {...form.getInputProps("owner_id")} />
        {text("country", "Country", { placeholder: "DE", maxLength: 2 })}
      </Pair>
      <RecordTags {...form.getInputProps("tags")} />
      <CustomInputs fields={fields} form={form} />
      <Textarea label="About" autosize minRows={2} maxRows={10} {...form.getInputProps("notes")} />
      {text("external_id", "External id", { description: "Your own id of the lead" })}
    </>
  );
}
