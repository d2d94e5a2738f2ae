import { closed, Id, nullable, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

export const GROUPINGS = ["stage", "month", "client", "owner"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const MetricsQuery = Type.Object(
  {
    group_by: Type.Optional(Type.Enum([...GROUPINGS], { description: "Grouping of the rows. Default stage" })),
    account_id: Type.Optional(Id("client")),
    pipeline_id: Type.Optional(Id("pipeline")),
    owner_id: Type.Optional(Id("user")),
    sale: Type.Optional(Type.Boolean({ description: "true for sales, false for all other deals" })),
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
      description: "Open value multiplied by the probability of the stage",
    }),
    won_cents: Cents,
    lost_cents: Cents,
  },
  {
    ...closed,
    title: "DealValue",
    description: "Value in one currency: the monthly revenue of sales, the amount of other deals",
  },
);

const figures = {
  count: Type.Integer({ minimum: 0, examples: [12], description: "Number of deals; for a month, of those created in it" }),
  open: Count,
  won: Count,
  lost: Count,
  win_rate: Type.Union(Rate.anyOf, { description: "Won deals as a share of won and lost ones; null if there are none" }),
  average_days_to_win: Type.Union(Days.anyOf, { description: "Days from creation to the win" }),
  values: Type.Array(Value),
};

const StageFigures = Type.Object(
  {
    pipeline_id: Id("pipeline"),
    pipeline: Type.String({ description: "Name of the pipeline", examples: ["Sales"] }),
    account_id: Id("client"),
    account: Type.String({ description: "Company of the account", examples: ["Harbour Dental"] }),
    type: Type.Enum(["open", "won", "lost"]),
    position: Count,
    entered: Type.Integer({ minimum: 0, examples: [9], description: "Deals that were ever in the stage" }),
    advanced: Type.Integer({
      minimum: 0,
      examples: [6],
      description: "Deals among them that later entered a subsequent open stage or a won one",
    }),
    conversion: Type.Union(Rate.anyOf, { description: "advanced divided by entered" }),
    average_days_in_stage: Type.Union(Days.anyOf, { description: "Average of the intervals that have ended" }),
  },
  { ...closed, title: "StageFigures" },
);

const Row = Type.Object(
  {
    key: nullable(
      Type.String({
        examples: ["stg_01jd3k5y5cf7m8n9p0q1r2s3t4"],
        description: "Id of the stage, client or owner, or the month",
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
      description: "Whether there are more than 1,000 rows; those with the fewest deals are then left out",
    }),
  },
  { ...closed, title: "DealMetrics" },
);
