import type { Account } from "../../../accounts/custom-fields/index.ts";
import type { Image, Importable, ImportField } from "../../records/index.ts";
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
];

const WHOLE = [["name", "first_name", "last_name"], ["phone"]];

export const REQUIRED: Importable["required"] = {
  create: WHOLE,
  upsert: WHOLE,
  update: [["id", "phone", "email", "external_id"]],
};

/** What a row says of a contact. */
export type ContactRow = Partial<Omit<ImportedContact, "version" | "custom">> & {
  first_name?: string;
  last_name?: string;
  custom?: Record<string, unknown>;
};

export type Identities = {
  id?: string | undefined;
  phone?: string | null | undefined;
  email?: string | null | undefined;
  external_id?: string | null | undefined;
};

/** The names that no two contacts of an account share. */
export function keysOf({ id, phone, email, external_id }: Identities): string[] {
  return [
    ...(id == null ? [] : [`id ${id}`]),
    ...(phone == null ? [] : [`phone ${phone}`]),
    ...(email == null ? [] : [`email ${email.toLowerCase()}`]),
    ...(external_id == null ? [] : [`external_id ${external_id}`]),
  ];
}

export type Register = ReturnType<typeof createRegister>;

/** What tells a row's contact from others: where phones are shared, a phone does only for want of anything else. */
export function matchKeysOfRow({ shared_phones }: Pick<Account, "shared_phones">, names: Identities): Identities {
  const { phone: _, ...others } = names;
  return shared_phones && keysOf(others).length > 0 ? others : names;
}

/** What no other contact of the account may have. */
export function ownOf({ shared_phones }: Pick<Account, "shared_phones">, { phone, ...others }: Identities): Identities {
  return shared_phones ? others : { phone, ...others };
}

/** Contacts by whatever they are known by, as the rows so far leave them, and as they were. */
export function createRegister(contacts: readonly ImportedContact[]) {
  const known = new Map<string, Map<string, ImportedContact>>();
  const originals = new Map(contacts.map((contact) => [contact.id, contact]));
  const written = new Map<string, ImportedContact>();
  const note = (contact: ImportedContact) => {
    for (const key of keysOf(contact)) known.set(key, (known.get(key) ?? new Map()).set(contact.id, contact));
  };
  for (const contact of contacts) note(contact);
  return {
    /** The contacts that have any of these names, each once. */
    matches: (identities: Identities) => [...new Set(keysOf(identities).flatMap((key) => [...(known.get(key)?.values() ?? [])]))],
    /** The contact as it was before all rows; null where one of them makes it. */
    original: (id: string) => originals.get(id) ?? null,
    save(after: ImportedContact, before?: ImportedContact) {
      if (before !== undefined) for (const key of keysOf(before)) known.get(key)?.delete(before.id);
      note(after);
      written.set(after.id, after);
    },
    /** What there is to write, in the order of the rows. */
    toAdd: () => [...written.values()].filter(({ id }) => !originals.has(id)),
    toChange: () => [...written.values()].filter(({ id }) => originals.has(id)),
  };
}

/** What of a contact an import can change, and a revert puts back. */
export function imageOf({ id, version, ...before }: ImportedContact): Image {
  return { record_id: id, version: version + 1, before };
}

export function contactOf({ record_id, version, before }: Image): ImportedContact {
  return { ...(before as Omit<ImportedContact, "id" | "version">), id: record_id, version };
}
