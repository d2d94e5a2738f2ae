import { closed, FreeText, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { CLIENT_STATUSES } from "./model.ts";
import { Client, Status } from "./schema.ts";

export const CLIENT_SORTS = ["-created_at", "created_at", "company", "-company", "-updated_at"] as const;
export type ClientSort = (typeof CLIENT_SORTS)[number];

export const ClientListQuery = Type.Object(
  {
    ...page,
    sort: Type.Optional(Type.Enum([...CLIENT_SORTS], { description: "A minus sorts in descending order. Default: -created_at" })),
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: CLIENT_STATUSES.length, description: "Any of these" })),
    plan: Type.Optional(
      Type.Array(FreeText(100, "The name of a plan", "Growth"), { minItems: 1, maxItems: 20, description: "Any of these" }),
    ),
    tag: Type.Optional(Type.Array(FreeText(50, "A tag", "vip"), { minItems: 1, maxItems: 20, description: "Any of these" })),
    external_id: Type.Optional(FreeText(200, "Your own id of the client", "crm-4711")),
    q: Type.Optional(
      FreeText(100, "Text to find in company, external_id, or the contact's name, e-mail or phone, ignoring case", "harbour"),
    ),
    snapshot_id: Type.Optional(Type.String({ ...Id("snapshot"), description: "Only clients that run this snapshot" })),
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999_999_999, description: "With snapshot_id: only this version of it", examples: [1] }),
    ),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
    include_house: Type.Optional(Type.Boolean({ description: "Whether to include the partner's own account" })),
  },
  { ...closed, dependentRequired: { version: ["snapshot_id"] } },
);
export type ClientListQuery = Type.Static<typeof ClientListQuery>;

export const ClientList = listOf(Client, "ClientList");
