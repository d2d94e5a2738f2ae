import { fail } from "../../../kernel/errors.ts";
import { readPhone } from "../../../kernel/phone.ts";
import type { Custom } from "../../accounts/custom-fields/index.ts";

export const CHANNELS = ["sms", "email", "whatsapp", "calls"] as const;
export type Channel = (typeof CHANNELS)[number];

export const CONSENT_STATUSES = ["granted", "denied", "unknown"] as const;
export type ConsentStatus = (typeof CONSENT_STATUSES)[number];

/** What a contact said about a channel, where, and when. */
export type Consent = { status: ConsentStatus; source: string | null; at: string };

/** How long a deleted contact and what a merge took are kept, before they are erased. */
export const KEEP_DELETED_MS = 30 * 86_400_000;

/** What is kept of a contact besides its place and its times. */
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

/** A contact as its row is read, with the JSON that the API shows of it. */
export type Contact = ContactFields & {
  id: string;
  account_id: string;
  /** Whether others of the account may have its phone. */
  phone_shared: boolean;
  merged_into: string | null;
  deleted_at: Date | null;
  erased_at: Date | null;
  version: number;
  json: string;
};

/** The fields that an audit entry compares. It cannot be erased, so what says anything of a person is only named in it. */
export const AUDITED = [
  "name",
  "phone",
  "email",
  "company",
  "tags",
  "notes",
  "custom",
  "owner_id",
  "external_id",
] as const satisfies (keyof ContactFields)[];
export const PERSONAL: ReadonlySet<string> = new Set(AUDITED.filter((field) => field !== "owner_id"));

/** The number in its canonical form. A near miss is refused with what may have been meant. */
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
