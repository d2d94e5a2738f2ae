import { Type } from "typebox";
import { closed, Id, nullable, Time } from "../../../platform/http/shapes.ts";

export const GROUPINGS = ["stage", "month", "client", "owner"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const MetricsQuery = Type.Object(
  {
    group_by: Type.Optional(Type.Enum([...GROUPINGS], { description: "What the rows are of; stage unless told" })),
    account_id: Type.Optional(Id("client")),
    pipeline_id: Type.Optional(Id("pipeline")),
    owner_id: Type.Optional(Id("user")),
    sale: Type.Optional(Type.Boolean({ description: "true: partner sales only; false: the clients' own deals only" })),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
  },
  closed,
);
export type MetricsQuery = Type.Static<typeof MetricsQuery>;

const Count = Type.Integer({ minimum: 0, examples: [12] });
const Rate = nullable(Type.Number({ minimum: 0, maximum: 1, examples: [0.4286] }));
const Days = nullable(Type.Number({ minimum: 0, examples: [18.25] }));
const Cents = Type.Integer({ minimum: 0, examples: [598_800] });

const Value = Type.Object(
  {
    currency: Type.String({ examples: ["usd"] }),
    open_cents: Cents,
    weighted_cents: Type.Integer({
      minimum: 0,
      examples: [299_400],
      description: "Open value times the probability of its stage",
    }),
    won_cents: Cents,
    lost_cents: Cents,
  },
  {
    ...closed,
    title: "DealValue",
    description: "Of a partner sale the monthly revenue, of any other deal its amount. Currencies are never added up.",
  },
);

const figures = {
  count: Type.Integer({ minimum: 0, examples: [12], description: "Deals of this row; of a month, those created in it" }),
  open: Count,
  won: Count,
  lost: Count,
  win_rate: Type.Union(Rate.anyOf, { description: "Won of all that are won or lost; null when there are none" }),
  average_days_to_win: Type.Union(Days.anyOf, { description: "From creation to the win" }),
  values: Type.Array(Value),
};

const StageFigures = Type.Object(
  {
    pipeline_id: Id("pipeline"),
    type: Type.Enum(["open", "won", "lost"]),
    position: Count,
    entered: Type.Integer({ minimum: 0, examples: [9], description: "Deals that ever stood in it" }),
    advanced: Type.Integer({
      minimum: 0,
      examples: [6],
      description: "Of those, how many stood in a later open stage or a won one afterwards",
    }),
    conversion: Type.Union(Rate.anyOf, { description: "advanced of entered" }),
    average_days_in_stage: Type.Union(Days.anyOf, { description: "Of the stays that are over" }),
  },
  { ...closed, title: "StageFigures" },
);

const Row = Type.Object(
  {
    key: nullable(
      Type.String({
        examples: ["stg_01jd3k5y5cf7m8n9p0q1r2s3t4"],
        description: "The id of the stage, client or owner, or the month",
      }),
    ),
    name: nullable(Type.String({ examples: ["Proposal"] })),
    ...figures,
    stage: nullable(StageFigures),
  },
  { ...closed, title: "MetricsRow" },
);

export const Metrics = Type.Object(
  {
    group_by: Type.Enum([...GROUPINGS]),
    total: Type.Object(figures, { ...closed, title: "MetricsTotal" }),
    data: Type.Array(Row, { maxItems: 1000 }),
    truncated: Type.Boolean({
      description: "Whether there are more rows than 1,000; those with the fewest deals are left out then",
    }),
  },
  { ...closed, title: "DealMetrics" },
);
