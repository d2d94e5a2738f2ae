import { ALL_EVENT_TYPES } from "../../../kernel/events.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { EVERY_TYPE, ORDERINGS } from "./model.ts";

export const COUNT_MAX = 10_000;

/** The type is explicit: without it, unique items are checked by comparing each pair. */
export const TypeName = Type.Enum(ALL_EVENT_TYPES, { type: "string" });

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "The address to send to: public, https, up to 2,048 characters",
  examples: ["https://hooks.harbour.example/tributary"],
});
const EventTypes = Type.Array(Type.Enum([...ALL_EVENT_TYPES, EVERY_TYPE], { type: "string" }), {
  minItems: 1,
  maxItems: ALL_EVENT_TYPES.length,
  uniqueItems: true,
  description:
    'The event types to send; ["*"] for all, also those that are added later. Default: the present types that the key may read',
  examples: [["client.created", "client.suspended"]],
});
const ClientIds = nullable(
  Type.Array(Id("client"), {
    minItems: 1,
    maxItems: 500,
    uniqueItems: true,
    description: "The clients whose events are sent; null for all clients and partner-wide events",
  }),
);
const Description = nullable(Type.String({ maxLength: 500, description: "Up to 500 characters", examples: ["Billing sync"] }));
const Ordering = Type.Enum([...ORDERINGS], {
  type: "string",
  description:
    "subject, the default: in order within each client, deal and so on; none: no order; strict: all events in order, one at a time",
});
const MaxInFlight = Type.Integer({ minimum: 1, maximum: 64, description: "Concurrent requests. Default: 16" });
const RateLimit = nullable(
  Type.Integer({ minimum: 1, maximum: 10_000, description: "Requests per second at most; null for no limit" }),
);
const TimeoutMs = Type.Integer({
  minimum: 1000,
  maximum: 30_000,
  description: "Timeout of a request in milliseconds. Default: 15000",
});
const Headers = Type.Record(
  Type.String({ pattern: "^[A-Za-z][A-Za-z0-9-]{0,63}$" }),
  Type.String({ maxLength: 1000, pattern: "^[\\t\\x20-\\x7e]*$" }),
  {
    maxProperties: 10,
    additionalProperties: false,
    description: "Up to 10 extra request headers, with values of up to 1,000 printable ASCII characters",
    examples: [{ Authorization: "Basic aGFyYm91cjpzZWNyZXQ=" }],
  },
);
const Metadata = Type.Record(Type.String({ pattern: "^.{1,40}$" }), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  additionalProperties: false,
  description: "Up to 50 members, names of 1 to 40 characters, values of up to 500",
  examples: [{ team: "billing" }],
});

const writable = {
  event_types: Type.Optional(EventTypes),
  client_ids: Type.Optional(ClientIds),
  description: Type.Optional(Description),
  enabled: Type.Optional(Type.Boolean({ description: "While false, nothing is sent" })),
  ordering: Type.Optional(Ordering),
  max_in_flight: Type.Optional(MaxInFlight),
  rate_limit_per_second: Type.Optional(RateLimit),
  timeout_ms: Type.Optional(TimeoutMs),
  headers: Type.Optional(nullable(Headers)),
  metadata: Type.Optional(Metadata),
};

export const EndpointCreate = Type.Object({ url: Url, ...writable }, { ...closed, title: "WebhookEndpointCreate" });
export type EndpointCreate = Type.Static<typeof EndpointCreate>;

export const EndpointPatch = Type.Object(
  { url: Type.Optional(Url), ...writable },
  { ...closed, title: "WebhookEndpointPatch", minProperties: 1 },
);
export type EndpointPatch = Type.Static<typeof EndpointPatch>;

export const SecretRotation = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: "How long deliveries are also signed with the previous secrets, in seconds",
        examples: [86_400],
      }),
    ),
  },
  { ...closed, title: "WebhookSecretRotation" },
);
export type SecretRotation = Type.Static<typeof SecretRotation>;

const Health = Type.Object(
  {
    state: Type.Enum(["healthy", "degraded", "disabled"]),
    success_rate: nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Share of successes among the last 1,000 attempts within 24 hours; null without attempts",
        examples: [0.998],
      }),
    ),
    p95_ms: nullable(Type.Integer({ minimum: 0, description: "95th percentile of the duration of attempts", examples: [210] })),
    pending: Type.Integer({ minimum: 0, maximum: COUNT_MAX, description: "Pending deliveries; 10000 means that many or more" }),
    parked: Type.Integer({
      minimum: 0,
      maximum: COUNT_MAX,
      description: "Pending deliveries that are held back while the endpoint is not healthy",
    }),
    last_success_at: nullable(Time),
    last_failure_at: nullable(Time),
    disabled_reason: nullable(
      Type.Enum(["requested", "gone", "failing"], {
        type: "string",
        description: "requested: disabled by a key; gone: it answered 410; failing: no success for five days",
      }),
    ),
  },
  { ...closed, title: "WebhookHealth" },
);

const fields = {
  id: Id("endpoint"),
  url: Url,
  event_types: EventTypes,
  client_ids: ClientIds,
  description: Description,
  enabled: Type.Boolean(),
  ordering: Ordering,
  max_in_flight: MaxInFlight,
  rate_limit_per_second: RateLimit,
  timeout_ms: TimeoutMs,
  header_names: Type.Array(Type.String(), { description: "The names of the extra request headers; their values are not shown" }),
  metadata: Metadata,
  secrets: Type.Array(
    Type.Object(
      {
        hint: Type.String({ description: "The last four characters of the secret", examples: ["k8Q="] }),
        created_at: Time,
        expires_at: nullable(Time),
      },
      closed,
    ),
    { description: "The secrets that deliveries are signed with, newest first" },
  ),
  health: Health,
  created_by: Type.String({ description: "The key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  updated_at: Time,
  version: Version,
};

export const Endpoint = Type.Object(fields, { ...closed, title: "WebhookEndpoint" });

export const EndpointWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
      description: "The newest secret. It is shown only once.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
    }),
  },
  { ...closed, title: "WebhookEndpointWithSecret" },
);

export const EndpointListQuery = Type.Object(page, closed);
export type EndpointListQuery = Type.Static<typeof EndpointListQuery>;

export const EndpointList = listOf(Endpoint, "WebhookEndpointList");
