import { EVENT_CATALOGUE, eventOf } from "../features/events/index.ts";
import { ALL_EVENT_TYPES } from "../kernel/events.ts";
import { SCOPES } from "../kernel/scopes.ts";
import { describeApi } from "../platform/http/openapi.ts";
import { adminV1 } from "./admin-v1.ts";
import { generalV1 } from "./general-v1.ts";
import { partnerV1 } from "./partner-v1.ts";

const TAGS = {
  contacts: "The people that an account deals with",
  leads: "People of interest: where they came from, how they score, and what becomes of them",
  deals: "What an account tries to sell, and where it stands",
  pipelines: "The ways that deals go, with their stages and rules",
  custom_fields: "The fields that an account adds to its records",
  imports: "Files of records that are taken in: their progress, their errors, and the way back",
  changes: "What changes in the accounts, to keep a copy elsewhere",
  activity: "Lead activity and stage changes as one feed, for reports",
  me: "Who am I",
  clients: "Client accounts: create, change, suspend, reactivate, close",
  partner_deals: "The partner's own sales, with the deals of its clients",
  account: "The partner's own account: company, branding, defaults",
  users: "The partner's team",
  keys: "API keys: make them, bind them to clients and scopes, change, rotate and revoke them",
  events: "What happened, in order: the feed, its types, and the webhooks that push them",
  webhooks: "Webhook endpoints: where events are sent, their secrets, and how they do",
  deliveries: "Each event that an endpoint was sent, with its attempts",
  replays: "Past events sent to an endpoint again",
  audit_log: "Who did what",
  registrations: "Partner sales: which companies are free, and, for the operator, which sales are approved",
  access: "Access to the API during the private beta: see it, ask for it",
  partners: "For the operator: take partners in, place them, grade them, suspend them",
  access_requests: "For the operator: who asks for access to the API",
  operator_keys: "For the operator: its own keys",
  programme: "For the operator: the programme's settings",
  operator_audit_log: "For the operator: who did what, in every partner's log and its own",
  system: "For the operator: how the installation is",
};

const INTRODUCTION = `Manage client accounts on behalf of your clients, follow what happens to them, and see who did what.

Every request carries \`Authorization: Bearer <API_KEY>\`. Errors are problem documents (RFC 9457) with a \`code\` of a closed list;
each code has a page under \`/docs/errors\`. Send an \`Idempotency-Key\` with a POST to make it safe to repeat.`;

/** The whole interface as one OpenAPI document. */
export function describeInterface(): object {
  return describeApi({
    info: { title: "Tributary", version: "1", description: INTRODUCTION },
    surfaces: [partnerV1, generalV1, adminV1],
    tags: TAGS,
    securitySchemes: {
      key: { type: "http", scheme: "bearer", description: `An API key. Its scopes: ${Object.keys(SCOPES).join(", ")}.` },
      operator_key: { type: "http", scheme: "bearer", description: "A key of the company that runs the programme." },
    },
    webhooks: ALL_EVENT_TYPES.map((type) => ({ type, summary: EVENT_CATALOGUE[type].summary, schema: eventOf(type) })),
  });
}
