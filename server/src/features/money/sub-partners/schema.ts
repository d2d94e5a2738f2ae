import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, listOf, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { PartnerCreate } from "../../programme/partners/index.ts";
import { Grade } from "../../programme/tiers/index.ts";

const { company, owner } = PartnerCreate.properties;

export const SubPartnerCreate = Type.Object(
  { company, owner, currency: Type.Optional(Currency) },
  { ...closed, title: "SubPartnerCreate" },
);
export type SubPartnerCreate = Type.Static<typeof SubPartnerCreate>;

const Override = Type.Object(
  { currency: Currency, amount_cents: Type.Integer({ minimum: -CENTS_MAX, maximum: CENTS_MAX, examples: [149900] }) },
  closed,
);

export const SubPartner = Type.Object(
  {
    partner_id: Id("partner"),
    company,
    grade: Grade,
    status: Type.Enum(["active", "suspended"], { type: "string" }),
    active_clients: Type.Integer({ minimum: 0, description: "How many active clients it has", examples: [12] }),
    overrides: Type.Array(Override, {
      description:
        "What the caller has earned through it and through the partners below it, by currency, less what was taken back",
    }),
    joined_at: Time,
  },
  { ...closed, title: "SubPartner", description: "A partner directly below the caller, in totals." },
);
export type SubPartner = Type.Static<typeof SubPartner>;

export const SubPartnerListQuery = Type.Object(page, closed);
export const SubPartnerList = listOf(SubPartner, "SubPartnerList");
