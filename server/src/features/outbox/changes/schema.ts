import { ALL_RESOURCES, CHANGES } from "../../../kernel/changes.ts";
import { PREFIXES } from "../../../kernel/ids.ts";
import { After, CreatedWithin, closed, feedOf, Id, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

/** The type is explicit: without it, unique items are checked by comparing each pair. */
const Resource = Type.Enum([...ALL_RESOURCES], { type: "string", description: "The kind of record" });
const AccountId = Type.String({ ...Id("client"), description: "The id of the client whose account it is in" });

export const ChangeFeedQuery = Type.Object(
  {
    after: Type.Optional(After),
    limit: page.limit,
    resource: Type.Optional(Type.Array(Resource, { minItems: 1, maxItems: 20, uniqueItems: true })),
    account_id: Type.Optional(AccountId),
    ...CreatedWithin,
  },
  closed,
);
export type ChangeFeedQuery = Type.Static<typeof ChangeFeedQuery>;

const OF_RECORD = {
  resource: Resource,
  id: Type.String({
    pattern: `^(${ALL_RESOURCES.map((resource) => PREFIXES[resource]).join("|")})_`,
    description: "The id of the record",
    examples: ["con_01jd3k5y5cf7m8n9p0q1r2s3t4"],
  }),
  account_id: AccountId,
  change: Type.Enum([...CHANGES], { description: "The kind of change" }),
  version: Version,
};

const Change = Type.Object(
  {
    ...OF_RECORD,
    at: Time,
    detail: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "For a move: the previous and the new stage",
          examples: [{ from_stage: "Qualified", to_stage: "Proposal", stage_type: "open", days_in_stage: 6 }],
        },
      ),
    ),
  },
  { ...closed, title: "Change" },
);

export const ChangeFeed = feedOf(Change, "ChangeFeed");

export const ChangeStreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        ...After,
        description: "The id of the last message, or a cursor of the feed with the same filters. Default: end, what comes next",
      }),
    ),
    resource: ChangeFeedQuery.properties.resource,
    account_id: ChangeFeedQuery.properties.account_id,
  },
  closed,
);
export type ChangeStreamQuery = Type.Static<typeof ChangeStreamQuery>;

/** What a message of the stream has: which record to read again. */
export const ChangeHint = Type.Object(OF_RECORD, { ...closed, title: "ChangeHint" });
