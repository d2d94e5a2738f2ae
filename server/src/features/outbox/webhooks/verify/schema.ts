import { closed, Id, nullable, Time } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { CAUSES } from "./model.ts";

/** More than any event has. */
const BODY_LENGTH_MAX = 16_384;

export const VerifyRequest = Type.Object(
  {
    body: Type.String({
      maxLength: BODY_LENGTH_MAX,
      description: "The body as received, as text or, where that would change it, in base64",
      examples: ['{"id":"evt_01jd3k5y5cf7m8n9p0q1r2s3t4","type":"client.created","created":1794700800,"data":{}}'],
    }),
    body_encoding: Type.Optional(Type.Enum(["text", "base64"], { type: "string", default: "text" })),
    headers: Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$" }), Type.String({ maxLength: 8192 }), {
      maxProperties: 100,
      additionalProperties: false,
      description: "The headers as received, or those of the signature",
      examples: [{ "X-Service-Signature": "t=1794700800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd" }],
    }),
    computed: Type.Optional(
      nullable(
        Type.String({
          pattern: "^([0-9A-Fa-f]{64}|[A-Za-z0-9+/]{43}=)$",
          description: "The signature that your own code computed, in hex or base64, to find out how it differs",
          examples: ["5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"],
        }),
      ),
    ),
    endpoint_id: Type.Optional(nullable(Id("endpoint"))),
    received_at: Type.Optional(
      nullable(
        Type.String({
          format: "date-time",
          description: "When it was received, by the receiver's clock, in RFC 3339. Default: now",
          examples: ["2026-11-02T09:30:00Z"],
        }),
      ),
    ),
  },
  { ...closed, title: "SignatureToVerify" },
);
export type VerifyRequest = Type.Static<typeof VerifyRequest>;

export const Verification = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether a receiver with the right secret accepts it" }),
    cause: nullable(Type.Enum(Object.keys(CAUSES), { type: "string", description: "Why not", examples: ["reserialised_json"] })),
    detail: Type.String({
      examples: ["The body is the same JSON in other bytes. Verify the bytes that arrived, before parsing."],
    }),
    event_id: nullable(Id("event")),
    endpoint_id: nullable(Id("endpoint")),
    secret: nullable(
      Type.Object(
        {
          hint: Type.String({ description: "The last four characters of the secret that fits", examples: ["k8Q="] }),
          created_at: Time,
          expires_at: nullable(Time),
          age_seconds: Type.Integer({ minimum: 0 }),
        },
        closed,
      ),
    ),
    signed_seconds_ago: nullable(
      Type.Integer({ description: "Seconds between signing and receipt; negative if signed later", examples: [2] }),
    ),
  },
  { ...closed, title: "Verification" },
);
