import type { Channel, Consent, Contact, ContactFields } from "../model.ts";
import { CHANNELS } from "../model.ts";

/** What can be taken from the other contact although this one has its own. */
export const CHOICES = ["name", "phone", "email", "company", "notes", "owner_id", "external_id"] as const;
export type Choice = (typeof CHOICES)[number];

/** A contact's fields as they were, to be put back by an undo. */
export function imageOf(contact: Contact): ContactFields {
  const { name, phone, email, company, tags, notes, custom, owner_id, external_id, consent } = contact;
  return { name, phone, email, company, tags, notes, custom, owner_id, external_id, consent };
}

/** One contact of two: its own fields, the other's where it has none or where they are chosen, and the tags of both. */
export function mergedFields(into: Contact, from: Contact, chosen: readonly Choice[], tags: string[]): ContactFields {
  const pick = <Name extends Choice>(name: Name): ContactFields[Name] =>
    chosen.includes(name) ? (from[name] ?? into[name]) : (into[name] ?? from[name]);
  return {
    name: pick("name"),
    phone: pick("phone"),
    email: pick("email"),
    company: pick("company"),
    notes: pick("notes"),
    owner_id: pick("owner_id"),
    external_id: pick("external_id"),
    tags,
    custom: { ...from.custom, ...into.custom },
    consent: mergedConsent(into.consent, from.consent),
  };
}

/** A denial of either stays one; else what is known goes before what is not, and the contact's own before the other's. */
export function mergedConsent(into: ContactFields["consent"], from: ContactFields["consent"]): ContactFields["consent"] {
  const merged: Partial<Record<Channel, Consent>> = {};
  for (const channel of CHANNELS) {
    const said = [into[channel], from[channel]].filter((consent) => consent !== undefined);
    const strongest = ["denied", "granted", "unknown"].flatMap((status) =>
      said.filter((consent) => consent.status === status),
    )[0];
    if (strongest !== undefined) merged[channel] = strongest;
  }
  return merged;
}
