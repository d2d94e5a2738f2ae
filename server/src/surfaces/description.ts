import { EVENT_CATALOGUE, eventOf } from "../features/outbox/events/index.ts";
import { ALL_EVENT_TYPES } from "../kernel/events.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { type ApiDescription, describeApi, displayName } from "../platform/http/openapi.ts";
import { adminV1 } from "./admin-v1.ts";
import { FEATURES } from "./features.ts";
import { generalV1 } from "./general-v1.ts";
import { partnerV1 } from "./partner-v1.ts";

const INTRODUCTION = `Manage client accounts on behalf of your clients, follow what happens to them, and see who did what.

Every request carries \`Authorization: Bearer <API_KEY>\`. Errors are problem documents (RFC 9457) with a \`code\` of a closed list;
each code has [a page](/docs/errors). Send an \`Idempotency-Key\` with a POST to make it safe to repeat.

The [guides](/docs/guides) explain how to use the API and how to run the service; start with the [tour](/docs/guides/tour).`;

/** The whole interface as one OpenAPI document. */
export function describeInterface(): object {
  return describeApi({
    info: { title: "Tributary", version: "1", description: INTRODUCTION },
    surfaces: [partnerV1, generalV1, adminV1],
    groups: groupTags(),
    securitySchemes: {
      key: { type: "http", scheme: "bearer", description: `An API key. Its scopes: ${Object.keys(SCOPES).join(", ")}.` },
      operator_key: { type: "http", scheme: "bearer", description: "A key of the company that runs the programme." },
    },
    webhooks: ALL_EVENT_TYPES.map((type) => ({ type, summary: EVENT_CATALOGUE[type].summary, schema: eventOf(type) })),
  });
}

/** The wings in the order of the reference, with their headings; any others follow under their own names. */
const HEADINGS: Record<string, string> = { programme: "Partner", accounts: "Accounts", crm: "CRM", outbox: "Events and audit" };
const OPERATOR = "Operator";

/** Tags by wing, the caller's own first; those that only the operator's routes have stand last. */
function groupTags(): ApiDescription["groups"] {
  const open = new Set([...partnerV1.routes, ...generalV1.routes].map(({ operation }) => operation.split(".")[0]));
  const groups = new Map([...Object.values(HEADINGS)].map((name) => [name, {} as Record<string, string>]));
  const operator: Record<string, string> = {};
  for (const { name, tags = {} } of FEATURES.toSorted(
    (a, b) => Number("me" in (b.tags ?? {})) - Number("me" in (a.tags ?? {})),
  )) {
    const [wing = ""] = name.split("/");
    const heading = HEADINGS[wing] ?? displayName(wing);
    for (const [tag, sentence] of Object.entries(tags)) {
      const group = open.has(tag) ? (groups.get(heading) ?? {}) : operator;
      group[tag] = sentence;
      if (group !== operator) groups.set(heading, group);
    }
  }
  return [...groups, [OPERATOR, operator] as const].map(([name, tags]) => ({ name, tags }));
}
