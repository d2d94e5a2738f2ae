import { closed, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Charge, Outcome } from "./schema.ts";

export const ChargeListQuery = Type.Object(
  {
    ...page,
    client_id: Type.Optional(Id("client")),
    outcome: Type.Optional(Type.Array(Outcome, { minItems: 1, maxItems: 4, description: "Any of these" })),
    charged_after: Type.Optional(Type.String({ ...Time, description: "From this time on, inclusive, in RFC 3339" })),
    charged_before: Type.Optional(Type.String({ ...Time, description: "Before this time, in RFC 3339" })),
  },
  closed,
);
export type ChargeListQuery = Type.Static<typeof ChargeListQuery>;

export const AllChargesQuery = Type.Object({ ...ChargeListQuery.properties, partner_id: Type.Optional(Id("partner")) }, closed);
export type AllChargesQuery = Type.Static<typeof AllChargesQuery>;

export const ChargeList = listOf(Charge, "ChargeList");
