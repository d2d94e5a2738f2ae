import { CreatedWithin, closed, FREE_TEXT, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { CODE_PATTERN, DESTINATION_MAX, SETTABLE, STATUSES } from "./model.ts";

const CODE =
  "4 to 32 letters, digits and hyphens. Unique in the programme, where upper and lower case, o and 0, and i, l and 1 are the same";
const Code = Type.String({ pattern: CODE_PATTERN, description: CODE, examples: ["spring-sale"] });
const Destination = Type.String({
  minLength: 1,
  maxLength: DESTINATION_MAX,
  pattern: FREE_TEXT,
  description: "Where the link leads: an https URL on a host that the programme allows",
  examples: ["https://shop.example/pricing"],
});
const Campaign = nullable(
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "^(?=.*\\S)[^\\u0000\\n]*$",
    description: "A name to group links by; becomes utm_campaign, unless the destination has one",
    examples: ["Spring newsletter"],
  }),
);
const WindowDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description: "For how many days after a click a lead or a deal counts as made by the link. Default: the programme's",
  examples: [90],
});
const ExpiresAt = nullable(
  Type.String({
    ...Time,
    description: "From then on the link still leads to its destination, and clicks do not count",
    examples: ["2027-12-31T00:00:00.000Z"],
  }),
);
const Status = Type.Enum([...STATUSES], {
  type: "string",
  description:
    "Clicks count while a link is active. A paused or archived one still leads to its destination, one that the operator blocked leads nowhere",
  examples: ["active"],
});

export const AffiliateLinkCreate = Type.Object(
  {
    destination_url: Destination,
    code: Type.Optional(Type.String({ ...Code, description: `${CODE}. Default: eight random characters` })),
    campaign: Type.Optional(Campaign),
    window_days: Type.Optional(WindowDays),
    expires_at: Type.Optional(ExpiresAt),
  },
  { ...closed, title: "AffiliateLinkCreate" },
);
export type AffiliateLinkCreate = Type.Static<typeof AffiliateLinkCreate>;

export const AffiliateLinkPatch = Type.Partial(
  Type.Object({
    destination_url: Destination,
    campaign: Campaign,
    window_days: WindowDays,
    expires_at: ExpiresAt,
    status: Type.Enum([...SETTABLE], { description: "active also restores an archived link", examples: ["active"] }),
  }),
  { ...closed, title: "AffiliateLinkPatch", minProperties: 1 },
);
export type AffiliateLinkPatch = Type.Static<typeof AffiliateLinkPatch>;

const shown = {
  id: Id("link"),
  code: Code,
  url: Type.String({ format: "uri", description: "The address to share", examples: ["http://127.0.0.1:8080/r/spring-sale"] }),
  destination_url: Destination,
  campaign: Campaign,
  window_days: WindowDays,
  expires_at: ExpiresAt,
  status: Status,
  created_by: Type.String({ description: "Key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  updated_at: Time,
  version: Version,
};

export const AffiliateLink = Type.Object(shown, {
  ...closed,
  title: "AffiliateLink",
  description: "A link that the partner shares. Leads and deals that come by it are attributed to it.",
});
export type AffiliateLinkShown = Type.Static<typeof AffiliateLink>;

const { id, ...rest } = shown;
export const OperatorAffiliateLink = Type.Object(
  {
    id,
    partner_id: Id("partner"),
    partner_company: Type.String({ description: "Company of the partner", examples: ["Test Agency"] }),
    ...rest,
  },
  { ...closed, title: "OperatorAffiliateLink" },
);

export const AffiliateLinkBlock = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: FREE_TEXT,
      description: "Why, for the audit log of the partner",
      examples: ["Leads to a page that imitates a bank."],
    }),
  },
  { ...closed, title: "AffiliateLinkBlock" },
);

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] });
const counts = {
  clicks: Count("Clicks of people, repeated ones included"),
  unique: Count("Different visitors of each day"),
  bots: Count("Clicks of bots and prefetches, which are not in clicks"),
  repeats: Count("Clicks within an hour of another one by the same visitor, which are in clicks"),
  leads: Count("Leads that came by the link"),
  deals: Count("Deals that came by the link"),
  won: Count("Sales that were won, on the day of the win; one that is reopened no longer counts"),
};
const Commissions = Type.Array(
  Type.Object(
    {
      currency: Currency,
      amount_cents: Type.Integer({ description: "What was earned less what was taken back", examples: [7493] }),
    },
    { ...closed, title: "LinkCommission" },
  ),
  { description: "Commissions of the partner by sales that came by the link, in each currency" },
);

export const LinkTotals = Type.Object({ ...counts, commissions: Commissions }, { ...closed, title: "LinkTotals" });

export const AffiliateLinkList = listOf(
  Type.Object(
    { ...shown, totals: Type.Optional(Type.Object(LinkTotals.properties, { ...closed, description: "With totals=true" })) },
    { ...closed, title: "AffiliateLinkRow" },
  ),
  "AffiliateLinkList",
);

const filters = {
  status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: STATUSES.length, uniqueItems: true })),
  campaign: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: FREE_TEXT,
      description: "Campaign, not case-sensitive",
      examples: ["Spring newsletter"],
    }),
  ),
  code: Type.Optional(Type.String({ ...Code, description: "Code, as people may have read it" })),
};

export const AffiliateLinkListQuery = Type.Object(
  {
    ...page,
    ...filters,
    ...CreatedWithin,
    totals: Type.Optional(Type.Boolean({ description: "Whether each link has its totals since it was created. Default: false" })),
  },
  closed,
);
export type AffiliateLinkListQuery = Type.Static<typeof AffiliateLinkListQuery>;

export const OperatorAffiliateLinkList = listOf(OperatorAffiliateLink, "OperatorAffiliateLinkList");
export const OperatorAffiliateLinkListQuery = Type.Object(
  { ...page, partner_id: Type.Optional(Id("partner")), ...filters, ...CreatedWithin },
  closed,
);
export type OperatorAffiliateLinkListQuery = Type.Static<typeof OperatorAffiliateLinkListQuery>;

export const STATS_DAYS_MAX = 366;
const Day = (description: string) => Type.String({ format: "date", description, examples: ["2026-11-02"] });

export const LinkStatsQuery = Type.Object(
  {
    from: Type.Optional(Day("First day, in UTC. Default: 29 days before to")),
    to: Type.Optional(Day("Last day, in UTC. Default: today")),
  },
  closed,
);
export type LinkStatsQuery = Type.Static<typeof LinkStatsQuery>;

export const LinkStats = Type.Object(
  {
    link_id: Id("link"),
    from: Day("First day"),
    to: Day("Last day"),
    data: Type.Array(
      Type.Object({ day: Day("Day in UTC"), ...counts, commissions: Commissions }, { ...closed, title: "LinkDay" }),
      { maxItems: STATS_DAYS_MAX, description: "Every day of the range, in order" },
    ),
    totals: LinkTotals,
  },
  { ...closed, title: "LinkStats" },
);
