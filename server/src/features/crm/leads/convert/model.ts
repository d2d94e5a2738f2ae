import { fail } from "../../../../kernel/errors.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { type ContactCreate, type ContactPatch, type ContactRow, canonicalPhone } from "../../contacts/index.ts";
import type { DealCreate } from "../../deals/index.ts";
import type { Identity } from "../../records/index.ts";
import type { Lead } from "../model.ts";

/** How long a conversion can be undone. */
export const UNDO_MS = 86_400_000;

/** What the contact of a lead is matched by: the request takes precedence over the lead. */
export function contactIdentity(lead: Lead, { phone, email, external_id = null }: ContactPatch): Identity {
  return {
    phone: phone === undefined ? lead.phone : canonicalPhone(phone),
    email: email === undefined ? lead.email : email,
    external_id,
  };
}

/** The contact that is created from a lead. */
export function contactFrom(lead: Lead, fields: ContactPatch): ContactCreate {
  const { phone, email } = contactIdentity(lead, fields);
  if (phone === null) fail("phone_required");
  const { company, notes, owner_id } = lead;
  const name = lead.name ?? company ?? email ?? phone;
  return { name, company, notes, owner_id, ...fields, phone, email, tags: withTags(lead.tags, fields.tags ?? []) };
}

const FILLED = ["email", "company", "notes", "owner_id"] as const;

/** What a lead adds to an existing contact: the fields that it lacks, the tags, and the fields of the request. */
export function additionTo(found: ContactRow, lead: Lead, fields: ContactPatch): ContactPatch {
  const lacking = FILLED.filter((field) => found[field] === null && lead[field] !== null);
  return {
    ...Object.fromEntries(lacking.map((field) => [field, lead[field]])),
    ...fields,
    tags: withTags(found.tags, [...lead.tags, ...(fields.tags ?? [])]),
  };
}

/** The deal that is created with the contact of a lead, by default named after the company or the person. */
export function dealFrom(lead: Lead, contact: ContactRow, wanted: DealCreate): DealCreate {
  const { company, owner_id } = lead;
  return { name: company ?? contact.name, company, owner_id, ...wanted, contact_id: contact.id };
}
