import type { Account } from "../../../accounts/custom-fields/index.ts";
import type { Importable, ImportField, RecordImage } from "../../records/index.ts";
import { CHANNELS, type ContactFields } from "../model.ts";
import type { ImportedContact } from "./queries.ts";

export const CONTACT_IMPORT_FIELDS: readonly ImportField[] = [
  { name: "id", reading: "trimmed", synonyms: ["contactid", "recordid"] },
  { name: "name", reading: "text", synonyms: ["fullname", "contactname", "displayname", "contact"] },
  { name: "first_name", reading: "text", synonyms: ["givenname", "forename"] },
  { name: "last_name", reading: "text", synonyms: ["familyname", "surname"] },
  {
    name: "phone",
    reading: "phone",
    synonyms: ["phonenumber", "telephone", "tel", "mobile", "mobilephone", "mobilenumber", "cell", "cellphone"],
  },
  { name: "email", reading: "trimmed", synonyms: ["emailaddress", "mail", "mailaddress"] },
  { name: "company", reading: "text", synonyms: ["companyname", "organisation", "organization", "business"] },
  { name: "tags", reading: "list", synonyms: ["tag", "labels"] },
  { name: "notes", reading: "text", synonyms: ["note", "comment", "comments", "description"] },
  { name: "owner_id", reading: "trimmed" },
  { name: "external_id", reading: "text" },
  ...CHANNELS.flatMap((channel): ImportField[] => [
    { name: `consent.${channel}`, reading: "trimmed", synonyms: [`${channel}consent`] },
    { name: `consent.${channel}.source`, reading: "text", synonyms: [`${channel}consentsource`] },
    { name: `consent.${channel}.at`, reading: "trimmed", synonyms: [`${channel}consentat`] },
  ]),
];

const WHOLE = [["name", "first_name", "last_name"], ["phone"]];

export const REQUIRED: Importable["required"] = {
  create: WHOLE,
  upsert: WHOLE,
  update: [["id", "phone", "email", "external_id"]],
};

/** The fields of a contact in a row. */
export type ContactRow = Partial<Omit<ImportedContact, "version" | "custom">> & {
  first_name?: string;
  last_name?: string;
  custom?: Record<string, unknown>;
};

export type Keys = {
  id?: string | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  external_id?: string | null | undefined;
};

/** The keys as text, for lookups in memory. */
export function lookupKeys({ id, phone, email, external_id }: Keys): string[] {
  return [
    ...(id == null ? [] : [`id ${id}`]),
    ...(phone == null ? [] : [`phone ${phone}`]),
    ...(email == null ? [] : [`email ${email.toLowerCase()}`]),
    ...(external_id == null ? [] : [`external_id ${external_id}`]),
  ];
}

export type ContactIndex = ReturnType<typeof createContactIndex>;

/** The keys to match a row by: where phones are shared, the phone only counts if there is nothing else. */
export function rowMatchKeys({ shared_phones }: Pick<Account, "shared_phones">, keys: Keys): Keys {
  const { phone: _, ...others } = keys;
  return shared_phones && lookupKeys(others).length > 0 ? others : keys;
}

/** The keys that must be unique in the account. */
export function uniqueKeys({ shared_phones }: Pick<Account, "shared_phones">, { phone, ...others }: Keys): Keys {
  return shared_phones ? others : { phone, ...others };
}

/** The contacts that rows may match, by key, in their state after the rows so far and in their original one. */
export function createContactIndex(contacts: readonly ImportedContact[]) {
  const byKey = new Map<string, Map<string, ImportedContact>>();
  const originals = new Map(contacts.map((contact) => [contact.id, contact]));
  const written = new Map<string, ImportedContact>();
  const add = (contact: ImportedContact) => {
    for (const key of lookupKeys(contact)) byKey.set(key, (byKey.get(key) ?? new Map()).set(contact.id, contact));
  };
  for (const contact of contacts) add(contact);
  return {
    /** The contacts with any of the keys, without repeats. */
    matches: (keys: Keys) => [...new Set(lookupKeys(keys).flatMap((key) => [...(byKey.get(key)?.values() ?? [])]))],
    /** The contact before all rows; null where a row creates it. */
    original: (id: string) => originals.get(id) ?? null,
    save(after: ImportedContact, before?: ImportedContact) {
      if (before !== undefined) for (const key of lookupKeys(before)) byKey.get(key)?.delete(before.id);
      add(after);
      written.set(after.id, after);
    },
    /** The contacts to insert and to update, in the order of the rows. */
    toAdd: () => [...written.values()].filter(({ id }) => !originals.has(id)),
    toChange: () => [...written.values()].filter(({ id }) => originals.has(id)),
  };
}

/**
 * The consents of a contact after those of a row. One with the status that the contact has already changes nothing, unless it names another
 * source: exports have the status alone.
 */
export function withConsents(before: ContactFields["consent"], row: ContactFields["consent"] = {}): ContactFields["consent"] {
  const after = { ...before };
  for (const channel of CHANNELS) {
    const consent = row[channel];
    if (consent === undefined) continue;
    const { status = "unknown", source = null } = before[channel] ?? {};
    if (consent.status !== status || (consent.source !== null && consent.source !== source)) after[channel] = consent;
  }
  return after;
}

/** The image of a contact, for a revert. */
export function imageOf({ id, version, ...before }: ImportedContact): RecordImage {
  return { record_id: id, version: version + 1, before };
}

export function contactOf({ record_id, version, before }: RecordImage): ImportedContact {
  return { ...(before as Omit<ImportedContact, "id" | "version">), id: record_id, version };
}
