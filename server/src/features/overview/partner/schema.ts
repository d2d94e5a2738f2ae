import { ALL_EVENT_TYPES } from "../../../kernel/events.ts";
import { closed, Day, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { MONTHS } from "./model.ts";
import { Needs } from "./needs.schema.ts";

const Count = Type.Integer({ minimum: 0, examples: [12] });
const Cents = Type.Integer({ minimum: 0, examples: [656_300] });
const Month = Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "Month in UTC", examples: ["2026-11"] });
const monthsOf = (fields: Record<string, typeof Count>, title: string, description: string) =>
  Type.Array(Type.Object({ month: Month, ...fields }, { ...closed, title }), { maxItems: MONTHS, description });

const SINCE = "The last 12 months, oldest first; none from before the clients' changes were recorded";

const Clients = Type.Object(
  {
    pending: Count,
    active: Count,
    suspended: Count,
    churned: Count,
    months: monthsOf({ active: Count }, "MonthOfClients", `Active clients at the end of each month. ${SINCE}`),
  },
  { ...closed, title: "ClientFigures", description: "The number of clients by status, without the house account" },
);

const Revenue = Type.Object(
  {
    currency: Currency,
    mrr_cents: Type.Integer({ minimum: 0, description: "Monthly revenue of active clients", examples: [656_300] }),
    suspended_mrr_cents: Type.Integer({ minimum: 0, description: "Monthly revenue of suspended clients", examples: [9_900] }),
    change_cents: Type.Integer({ description: "By how much mrr_cents has changed since the month began", examples: [129_000] }),
    months: monthsOf({ mrr_cents: Cents }, "MonthOfRevenue", `mrr_cents at the end of each month. ${SINCE}`),
  },
  { ...closed, title: "Revenue" },
);

const Total = Type.Object(
  { currency: Currency, deals: Count, mrr_cents: Cents, amount_cents: Cents },
  { ...closed, title: "PipelineTotal" },
);

const Pipeline = Type.Object(
  {
    deals: Count,
    over_target: Type.Integer({
      minimum: 0,
      description: "Deals that have been in their stage for more whole days than its target_days",
      examples: [2],
    }),
    totals: Type.Array(Total, { description: "One entry per currency" }),
  },
  { ...closed, title: "PipelineFigures", description: "Open deals of the house account" },
);

const Decided = Type.Object(
  {
    won: Count,
    lost: Count,
    weeks: Type.Array(
      Type.Object(
        { ends_on: Type.String({ ...Day, description: "Last day of the week, in UTC" }), won: Count, lost: Count },
        { ...closed, title: "WeekOfDeals" },
      ),
      { maxItems: 13, description: "Weeks that end today, oldest first" },
    ),
  },
  { ...closed, title: "DecidedDeals", description: "Deals of the house account that were won or lost on the last 90 days" },
);

const Won = Type.Object(
  {
    currency: Currency,
    months: monthsOf(
      { deals: Count, mrr_cents: Cents, amount_cents: Cents },
      "MonthOfWins",
      "What was won in each of the last 12 months, oldest first",
    ),
  },
  { ...closed, title: "WonDeals" },
);

const Recent = Type.Object(
  {
    id: Id("event"),
    type: Type.Enum(ALL_EVENT_TYPES),
    created: Type.Integer({ description: "Unix time in seconds", examples: [1794700800] }),
    subject: Type.String({ description: "Id of what it is about", examples: ["deal_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    name: nullable(Type.String({ description: "Its company or name", examples: ["Harbour Dental"] })),
    actor: nullable(
      Type.Object(
        {
          type: Type.String({ description: "What kind of actor it was, as in the audit log", examples: ["key"] }),
          id: Type.String({ examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
          name: nullable(Type.String({ description: "Name of the key or user", examples: ["Back office"] })),
        },
        { ...closed, title: "RecentActor", description: "Who did it; null without the scope audit:read" },
      ),
    ),
    data: Type.Object({}, { additionalProperties: true, description: "The event's data" }),
  },
  { ...closed, title: "RecentEvent" },
);

export const Overview = Type.Object(
  {
    as_of: Time,
    clients: Type.Optional(Clients),
    mrr: Type.Optional(Type.Array(Revenue, { description: "One entry per currency" })),
    pipeline: Type.Optional(Pipeline),
    last_90_days: Type.Optional(Decided),
    won: Type.Optional(Type.Array(Won, { description: "One entry per currency" })),
    needs: Needs,
    recent: Type.Optional(Type.Array(Recent, { maxItems: 10, description: "The last events, newest first" })),
  },
  { ...closed, title: "Overview" },
);
export type Overview = Type.Static<typeof Overview>;
