import { ALL_EVENT_TYPES } from "../../../../kernel/events.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { TypeName } from "../schema.ts";

export const TOTAL_MAX = 100_000;

const Types = Type.Array(TypeName, {
  minItems: 1,
  maxItems: ALL_EVENT_TYPES.length,
  uniqueItems: true,
  description: "Only these of the endpoint's types",
  examples: [["client.created"]],
});

export const ReplayCreate = Type.Object(
  {
    since: Type.String({
      format: "date-time",
      description: "Start of the range, inclusive, in RFC 3339",
      examples: ["2026-11-01T00:00:00Z"],
    }),
    until: Type.Optional(
      Type.String({
        format: "date-time",
        description: "End of the range, exclusive, in RFC 3339. Default: now",
        examples: ["2026-11-02T00:00:00Z"],
      }),
    ),
    types: Type.Optional(Types),
    only_failed: Type.Optional(
      Type.Boolean({ description: "Only events whose delivery failed and that were not delivered since", default: false }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: "Only count the events", default: false })),
  },
  { ...closed, title: "ReplayCreate" },
);
export type ReplayCreate = Type.Static<typeof ReplayCreate>;

export const Replay = Type.Object(
  {
    id: nullable(Id("replay")),
    endpoint_id: Id("endpoint"),
    since: Time,
    until: Time,
    types: nullable(Types),
    only_failed: Type.Boolean(),
    state: Type.Enum(["running", "done", "cancelled", "dry_run"], {
      type: "string",
      description: "done: all events are queued; dry_run: only counted, not stored, without an id",
    }),
    total: Type.Integer({
      minimum: 0,
      maximum: TOTAL_MAX,
      description: "Number of events; 100000 means that many or more",
    }),
    queued: Type.Integer({ minimum: 0, description: "Number of events queued so far" }),
    created_by: Type.String({ description: "The key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    created_at: Time,
    finished_at: nullable(Time),
  },
  { ...closed, title: "Replay" },
);

export const ReplayListQuery = Type.Object(page, closed);
export type ReplayListQuery = Type.Static<typeof ReplayListQuery>;

export const ReplayList = listOf(Replay, "ReplayList");
