import { CHANGES } from "../../../../kernel/changes.ts";
import { After, closed, feedOf, Id, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

const Resource = Type.Enum(["lead", "deal"], { type: "string", description: "The kind of record" });
const AccountId = Type.String({ ...Id("client"), description: "The id of the client whose account it is in" });

export const ActivityFeedQuery = Type.Object(
  { after: Type.Optional(After), limit: page.limit, resource: Type.Optional(Resource), account_id: Type.Optional(AccountId) },
  closed,
);
export type ActivityFeedQuery = Type.Static<typeof ActivityFeedQuery>;

const Activity = Type.Object(
  {
    id: Id("change"),
    resource: Resource,
    record_id: Type.String({
      pattern: "^(lead|deal)_",
      description: "The id of the lead or the deal",
      examples: ["deal_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    account_id: AccountId,
    change: Type.Enum([...CHANGES], { description: "The kind of change; a deal that moved changed its stage" }),
    detail: Type.Object(
      {
        pipeline_id: Type.Optional(Id("pipeline")),
        from_stage_id: Type.Optional(Id("stage")),
        from_stage: Type.Optional(Type.String()),
        to_stage_id: Type.Optional(Id("stage")),
        to_stage: Type.Optional(Type.String()),
        stage_type: Type.Optional(Type.Enum(["open", "won", "lost"])),
        days_in_stage: Type.Optional(Type.Integer({ minimum: 0 })),
        from_status: Type.Optional(nullable(Type.String())),
        to_status: Type.Optional(Type.String()),
        contact_id: Type.Optional(Id("contact")),
        deal_id: Type.Optional(nullable(Id("deal"))),
      },
      {
        ...closed,
        description: "The stages that a deal moved between, the states that a lead went through, what it was converted into",
        examples: [{ from_stage: "Qualified", to_stage: "Proposal", stage_type: "open" }],
      },
    ),
    version: Version,
    at: Time,
  },
  { ...closed, title: "SalesActivity" },
);

export const ActivityFeed = feedOf(Activity, "SalesActivityFeed");
