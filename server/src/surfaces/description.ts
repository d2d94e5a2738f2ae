import { EVENT_CATALOGUE, eventOf } from "../features/outbox/events/index.ts";
import { ALL_EVENT_TYPES } from "../kernel/events.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { describeApi } from "../platform/http/openapi.ts";
import { adminV1 } from "./admin-v1.ts";
import { FEATURES } from "./features.ts";
import { generalV1 } from "./general-v1.ts";
import { partnerV1 } from "./partner-v1.ts";

const INTRODUCTION = `Manage client accounts on behalf of your clients, follow what happens to them, and see who did what.

Every request carries \`Authorization: Bearer <API_KEY>\`. Errors are problem documents (RFC 9457) with a \`code\` of a closed list;
each code has a page under \`/docs/errors\`. Send an \`Idempotency-Key\` with a POST to make it safe to repeat.`;

/** The whole interface as one OpenAPI document. */
export function describeInterface(): object {
  return describeApi({
    info: { title: "Tributary", version: "1", description: INTRODUCTION },
    surfaces: [partnerV1, generalV1, adminV1],
    tags: Object.assign({}, ...FEATURES.map(({ tags }) => tags)),
    securitySchemes: {
      key: { type: "http", scheme: "bearer", description: `An API key. Its scopes: ${Object.keys(SCOPES).join(", ")}.` },
      operator_key: { type: "http", scheme: "bearer", description: "A key of the company that runs the programme." },
    },
    webhooks: ALL_EVENT_TYPES.map((type) => ({ type, summary: EVENT_CATALOGUE[type].summary, schema: eventOf(type) })),
  });
}
