import { closed, Id, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Tags } from "../../accounts/clients/index.ts";
import { AccountId, accountOfNew, CustomInput, CustomValues, OwnerId } from "../../accounts/custom-fields/index.ts";
import { CHANNELS, CONSENT_STATUSES } from "./model.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Ada Okafor"],
});
const Phone = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "A phone number in E.164, such as +14155552671",
  examples: ["+14155552671"],
});
const Email = nullable(
  Type.String({ format: "email", maxLength: 254, description: "An e-mail address", examples: ["ada@harbour.example"] }),
);
const Company = nullable(Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["Harbour Dental"] }));
const Notes = nullable(
  Type.String({
    maxLength: 10_000,
    description: "Free text",
    examples: ["Prefers to be called in the morning."],
  }),
);
const ExternalId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Your own id of the contact, unique within its account",
    examples: ["crm-4711"],
  }),
);

/** The fields of a person, which leads have too. */
export const personFields = { name: Name, phone: Phone, email: Email, company: Company, notes: Notes };

const optional = {
  email: Type.Optional(Email),
  company: Type.Optional(Company),
  tags: Type.Optional(Tags),
  notes: Type.Optional(Notes),
  custom: Type.Optional(CustomInput),
  owner_id: Type.Optional(nullable(OwnerId)),
  external_id: Type.Optional(ExternalId),
};

export const ContactCreate = Type.Object(
  { name: Name, phone: Phone, ...optional, ...accountOfNew },
  { ...closed, title: "ContactCreate" },
);
export type ContactCreate = Type.Static<typeof ContactCreate>;

export const ContactPatch = Type.Object(
  { name: Type.Optional(Name), phone: Type.Optional(Phone), ...optional },
  { ...closed, title: "ContactPatch", minProperties: 1 },
);
export type ContactPatch = Type.Static<typeof ContactPatch>;

export const ConsentStatus = Type.Enum([...CONSENT_STATUSES], { description: "unknown until a consent is recorded" });

export const Contact = Type.Object(
  {
    id: Id("contact"),
    account_id: AccountId,
    name: Name,
    phone: Phone,
    email: Email,
    company: Company,
    tags: Tags,
    notes: Notes,
    custom: CustomValues,
    owner_id: nullable(OwnerId),
    external_id: ExternalId,
    consent: Type.Object(Object.fromEntries(CHANNELS.map((channel) => [channel, ConsentStatus])), closed),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Contact" },
);
