import { Checkbox, ColorInput, NumberInput, PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import classes from "./channels.module.css";
import type { ChannelKind } from "./data.ts";
import { HoursFields } from "./hours.tsx";
import { FIELDS, type Field } from "./kinds.ts";
import type { Values } from "./values.ts";

type Props = { form: UseFormReturnType<Values>; kind: ChannelKind; edits?: boolean; disabled?: boolean };

/** The name of a channel, what its kind needs, and how fast it may send. */
export function ChannelFields({ form, kind, edits = false, disabled = false }: Props) {
  const ask = (field: Field) => <Asked key={`${field.in} ${field.name}`} {...{ form, field, edits, disabled }} />;
  return (
    <>
      <TextInput label="Name" disabled={disabled} {...form.getInputProps("name")} />
      {groupsOf(FIELDS[kind] ?? []).map(({ group, fields }) =>
        group === undefined ? (
          fields.map(ask)
        ) : (
          <fieldset key={group} className={classes.group}>
            <legend>
              {group}
              {fields[0]?.optional && <span className="muted"> (optional)</span>}
            </legend>
            {fields.map(ask)}
          </fieldset>
        ),
      )}
      {kind !== "webchat" && (
        <NumberInput label="Messages a minute, at most" min={1} disabled={disabled} {...form.getInputProps("per_minute")} />
      )}
      <HoursFields form={form} disabled={disabled} />
    </>
  );
}

/** Fields in their order, those of a group together. */
function groupsOf(fields: readonly Field[]) {
  const groups: { group: string | undefined; fields: Field[] }[] = [];
  for (const field of fields) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === field.group) last.fields.push(field);
    else groups.push({ group: field.group, fields: [field] });
  }
  return groups;
}

const COLOR_NAMES = { input: "t-input", label: "t-label", error: "t-error", description: "t-hint" };

type AskedProps = Pick<Props, "form"> & { field: Field; edits: boolean; disabled: boolean };

function Asked({ form, field, edits, disabled }: AskedProps) {
  const { in: group, name, label, hint, placeholder, optional, as, choices = {}, half } = field;
  const path = `${group}.${name}`;
  const kept = group === "secrets" && edits ? "Stored and never shown. Empty keeps it" : hint;
  const props = {
    label: optional && field.group === undefined ? `${label} (optional)` : label,
    disabled,
    ...(kept ? { description: kept } : {}),
    ...(placeholder ? { placeholder } : {}),
    ...(half ? { className: classes[half] } : {}),
    ...form.getInputProps(path),
  };
  if (group === "secrets") return <PasswordInput autoComplete="new-password" {...props} />;
  switch (as) {
    case "words":
    case "lines":
      return <Textarea autosize minRows={2} maxRows={8} {...props} />;
    case "number":
      return <NumberInput min={1} hideControls {...props} />;
    case "color":
      return (
        <ColorInput
          format="hex"
          classNames={COLOR_NAMES}
          eyeDropperButtonProps={{ "aria-label": "Pick a colour from the screen" }}
          {...props}
        />
      );
    case "choice":
      return <Select clearable data={Object.entries(choices).map(([value, text]) => ({ value, label: text }))} {...props} />;
    case "off": {
      const { value, onChange: _, ...rest } = props;
      const set = (on: boolean) => form.setFieldValue(path, on ? "" : "off");
      return <Checkbox {...rest} checked={value !== "off"} onChange={({ currentTarget }) => set(currentTarget.checked)} />;
    }
    default:
      return <TextInput autoComplete="off" {...props} />;
  }
}
