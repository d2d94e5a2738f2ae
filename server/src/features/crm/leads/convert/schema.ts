import { Type } from "typebox";
import { closed } from "../../../../platform/http/shapes.ts";
import { Contact, ContactPatch } from "../../contacts/index.ts";
import { DealCreate, DealReply } from "../../deals/index.ts";
import { Lead } from "../schema.ts";

/** The account and the contact of the deal are the lead's. */
const { account_id: _account, contact_id: _contact, ...dealFields } = DealCreate.properties;

export const ConvertRequest = Type.Object(
  {
    contact: Type.Optional({
      ...ContactPatch,
      title: "ContactOfLead",
      description: "what the contact has besides the lead's own fields, or instead of them",
    }),
    deal: Type.Optional(
      Type.Object(dealFields, {
        ...closed,
        description: "a deal with the contact, if there is to be one; {} is enough",
        examples: [{ amount_cents: 120_000 }],
      }),
    ),
  },
  { ...closed, title: "ConvertRequest" },
);
export type ConvertRequest = Type.Static<typeof ConvertRequest>;

export const Converted = Type.Object(
  {
    lead: Lead,
    contact: Type.Union([Contact, Type.Null()], { description: "The contact that it became; null when that is gone since" }),
    deal: Type.Union([DealReply, Type.Null()], {
      description: "The deal; null when there is none, or the key may not write deals",
    }),
  },
  { ...closed, title: "Converted" },
);
