import { ALL_EVENT_TYPES, type EventType } from "../../../kernel/events.ts";
import { ALL_SCOPES } from "../../../kernel/scopes.ts";
import { exampleOf, type JsonSchema } from "../../../platform/http/schema-example.ts";
import { After, CreatedWithin, closed, feedOf, Id, page } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { EVENT_CATALOGUE } from "./catalogue.ts";

/** The type is explicit: without it, unique items are checked by comparing each pair. */
const TypeName = Type.Enum(ALL_EVENT_TYPES, { type: "string" });
const Created = Type.Integer({ description: "Unix time in seconds", examples: [1794700800] });

/** The envelope of one type, with its payload. */
export const eventOf = (type: EventType) =>
  Type.Object(
    { id: Id("event"), type: Type.Literal(type), created: Created, data: EVENT_CATALOGUE[type].data },
    { ...closed, title: `${type.replaceAll(/(^|[._])([a-z])/g, (_, _mark, letter: string) => letter.toUpperCase())}Event` },
  );

/** The envelope: exactly these four members. The OpenAPI document has the union of all types in its place. */
export const Event = Type.Object(
  {
    id: Id("event"),
    type: TypeName,
    created: Created,
    data: Type.Object({ partner_id: Id("partner") }, { additionalProperties: true }),
  },
  { ...closed, title: "Event", examples: [exampleOf(eventOf("client.created") as JsonSchema)] },
);

export const EventFeedQuery = Type.Object(
  {
    after: Type.Optional(After),
    limit: page.limit,
    type: Type.Optional(Type.Array(TypeName, { minItems: 1, maxItems: ALL_EVENT_TYPES.length, uniqueItems: true })),
    client_id: Type.Optional(Id("client")),
    order: Type.Optional(
      Type.Enum(["oldest", "newest"], {
        type: "string",
        default: "oldest",
        description:
          "oldest first, so that a program reads on from its cursor; newest first, to look back: its cursor leads to older events",
      }),
    ),
    ...CreatedWithin,
  },
  closed,
);
export type EventFeedQuery = Type.Static<typeof EventFeedQuery>;

export const EventFeed = feedOf(Event, "EventFeed");

export const EventTypes = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          type: TypeName,
          summary: Type.String({ examples: ["A client account was suspended."] }),
          required_scope: Type.Enum(ALL_SCOPES),
          schema: Type.Object({}, { additionalProperties: true, description: "The JSON Schema of the whole event" }),
          example: Type.Object({}, { additionalProperties: true }),
        },
        closed,
      ),
    ),
    has_more: Type.Literal(false),
    next_cursor: Type.Null(),
  },
  { ...closed, title: "EventTypeList" },
);
