import { NumberInput, PasswordInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { Channel, ChannelKind } from "./data.ts";
import { FIELDS, type Field } from "./kinds.ts";

export type Values = {
  kind: ChannelKind;
  name: string;
  per_minute: number | string;
  config: Record<string, string>;
  secrets: Record<string, string>;
};

const named = (fields: readonly Field[], of: Field["in"], value: (name: string) => string) =>
  Object.fromEntries(fields.filter((field) => field.in === of).map(({ name }) => [name, value(name)]));

/** What the form of a kind begins with: a new channel, or the one that is edited. Secrets are never shown. */
export function valuesOf(kind: ChannelKind, channel?: Channel): Values {
  const fields = FIELDS[kind] ?? [];
  return {
    kind,
    name: channel?.name ?? "",
    per_minute: channel?.per_minute ?? 60,
    config: named(fields, "config", (name) => String(channel?.config[name] ?? "")),
    secrets: named(fields, "secrets", () => ""),
  };
}

/** Members as the API wants them: what is empty is left out, or removed where it was. */
export function membersOf(values: Record<string, string>, before?: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(values).flatMap(([name, value]): [string, string | null][] => {
    if (value.trim() !== "") return [[name, value.trim()]];
    return before?.[name] === undefined ? [] : [[name, null]];
  });
  return Object.fromEntries(entries);
}

type Props = { form: UseFormReturnType<Values>; kind: ChannelKind; edits?: boolean; disabled?: boolean };

/** The name of a channel, what its kind needs, and how fast it may send. */
export function ChannelFields({ form, kind, edits = false, disabled = false }: Props) {
  return (
    <>
      <TextInput label="Name" disabled={disabled} {...form.getInputProps("name")} />
      {FIELDS[kind]?.map(({ in: group, name, label, hint, placeholder, optional }) => {
        const kept = group === "secrets" && edits ? "Stored and never shown. Empty keeps it" : hint;
        const props = {
          label: optional ? `${label} (optional)` : label,
          disabled,
          autoComplete: "off",
          ...(kept ? { description: kept } : {}),
          ...(placeholder ? { placeholder } : {}),
          ...form.getInputProps(`${group}.${name}`),
        };
        return group === "secrets" ? <PasswordInput key={name} {...props} /> : <TextInput key={name} {...props} />;
      })}
      <NumberInput label="Messages a minute, at most" min={1} disabled={disabled} {...form.getInputProps("per_minute")} />
    </>
  );
}
