import { CHANNELS, type Channel, type Consent, type Contact, type ContactFields, FIELDS, type NewContact } from "../model.ts";

export type Choice = Exclude<keyof NewContact, "tags" | "custom">;

/** The fields whose value can be chosen from either contact. */
export const CHOICES = FIELDS.filter((field): field is Choice => field !== "tags" && field !== "custom");

/** One contact of two: its own fields, the other's where it has none or where they are chosen, and the tags of both. */
export function mergedFields(into: Contact, from: Contact, chosen: readonly Choice[], tags: string[]): ContactFields {
  const pick = (name: Choice) => (chosen.includes(name) ? (from[name] ?? into[name]) : (into[name] ?? from[name]));
  const picked = Object.fromEntries(CHOICES.map((name) => [name, pick(name)])) as Pick<ContactFields, Choice>;
  return {
    ...picked,
    tags,
    custom: { ...from.custom, ...into.custom },
    consent: mergedConsent(into.consent, from.consent),
  };
}

/** Per channel, a denial takes precedence over a grant, a grant over unknown, and the contact's own consent over the other's. */
export function mergedConsent(into: ContactFields["consent"], from: ContactFields["consent"]): ContactFields["consent"] {
  const merged: Partial<Record<Channel, Consent>> = {};
  for (const channel of CHANNELS) {
    const consents = [into[channel], from[channel]].filter((consent) => consent !== undefined);
    const strongest = ["denied", "granted", "unknown"].flatMap((status) =>
      consents.filter((consent) => consent.status === status),
    )[0];
    if (strongest !== undefined) merged[channel] = strongest;
  }
  return merged;
}
