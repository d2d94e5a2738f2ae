import { fail } from "../../../kernel/errors.ts";
import { readPhone } from "../../../kernel/phone.ts";
import type { Custom } from "../../accounts/custom-fields/index.ts";

export const CHANNELS = ["sms", "email", "whatsapp", "calls"] as const;
export type Channel = (typeof CHANNELS)[number];

export const CONSENT_STATUSES = ["granted", "denied", "unknown"] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];

/** A contact's consent for a channel, its source, and when it was given or denied. */
export type Consent = { status: ConsentStatus; source: string | null; at: string };

/** How long a deleted contact, and the images of a merge, are kept before they are erased. */
export const KEEP_DELETED_MS = 30 * 86_400_000;

/** What a contact consists of, besides its ids and timestamps. */
export type ContactFields = {
  name: string;
  phone: string | null;
  email: string | null;
  company: string | null;
  tags: string[];
  notes: string | null;
  custom: Custom;
  owner_id: string | null;
  external_id: string | null;
  consent: Partial<Record<Channel, Consent>>;
};

/** A contact's row, with its JSON for the API. */
export type Contact = ContactFields & {
  id: string;
  account_id: string;
  /** Whether other contacts of the account may have the same phone. */
  phone_shared: boolean;
  merged_into: string | null;
  deleted_at: Date | null;
  erased_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  json: string;
};

type Field = Exclude<keyof ContactFields, "consent">;

/** The fields that callers write, with the types of their columns: the one list that statements, images and audit entries are built from. */
export const FIELD_TYPES = {
  name: "text",
  phone: "text",
  email: "text",
  company: "text",
  tags: "text[]",
  notes: "text",
  custom: "jsonb",
  owner_id: "text",
  external_id: "text",
} as const satisfies Record<Field, string>;
export const FIELDS = Object.keys(FIELD_TYPES) as readonly Field[];

export type NewContact = Pick<ContactFields, Field>;

/** The defaults of a new contact, and what an erased one is reset to. */
export const EMPTY: NewContact = {
  name: "",
  phone: null,
  email: null,
  company: null,
  tags: [],
  notes: null,
  custom: {},
  owner_id: null,
  external_id: null,
};

/** An audit entry cannot be erased, so it names the personal fields that changed and leaves out their values. */
export const PERSONAL: ReadonlySet<string> = new Set(FIELDS.filter((field) => field !== "owner_id"));

/** The fields of a contact, to be restored by an undo. */
export function imageOf(contact: ContactFields): ContactFields {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, contact[field]])) as NewContact;
  return { ...fields, consent: contact.consent };
}

/** The number in its canonical form. A near miss is refused with a suggestion. */
export function canonicalPhone(text: string): string {
  const reading = readPhone(text);
  if (reading.phone !== null) return reading.phone;
  const { suggestion } = reading;
  const detail = `phone must be in E.164, such as +14155552671.${suggestion === null ? "" : ` Did you mean ${suggestion}?`}`;
  fail("invalid_phone", {
    detail,
    faults: [{ in: "body", pointer: "#/phone", code: "invalid_phone", detail }],
    ...(suggestion === null ? {} : { meta: { suggestion } }),
  });
}
