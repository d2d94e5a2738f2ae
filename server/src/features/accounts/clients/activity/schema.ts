import { Type } from "typebox";
import { closed, listOf, page, Time } from "../../../../platform/http/shapes.ts";

export const ActivityQuery = Type.Object(page, closed);
export type ActivityQuery = Type.Static<typeof ActivityQuery>;

const Activity = Type.Object(
  {
    type: Type.Enum(["event", "audit"], { description: "What was told, or what somebody did" }),
    id: Type.String({
      pattern: "^(evt|aud)_",
      description: "the id of the event or the audit entry",
      examples: ["evt_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    at: Time,
    name: Type.String({ description: "The event's type, or the action", examples: ["client.suspended"] }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "The event's data; of an audit entry, who it was (`actor`) and what changed (`changes`)",
        examples: [{ reason: "Invoice overdue" }],
      },
    ),
  },
  { ...closed, title: "Activity" },
);

export const ActivityList = listOf(Activity, "ActivityList");
