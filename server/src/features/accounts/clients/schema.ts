import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { CLIENT_STATUSES, TAGS_MAX } from "./model.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  description: "1 to 200 characters, not whitespace only",
  examples: ["Harbour Dental"],
});
export const Reason = nullable(
  Type.String({ minLength: 1, maxLength: 500, description: "The reason, in your own words", examples: ["Invoice overdue"] }),
);
const ExternalId = nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Your own id of the client, unique among your clients",
    examples: ["crm-4711"],
  }),
);
const Plan = nullable(Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", examples: ["Growth"] }));
const Cents = Type.Integer({
  minimum: 0,
  maximum: CENTS_MAX,
  description: "Monthly recurring revenue in minor units",
  examples: [49900],
});
export const Currency = Type.String({
  format: "currency",
  description: "An ISO 4217 code in lower case, such as usd",
  examples: ["usd"],
});
export const Status = Type.Enum([...CLIENT_STATUSES]);

export const ContactDetails = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, examples: ["Ada Okafor"] })),
    email: Type.Optional(
      Type.String({ format: "email", maxLength: 254, description: "An e-mail address", examples: ["ada@harbour.example"] }),
    ),
    phone: Type.Optional(
      Type.String({
        pattern: "^\\+[1-9][0-9]{6,14}$",
        description: "A phone number in E.164, such as +14155552671",
        examples: ["+14155552671"],
      }),
    ),
  },
  closed,
);

export const Branding = Type.Object(
  {
    product_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["Northwind CRM"] })),
    logo_url: Type.Optional(
      Type.String({
        format: "web-address",
        maxLength: 2000,
        description: "An http or https URL",
        examples: ["https://cdn.example/logo.svg"],
      }),
    ),
    primary_color: Type.Optional(
      Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "A colour such as #0b7285", examples: ["#0b7285"] }),
    ),
    domain: Type.Optional(
      Type.String({
        pattern: "^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$",
        description: "A host name in lower case, such as app.example.com",
        examples: ["app.northwind.example"],
      }),
    ),
    support_email: Type.Optional(
      Type.String({ format: "email", maxLength: 254, description: "An e-mail address", examples: ["help@northwind.example"] }),
    ),
  },
  closed,
);

export const Tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 50 characters without leading or trailing whitespace",
  examples: ["vip"],
});
export const Tags = Type.Array(Tag, {
  maxItems: TAGS_MAX,
  uniqueItems: true,
  description: "Up to 50 tags",
  examples: [["vip", "emea"]],
});

const Metadata = Type.Record(Type.String({ pattern: "^.{1,40}$" }), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  additionalProperties: false,
  description: "Up to 50 members, with names of 1 to 40 characters and values of up to 500",
  examples: [{ region: "emea" }],
});

const writable = {
  external_id: Type.Optional(ExternalId),
  contact: Type.Optional(nullable(ContactDetails)),
  plan: Type.Optional(Plan),
  mrr_cents: Type.Optional(Cents),
  currency: Type.Optional(Currency),
  branding: Type.Optional(nullable(Branding)),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(Metadata),
};

const SnapshotVersion = Type.Integer({ minimum: 1, maximum: 999_999_999, description: "Version of the snapshot", examples: [1] });

const RequestedSnapshots = Type.Array(
  Type.Object({ snapshot_id: Id("snapshot"), version: Type.Optional(SnapshotVersion) }, closed),
  {
    maxItems: 20,
    description:
      "Snapshots to deploy to the new account, in this order and by default in their latest version, instead of the partner's defaults. An empty list deploys none. Needs the scope snapshots:deploy, too.",
    examples: [[]],
  },
);

export const ClientCreate = Type.Object(
  {
    company: Name,
    ...writable,
    snapshots: Type.Optional(RequestedSnapshots),
    activate: Type.Optional(Type.Boolean({ description: "false creates the account as pending", default: true })),
  },
  { ...closed, title: "ClientCreate" },
);
export type ClientCreate = Type.Static<typeof ClientCreate>;

export const ClientPatch = Type.Object(
  { company: Type.Optional(Name), ...writable, status: Type.Optional(Status), reason: Type.Optional(Reason) },
  { ...closed, title: "ClientPatch", minProperties: 1, dependentRequired: { reason: ["status"] } },
);
export type ClientPatch = Type.Static<typeof ClientPatch>;

export const ReasonBody = Type.Object({ reason: Type.Optional(Reason) }, { ...closed, title: "Reason" });

export const Client = Type.Object(
  {
    id: Id("client"),
    partner_id: Id("partner"),
    house: Type.Boolean(),
    company: Name,
    external_id: ExternalId,
    contact: nullable(ContactDetails),
    plan: Plan,
    mrr_cents: Cents,
    currency: Currency,
    status: Status,
    status_reason: Reason,
    status_changed_at: Time,
    branding: Branding,
    branding_source: Type.Enum(["partner", "override"]),
    snapshots: Type.Array(
      Type.Object(
        {
          snapshot_id: Id("snapshot"),
          version: SnapshotVersion,
          status: Type.Enum(["installed", "queued"], { description: "Whether it runs, or is deployed shortly" }),
        },
        closed,
      ),
      { description: "Snapshots that the account runs" },
    ),
    tags: Tags,
    metadata: Metadata,
    activated_at: nullable(Time),
    suspended_at: nullable(Time),
    churned_at: nullable(Time),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Client" },
);
