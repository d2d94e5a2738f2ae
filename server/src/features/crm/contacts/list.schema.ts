import { closed, FreeText, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, customParameters, OwnerId } from "../../accounts/custom-fields/index.ts";
import { Contact } from "./schema.ts";

export const CONTACT_SORTS = ["-created_at", "created_at", "name", "-updated_at"] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

export const ContactListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(
      Type.Enum([...CONTACT_SORTS], { description: "A leading minus sorts in descending order; default -created_at" }),
    ),
    account_id: Type.Optional(AccountId),
    tag: Type.Optional(
      Type.Array(FreeText(50, "A tag", "vip"), { minItems: 1, maxItems: 20, description: "Contacts with any of these tags" }),
    ),
    company: Type.Optional(FreeText(200, "The full name of a company, case-insensitive", "Harbour Dental")),
    phone: Type.Optional(FreeText(40, "The whole phone number", "+14155552671")),
    email: Type.Optional(FreeText(254, "The whole e-mail address, case-insensitive", "ada@harbour.example")),
    owner_id: Type.Optional(OwnerId),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    updated_after: Type.Optional(Time),
    updated_before: Type.Optional(Time),
    q: Type.Optional(
      FreeText(100, "Text to search for in name, e-mail, phone, company and notes; case-insensitive, tolerates typos", "okafor"),
    ),
  },
  { ...closed, ...customParameters },
);
export type ContactListQuery = Type.Static<typeof ContactListQuery>;

export const ContactList = listOf(Contact, "ContactList");
