import { ALL_EVENT_TYPES } from "../../../../kernel/events.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { TypeName } from "../schema.ts";

const STATUSES = ["pending", "succeeded", "failed", "cancelled"] as const;
const Status = Type.Enum([...STATUSES], {
  type: "string",
  description:
    "pending: waits for its next attempt; failed: all attempts failed; cancelled: its replay was cancelled, or the endpoint no longer takes the event",
});

const fields = {
  id: Id("delivery"),
  endpoint_id: Id("endpoint"),
  event_id: Id("event"),
  event_type: TypeName,
  test: Type.Boolean({ description: "Whether it is a test of the endpoint" }),
  replay_id: nullable(Id("replay")),
  status: Status,
  attempts: Type.Integer({ minimum: 0, description: "Attempts so far" }),
  next_at: nullable(
    Type.String({
      format: "date-time",
      description: "Time of the next attempt; null once it is finished",
      examples: ["2026-11-02T09:30:05.000Z"],
    }),
  ),
  finished_at: nullable(Time),
  response_status: nullable(Type.Integer({ description: "Status code of the last attempt", examples: [200] })),
  error: nullable(Type.String({ description: "Why the last attempt failed", examples: ["timeout"] })),
  event_created_at: Time,
};

export const Delivery = Type.Object(fields, { ...closed, title: "Delivery" });

const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    started_at: Time,
    duration_ms: Type.Integer({ minimum: 0, examples: [120] }),
    status: nullable(Type.Integer({ examples: [503] })),
    error: nullable(Type.String({ examples: ["status"] })),
    response: nullable(Type.String({ description: "The beginning of the reply, for a failure", examples: ["try again"] })),
    request_headers: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: "The headers that were sent, the values of the endpoint's own redacted; null when nothing was sent",
        examples: [
          {
            "Content-Type": "application/json",
            "X-Service-Signature": "t=1794700800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
          },
        ],
      }),
    ),
  },
  { ...closed, title: "DeliveryAttempt" },
);

export const DeliveryWithAttempts = Type.Object(
  {
    ...fields,
    request_body: nullable(
      Type.String({
        description:
          "The body of the request as it is signed; null when the event is no longer kept or the key may not read its type",
        examples: ['{"id":"evt_01jd3k5y5cf7m8n9p0q1r2s3t4","type":"client.created","created":1794700800,"data":{}}'],
      }),
    ),
    attempt_log: Type.Array(Attempt, { description: "The last 100 attempts, newest first" }),
  },
  { ...closed, title: "DeliveryWithAttempts" },
);

export const DeliveryListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: STATUSES.length, description: "Any of these" })),
    event_type: Type.Optional(
      Type.Array(TypeName, { minItems: 1, maxItems: ALL_EVENT_TYPES.length, description: "Any of these" }),
    ),
    event_id: Type.Optional(Id("event")),
    replay_id: Type.Optional(Id("replay")),
    test: Type.Optional(Type.Boolean({ description: "true for tests of the endpoint, false for all others" })),
    event_created_after: Type.Optional(Time),
    event_created_before: Type.Optional(Time),
  },
  closed,
);
export type DeliveryListQuery = Type.Static<typeof DeliveryListQuery>;

export const DeliveryList = listOf(Delivery, "DeliveryList");

export const EndpointTest = Type.Object(
  { type: Type.Optional(TypeName) },
  {
    ...closed,
    title: "WebhookTest",
    description: "The event type of the test. Default: the first type of the endpoint, client.created for one with all types",
  },
);
export type EndpointTest = Type.Static<typeof EndpointTest>;
