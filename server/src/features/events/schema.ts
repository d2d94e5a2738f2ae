import { Type } from "typebox";
import { ALL_EVENT_TYPES } from "../../kernel/events.ts";
import { idPattern } from "../../kernel/ids.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";

const closed = { additionalProperties: false };
const EventType = Type.Enum(ALL_EVENT_TYPES);

/** The envelope, exactly these four. */
export const Event = Type.Object(
  {
    id: Type.String({ pattern: idPattern("event") }),
    type: EventType,
    created: Type.Integer({ description: "Unix time in seconds", examples: [1794700800] }),
    data: Type.Object({ partner_id: Type.String({ pattern: idPattern("partner") }) }),
  },
  closed,
);

export const EventFeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
    type: Type.Optional(Type.Array(EventType, { minItems: 1, maxItems: ALL_EVENT_TYPES.length, uniqueItems: true })),
    client_id: Type.Optional(Type.String({ pattern: idPattern("client"), description: "a client id" })),
  },
  closed,
);
export type EventFeedQuery = Type.Static<typeof EventFeedQuery>;

export const EventFeed = Type.Object({ data: Type.Array(Event), has_more: Type.Boolean(), next_cursor: Type.String() }, closed);
