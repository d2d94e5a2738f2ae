import type { Reference, Spec } from "../../configuring/index.ts";

/** The pages whose filters know custom fields, with the kind of record that has them. */
const RECORDS: Readonly<Record<string, string>> = { contacts: "contact", leads: "lead", deals: "deal" };
const CUSTOM = "custom.";
const ID = /(?:^|[^a-z])[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/;

/** The custom fields that the filters of a view name. */
export function fieldsOf({ page, query }: Spec): Reference[] {
  const kind = RECORDS[String(page)];
  if (kind === undefined) return [];
  return [...new Set(new URLSearchParams(String(query)).keys())]
    .filter((name) => name.startsWith(CUSTOM))
    .map((name) => ({ pointer: "/query", type: "custom_field", key: `${kind}.${name.slice(CUSTOM.length)}` }));
}

/** A view without the filters that name records or people of the account, such as an owner or a pipeline. */
export function portableView(spec: Spec): { spec: Spec; left_out: string[] } {
  const filters = new URLSearchParams(String(spec.query));
  const own = [...new Set([...filters].filter(([, value]) => ID.test(value)).map(([name]) => name))];
  if (own.length === 0) return { spec, left_out: [] };
  for (const name of own) filters.delete(name);
  const left_out = own.map((name) => `The filter ${name} of the view ${spec.name} names what only this account has.`);
  return { spec: { ...spec, query: filters.toString() }, left_out };
}
