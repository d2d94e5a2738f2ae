import { Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Pair } from "../../../ui/form.tsx";
import type { CustomField } from "../records/data.ts";
import { OwnerSelect } from "../records/people.tsx";
import { type CustomForm, CustomInputs, customBody, customForm } from "../records/values.tsx";
import { RecordTags } from "../tags/input.tsx";
import type { Contact } from "./data.ts";

/** A contact as a form shows it: nothing is absent. */
export type ContactValues = {
  name: string;
  phone: string;
  email: string;
  company: string;
  tags: string[];
  notes: string;
  owner_id: string | null;
  external_id: string;
  custom: CustomForm;
};

export const valuesOf = (fields: readonly CustomField[], contact: Partial<Contact> = {}): ContactValues => ({
  name: contact.name ?? "",
  phone: contact.phone ?? "",
  email: contact.email ?? "",
  company: contact.company ?? "",
  tags: contact.tags ?? [],
  notes: contact.notes ?? "",
  owner_id: contact.owner_id ?? null,
  external_id: contact.external_id ?? "",
  custom: customForm(fields, contact.custom ?? {}),
});

const orNull = (text: string) => (text.trim() === "" ? null : text);

/** As the API wants it: what is empty is null. */
export const bodyOf = (fields: readonly CustomField[], { custom, ...values }: ContactValues) => ({
  ...values,
  email: orNull(values.email),
  company: orNull(values.company),
  notes: orNull(values.notes),
  external_id: orNull(values.external_id),
  ...(Object.keys(custom).length === 0 ? {} : { custom: customBody(fields, custom) }),
});

type Props = { form: UseFormReturnType<ContactValues>; fields: readonly CustomField[] };

export function ContactFields({ form, fields }: Props) {
  return (
    <>
      <TextInput label="Name" data-autofocus autoComplete="off" {...form.getInputProps("name")} />
      <Pair>
        <TextInput label="Phone" type="tel" placeholder="+14155552671" autoComplete="off" {...form.getInputProps("phone")} />
        <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps("email")} />
      </Pair>
      <Pair>
        <TextInput label="Company" autoComplete="off" {...form.getInputProps("company")} />
        <OwnerSelect {...form.getInputProps("owner_id")} />
      </Pair>
      <RecordTags {...form.getInputProps("tags")} />
      <CustomInputs fields={fields} form={form} />
      <Textarea label="About" autosize minRows={2} maxRows={10} {...form.getInputProps("notes")} />
      <TextInput label="External id" description="Your own id of the person" {...form.getInputProps("external_id")} />
    </>
  );
}
