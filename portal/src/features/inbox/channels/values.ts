import type { Channel, ChannelKind } from "./data.ts";
import { type HoursValues, hoursValuesOf } from "./hours.ts";
import { FIELDS, type Field } from "./kinds.ts";

/** Texts by the names of members; those of a member of its own below its name. */
export type Texts = { [name: string]: string | null | Texts };
export type Values = HoursValues & {
  kind: ChannelKind;
  name: string;
  per_minute: number | string;
  config: Texts;
  secrets: Texts;
};

type Members = Record<string, unknown>;

const fieldsOf = (kind: ChannelKind, of: Field["in"]) => (FIELDS[kind] ?? []).filter((field) => field.in === of);

const read = (members: unknown, name: string) => (members as Members | undefined)?.[name];

/** What a member says in the form. */
function textOf({ as }: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (as === "lines") return (value as string[]).join("\n");
  return as === "off" ? (value === false ? "off" : "") : String(value);
}

/** What the form says as the member. */
function memberOf({ as }: Field, text: string): unknown {
  if (as === "number") return Number(text);
  if (as === "lines") return [...new Set(text.split("\n").flatMap((line) => originOf(line.trim())))];
  return as === "off" ? false : as === "color" ? text.toLowerCase() : text;
}

/** The origin of a page: whoever copies its address means that. */
function originOf(text: string): string[] {
  if (text === "") return [];
  return [URL.canParse(text) && /^https?:/i.test(text) ? new URL(text).origin : text];
}

/** What the form of a kind begins with: a new channel, or the one that is edited. Secrets are never shown. */
export function valuesOf(kind: ChannelKind, channel?: Channel): Values {
  const texts = (of: Field["in"], members: Members | undefined) => {
    const made: Texts = {};
    for (const field of fieldsOf(kind, of)) {
      const [name = "", inner] = field.name.split(".");
      const value = inner === undefined ? read(members, name) : read(read(members, name), inner);
      const written = channel === undefined ? (field.initial ?? "") : textOf(field, value);
      // A choice that is not made.
      const text = field.as === "choice" && written === "" ? null : written;
      if (inner === undefined) made[name] = text;
      else made[name] = { ...(made[name] as Texts | undefined), [inner]: text };
    }
    return made;
  };
  return {
    kind,
    name: channel?.name ?? "",
    per_minute: channel?.per_minute ?? 60,
    config: texts("config", channel?.config as Members | undefined),
    secrets: texts("secrets", undefined),
    ...hoursValuesOf(channel),
  };
}

/**
 * Members as the API wants them: what is empty is left out, or removed where it was. A member of several is left out as a whole where
 * its first field is empty and may be.
 */
export function membersOf(kind: ChannelKind, of: Field["in"], texts: Texts, before: Members = {}): Members {
  const members: Members = {};
  const skipped = new Set<string>();
  for (const field of fieldsOf(kind, of)) {
    const [name = "", inner] = field.name.split(".");
    const text = String((inner === undefined ? texts[name] : read(texts[name], inner)) ?? "").trim();
    if (inner === undefined) {
      if (text !== "") members[name] = memberOf(field, text);
      else if (before[name] !== undefined) members[name] = null;
      continue;
    }
    if (!(name in members) && !skipped.has(name) && text === "" && field.optional) {
      skipped.add(name);
      if (before[name] !== undefined) members[name] = null;
    } else if (!skipped.has(name)) {
      members[name] = { ...(members[name] as Members | undefined), ...(text === "" ? {} : { [inner]: memberOf(field, text) }) };
    }
  }
  return members;
}
