import { fail } from "../../../../kernel/errors.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { type ContactCreate, type ContactPatch, type ContactRow, canonicalPhone } from "../../contacts/index.ts";
import type { DealCreate } from "../../deals/index.ts";
import type { Identity } from "../../records/index.ts";
import type { Lead } from "../model.ts";

/** How long a conversion can be taken back. */
export const UNDO_MS = 86_400_000;

/** By what the contact of a lead is found: what is given goes before what the lead has. */
export function contactIdentity(lead: Lead, { phone, email, external_id = null }: ContactPatch): Identity {
  return {
    phone: phone === undefined ? lead.phone : canonicalPhone(phone),
    email: email === undefined ? lead.email : email,
    external_id,
  };
}

/** The contact that is made of a lead. */
export function contactFrom(lead: Lead, given: ContactPatch): ContactCreate {
  const { phone, email } = contactIdentity(lead, given);
  if (phone === null) fail("phone_required");
  const { company, notes, owner_id } = lead;
  const name = lead.name ?? company ?? email ?? phone;
  return { name, company, notes, owner_id, ...given, phone, email, tags: withTags(lead.tags, given.tags ?? []) };
}

const FILLED = ["email", "company", "notes", "owner_id"] as const;

/** What a lead adds to a contact that is there: what it lacks, the tags, and whatever is given. */
export function additionTo(found: ContactRow, lead: Lead, given: ContactPatch): ContactPatch {
  const lacking = FILLED.filter((field) => found[field] === null && lead[field] !== null);
  return {
    ...Object.fromEntries(lacking.map((field) => [field, lead[field]])),
    ...given,
    tags: withTags(found.tags, [...lead.tags, ...(given.tags ?? [])]),
  };
}

/** The deal that a lead opens with its contact: named after the company or the person, unless it is told. */
export function dealFrom(lead: Lead, contact: ContactRow, wanted: DealCreate): DealCreate {
  const { company, owner_id } = lead;
  return { name: company ?? contact.name, company, owner_id, ...wanted, contact_id: contact.id };
}
