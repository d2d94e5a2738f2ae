import { Type } from "typebox";
import { ALL_RESOURCES, CHANGES } from "../../../kernel/changes.ts";
import { PREFIXES } from "../../../kernel/ids.ts";
import { After, closed, feedOf, Id, page, Time, Version } from "../../../platform/http/shapes.ts";

/** Its type is said, because the items of a list of no known type are compared pairwise to find them unique. */
const Resource = Type.Enum([...ALL_RESOURCES], { type: "string", description: "What kind of record changed" });
const AccountId = Type.String({ ...Id("client"), description: "the id of the client in whose account it is" });

export const ChangeFeedQuery = Type.Object(
  {
    after: Type.Optional(After),
    limit: page.limit,
    resource: Type.Optional(Type.Array(Resource, { minItems: 1, maxItems: 20, uniqueItems: true })),
    account_id: Type.Optional(AccountId),
  },
  closed,
);
export type ChangeFeedQuery = Type.Static<typeof ChangeFeedQuery>;

const Change = Type.Object(
  {
    resource: Resource,
    id: Type.String({
      pattern: `^(${ALL_RESOURCES.map((resource) => PREFIXES[resource]).join("|")})_`,
      description: "the id of the record",
      examples: ["con_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    account_id: AccountId,
    change: Type.Enum([...CHANGES], { description: "What became of it" }),
    version: Version,
    at: Time,
    detail: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "Of a move: where from and where to",
          examples: [{ from_stage: "Qualified", to_stage: "Proposal", stage_type: "open", days_in_stage: 6 }],
        },
      ),
    ),
  },
  { ...closed, title: "Change" },
);

export const ChangeFeed = feedOf(Change, "ChangeFeed");
