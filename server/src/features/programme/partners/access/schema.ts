import { closed, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { REQUEST_STATUSES } from "./model.ts";

const Status = Type.Enum([...REQUEST_STATUSES], { type: "string" });
const Message = nullable(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    description: "The partner's intended use of the API",
    examples: ["We sync our clients from our own CRM."],
  }),
);
const Reason = nullable(
  Type.String({ minLength: 1, maxLength: 500, description: "The reason, in your own words", examples: ["Welcome to the beta"] }),
);

export const AccessRequestCreate = Type.Object({ message: Type.Optional(Message) }, { ...closed, title: "AccessRequestCreate" });
export type AccessRequestCreate = Type.Static<typeof AccessRequestCreate>;

export const AccessDecision = Type.Object({ reason: Type.Optional(Reason) }, { ...closed, title: "AccessDecision" });

export const AccessRequest = Type.Object(
  {
    id: Id("access_request"),
    partner_id: Id("partner"),
    partner_company: Type.String({ description: "Name of the partner", examples: ["Northwind Agency"] }),
    status: Status,
    message: Message,
    reason: Reason,
    created_at: Time,
    decided_at: nullable(Time),
    version: Version,
  },
  { ...closed, title: "AccessRequest", description: "A partner's request for access to the API." },
);

export const ApiAccess = Type.Object(
  {
    api_access: Type.Boolean({ description: "Whether the partner has access" }),
    request: nullable(AccessRequest),
  },
  { ...closed, title: "ApiAccess", description: "Whether the partner has access to the API, and its latest request." },
);

export const AccessRequestListQuery = Type.Object(
  { ...page, status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: REQUEST_STATUSES.length, uniqueItems: true })) },
  closed,
);
export type AccessRequestListQuery = Type.Static<typeof AccessRequestListQuery>;

export const AccessRequestList = listOf(AccessRequest, "AccessRequestList");
