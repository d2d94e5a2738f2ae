import { Type } from "typebox";
import { closed, nullable } from "../../../platform/http/shapes.ts";
import { Contact, ContactPatch } from "../../contacts/index.ts";
import { Lead } from "../schema.ts";

export const ConvertRequest = Type.Object(
  {
    contact: Type.Optional({
      ...ContactPatch,
      title: "ContactOfLead",
      description: "what the contact has besides the lead's own fields, or instead of them",
    }),
  },
  { ...closed, title: "ConvertRequest" },
);
export type ConvertRequest = Type.Static<typeof ConvertRequest>;

export const Converted = Type.Object(
  {
    lead: Lead,
    contact: Type.Union([Contact, Type.Null()], { description: "The contact that it became; null when that is gone since" }),
    deal: nullable(Type.Object({}, { additionalProperties: true })),
  },
  { ...closed, title: "Converted" },
);
