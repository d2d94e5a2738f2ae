import { closed, listOf, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";

export const ActivityQuery = Type.Object(page, closed);
export type ActivityQuery = Type.Static<typeof ActivityQuery>;

const Activity = Type.Object(
  {
    type: Type.Enum(["event", "audit"], { description: "An event, or an entry of the audit log" }),
    id: Type.String({
      pattern: "^(evt|aud)_",
      description: "The id of the event or the audit entry",
      examples: ["evt_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
    at: Time,
    name: Type.String({ description: "The event's type, or the action", examples: ["client.suspended"] }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "The event's data, or the `actor` and the `changes` of the audit entry",
        examples: [{ reason: "Invoice overdue" }],
      },
    ),
  },
  { ...closed, title: "Activity" },
);

export const ActivityList = listOf(Activity, "ActivityList");
