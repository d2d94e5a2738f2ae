import { MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Facts } from "../../../ui/section.tsx";
import { day } from "../../../ui/when.tsx";
import type { Custom, CustomField } from "./data.ts";

/** The values of custom fields as a form has them: nothing is absent, booleans are words, and null is no choice. */
export type CustomForm = Record<string, string | number | string[] | null>;

export function customForm(fields: readonly CustomField[], custom: Custom): CustomForm {
  return Object.fromEntries(
    fields
      .filter(({ archived }) => !archived)
      .map(({ key, type }) => {
        const value = custom[key];
        if (type === "multi_select") return [key, Array.isArray(value) ? value : []];
        if (type === "boolean" || type === "select") return [key, value === undefined ? null : String(value)];
        return [key, (value as string | number | undefined) ?? ""];
      }),
  );
}

/** As the API wants them: empty is null, which removes a value. */
export function customBody(fields: readonly CustomField[], form: CustomForm): Custom {
  const entries = Object.entries(form).map(([key, value]) => {
    if (value === "" || value === null || (Array.isArray(value) && value.length === 0)) return [key, null];
    const type = fields.find((field) => field.key === key)?.type;
    return [key, type === "boolean" ? value === "true" : value];
  });
  return Object.fromEntries(entries) as Custom;
}

// biome-ignore lint/suspicious/noExplicitAny: any form that has `custom`
type AnyForm = UseFormReturnType<any>;

/** An input per custom field, by its type. */
export function CustomInputs({ fields, form }: { fields: readonly CustomField[]; form: AnyForm }) {
  return fields
    .filter(({ archived }) => !archived)
    .map((field) => <CustomInput key={field.key} field={field} props={form.getInputProps(`custom.${field.key}`)} />);
}

const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

function CustomInput({ field, props }: { field: CustomField; props: object }) {
  const own = { label: field.label, ...(field.required ? { withAsterisk: true } : {}), ...props };
  if (field.type === "number") return <NumberInput hideControls {...own} />;
  if (field.type === "boolean") return <Select data={YES_NO} clearable allowDeselect {...own} />;
  if (field.type === "select") return <Select data={field.options} clearable allowDeselect searchable {...own} />;
  if (field.type === "multi_select") return <MultiSelect data={field.options} clearable searchable {...own} />;
  if (field.type === "date") return <TextInput type="date" {...own} />;
  if (field.type === "url") return <TextInput type="url" placeholder="https://" {...own} />;
  return <TextInput {...own} />;
}

/** A value of a custom field, for reading. */
export function customText(field: CustomField, value: Custom[string] | undefined): React.ReactNode {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value)) return value.join(", ");
  if (field.type === "number") return Number(value).toLocaleString("en-US");
  if (field.type === "date") return day(`${value}T00:00:00`);
  if (field.type === "url") {
    return (
      <a href={String(value)} target="_blank" rel="noreferrer" className="link">
        {String(value).replace(/^https?:\/\//, "")}
      </a>
    );
  }
  return String(value);
}

/** The custom fields that a record has; archived ones keep theirs. */
export function CustomFacts({ fields, custom }: { fields: readonly CustomField[]; custom: Custom }) {
  const rows = fields.map((field) => [field.label, customText(field, custom[field.key])] as const);
  return <Facts rows={rows} />;
}
