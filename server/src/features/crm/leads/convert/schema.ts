import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { Contact, ContactPatch } from "../../contacts/index.ts";
import { DealCreate, DealReply } from "../../deals/index.ts";
import { Lead } from "../schema.ts";

/** The deal takes its account, its contact and its affiliate link from the lead. */
const { account_id: _account, contact_id: _contact, click_id: _click, ...dealFields } = DealCreate.properties;

export const ConvertRequest = Type.Object(
  {
    contact: Type.Optional({
      ...ContactPatch,
      title: "ContactOfLead",
      description: "Fields of the contact that complete or replace those of the lead",
    }),
    deal: Type.Optional(
      Type.Object(dealFields, {
        ...closed,
        description: "A deal to create with the contact; {} is enough",
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
    contact: Type.Union([Contact, Type.Null()], { description: "Contact of the lead; null if it was deleted since" }),
    deal: Type.Union([DealReply, Type.Null()], {
      description: "Deal of the lead; null if there is none, or if the key may not write deals",
    }),
  },
  { ...closed, title: "Converted" },
);
