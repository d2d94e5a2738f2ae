import { closed, Id, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Tags } from "../../accounts/clients/index.ts";
import { AccountId, accountOfNew, CustomInput, CustomValues, OwnerId } from "../../accounts/custom-fields/index.ts";
import { personFields } from "../contacts/index.ts";
import { LEAD_STATUSES, SETTABLE_STATUSES, SOURCE_FIELDS, SOURCE_KINDS, UTM_FIELDS } from "./model.ts";

const Name = nullable(personFields.name);
const Phone = nullable(personFields.phone);
const { email: Email, company: Company, notes: Notes } = personFields;
const Title = nullable(Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["Practice manager"] }));
const Country = nullable(
  Type.String({ pattern: "^[A-Z]{2}$", description: "An ISO 3166 code of two letters, such as DE", examples: ["DE"] }),
);
const ExternalId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Your own id of the lead, unique in its account",
    examples: ["form-4711"],
  }),
);
const Reason = nullable(
  Type.String({ minLength: 1, maxLength: 500, description: "Why the lead is disqualified", examples: ["No budget this year"] }),
);
const Status = Type.Enum([...SETTABLE_STATUSES], { examples: ["working"] });

const Kind = Type.Enum([...SOURCE_KINDS], { description: "Channel of the lead. Default api", examples: ["form"] });
const Text = nullable(Type.String({ minLength: 1, maxLength: 2_000, examples: ["spring-sale"] }));
const textsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Text])) as Record<Name, typeof Text>;
const optionalTextsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Text)])) as Record<Name, Type.TOptional<typeof Text>>;

const SourceInput = Type.Object(
  {
    kind: Type.Optional(Kind),
    ...optionalTextsOf(SOURCE_FIELDS),
    utm: Type.Optional(Type.Object(optionalTextsOf(UTM_FIELDS), closed)),
  },
  { ...closed, description: "Where the lead came from. An update replaces it as a whole" },
);

const writable = {
  name: Type.Optional(Name),
  phone: Type.Optional(Phone),
  email: Type.Optional(Email),
  company: Type.Optional(Company),
  title: Type.Optional(Title),
  country: Type.Optional(Country),
  status: Type.Optional(Status),
  reason: Type.Optional(Reason),
  source: Type.Optional(SourceInput),
  tags: Type.Optional(Tags),
  notes: Type.Optional(Notes),
  custom: Type.Optional(CustomInput),
  owner_id: Type.Optional(nullable(OwnerId)),
  external_id: Type.Optional(ExternalId),
};

export const LeadCreate = Type.Object({ ...writable, ...accountOfNew }, { ...closed, title: "LeadCreate" });
export type LeadCreate = Type.Static<typeof LeadCreate>;

export const LeadPatch = Type.Object(writable, { ...closed, title: "LeadPatch", minProperties: 1 });
export type LeadPatch = Type.Static<typeof LeadPatch>;

export const Lead = Type.Object(
  {
    id: Id("lead"),
    account_id: AccountId,
    name: Name,
    phone: Phone,
    email: Email,
    company: Company,
    title: Title,
    country: Country,
    status: Type.Enum([...LEAD_STATUSES], { examples: ["new"] }),
    disqualified_reason: Reason,
    owner_id: nullable(OwnerId),
    score: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "Score by the rules of the account, see /v1/leads/scoring",
      examples: [35],
    }),
    affiliate_link_id: nullable(
      Type.String({ ...Id("link"), description: "Affiliate link that the lead came by, where source.click_id proves one" }),
    ),
    source: Type.Object({ kind: Kind, ...textsOf(SOURCE_FIELDS), utm: Type.Object(textsOf(UTM_FIELDS), closed) }, closed),
    tags: Tags,
    notes: Notes,
    custom: CustomValues,
    external_id: ExternalId,
    converted: nullable(
      Type.Object(
        {
          at: Time,
          contact_id: Id("contact"),
          deal_id: nullable(Id("deal")),
          by: Type.String({ description: "Key or user that converted the lead", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
        },
        { ...closed, description: "Result of the conversion" },
      ),
    ),
    last_activity_at: Type.String({
      ...Time,
      description: "When the lead was created, changed its status or last received a note",
    }),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Lead" },
);
