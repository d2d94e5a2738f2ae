import { type Kind, newId, PREFIXES } from "../../src/kernel/ids.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { exampleOf, type JsonSchema } from "../../src/platform/http/schema-example.ts";
import { nextCompany } from "../harness/sales.ts";
import { type Json, nextPhone } from "../harness/world.ts";

/** An id for each kind of thing that a body mentions. */
export type IdForKind = (kind: Kind) => string;

/**
 * The body of an operation: each member that its schema knows, as its examples have it, with ids that exist and values that
 * nobody else has. A new operation needs nothing here, unless its members exclude each other or depend on what is there.
 */
export function exampleBody(route: Route, idFor: IdForKind = (kind) => newId(kind, Date.now())): Json {
  const body = Object.entries({ ...(wholeExample(route.body as JsonSchema) as object), ...ADJUSTMENTS[route.operation] });
  const made = body
    .filter(([, value]) => value !== LEFT_OUT)
    .map(([name, value]) => [name, typeof value === "function" ? value() : renewed(name, value, idFor)]);
  return Object.fromEntries(made);
}

/** An object has all its members, whatever example it has as a whole. */
function wholeExample(schema: JsonSchema): unknown {
  const chosen = schema.anyOf?.[0] ?? schema;
  if (chosen.type !== "object" || chosen.properties === undefined) return exampleOf(schema);
  return Object.fromEntries(Object.entries(chosen.properties).map(([name, member]) => [name, wholeExample(member)]));
}

const EXAMPLE_ID = /^([a-z]+)_01jd3k5y5cf7m8n9p0q1r2s3t4$/;
let made = 0;

/** Members whose value only one record may have. */
const UNIQUE: Record<string, (example: string) => string> = {
  name: (example) => `${example} ${++made}`,
  phone: nextPhone,
  company: nextCompany,
  email: () => `ada${++made}@harbour.example`,
  company_domain: () => `harbour${++made}.example`,
  external_id: () => `crm-${++made}`,
  key: () => `key_${++made}`,
};

function renewed(name: string, value: unknown, idFor: IdForKind): unknown {
  if (Array.isArray(value)) return value.map((item) => renewed("", item, idFor));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, renewed(member, inner, idFor)]));
  if (typeof value !== "string") return value;
  const prefix = EXAMPLE_ID.exec(value)?.[1];
  const kind = (Object.keys(PREFIXES) as Kind[]).find((one) => PREFIXES[one] === prefix);
  return kind === undefined ? (UNIQUE[name]?.(value) ?? value) : idFor(kind);
}

/** A member that excludes another one of the same body. */
const LEFT_OUT = Symbol("left out");

const OF_A_SALE = { plan: LEFT_OUT, mrr_cents: LEFT_OUT, client_id: LEFT_OUT };
const IN_STAGE = { pipeline_id: LEFT_OUT, stage_id: LEFT_OUT };

const AGENT_TEST = { messages: [{ text: "Hello" }], assert: [{ type: "handed_off", value: true }] };
const AGENT_CONTENT = {
  engine: "playbook",
  playbook: {
    start: "hello",
    slots: { email: { type: "email", ask: "Where can we write to you?", retry: "An address, please.", retries: 2 } },
    interrupts: [{ when: { match: ["human"] }, say: "One moment.", go: "@handoff" }],
    states: {
      hello: { say: "Hi, I am {{agent.name}}.", collect: ["email"], go: "save" },
      save: {
        do: [{ tool: "add_tag", args: { tag: "{{slot.email}}" } }],
        branch: [{ when: { not: { slot: "email", op: "filled" } }, go: "@handoff" }],
        go: "@end",
      },
    },
    fallback: { faq: { min_score: 0.2 }, say: "I did not get that.", max: 2, go: "@handoff" },
  },
  instructions: "Be brief and kind.",
  model: {
    ...{ base_url: "https://models.harbour.example/v1", name: "small-1", max_tokens: 800, temperature: 0.2 },
    api_key: "mk-1234567890",
  },
  tools: { create_deal: "off" },
  targets: { slots: { url: "https://calendar.harbour.example/slots" } },
};

/** What the examples of single members do not add up to: members that exclude each other, and values that depend on the scene. */
const ADJUSTMENTS: Record<string, Record<string, unknown>> = {
  // Snapshots need a scope of their own.
  "clients.create": { snapshots: LEFT_OUT },
  "clients.bulk": { action: "tag", reason: LEFT_OUT },
  "contacts.bulk": { action: "tag", contacts: LEFT_OUT },
  "leads.bulk": { action: "tag", leads: LEFT_OUT },
  "deals.bulk": { action: "tag", deals: LEFT_OUT },
  "clients.update": { status: "suspended" },
  "leads.create": { status: "disqualified" },
  "leads.update": { status: "disqualified" },
  "leads.upsert": { status: "new", reason: LEFT_OUT },
  "leads.set_scoring": {
    rules: [
      { name: "Can be called", field: "phone", op: "exists", points: 20 },
      { name: "Came by a campaign", field: "source.utm.campaign", op: "in", value: ["spring-sale"], points: 10 },
    ],
  },
  "leads.convert": {
    deal: {
      name: "Ten seats",
      company: "",
      amount_cents: 120_000,
      currency: "usd",
      tags: ["vip"],
      external_id: "",
      stage: "New",
    },
  },
  "deals.create": { ...OF_A_SALE, ...IN_STAGE, stage: "Lost" },
  "deals.update": OF_A_SALE,
  "deals.move": { ...IN_STAGE, stage: "Lost", expected_stage: "New", dry_run: false },
  "partner_deals.create": {
    ...IN_STAGE,
    deal_id: LEFT_OUT,
    stage: "Qualified",
    contact_id: null,
    owner_id: null,
    client_id: null,
    lost_reason: null,
  },
  "partner_deals.update": OF_A_SALE,
  // A key gives no more than it has, and one for all clients is made by such a one alone.
  "keys.create": { scopes: ["keys:write"] },
  "keys.update": { scopes: ["keys:write"] },
  "users.update": { email: LEFT_OUT, role: LEFT_OUT },
  "webhooks.create": { client_ids: null },
  "webhooks.update": { client_ids: null },
  "replays.create": { dry_run: true },
  "operator_tiers.create": { grade: () => `grade-${++made}`, rank: LEFT_OUT },
  "operator_tiers.update": { rank: () => ++made },
  "rules.create": { scope: "programme", grade: null, partner_id: null, link_id: null },
  "snapshots.create": { source_client_id: LEFT_OUT, status: "published" },
  "deployments.create": { version: LEFT_OUT, plan_hash: LEFT_OUT },
  "snapshots.create_version": { source_client_id: LEFT_OUT },
  "snapshots.update": { status: "published" },
  "rollouts.create": { plan_of: LEFT_OUT },
  "message_templates.create": { provider_template: null },
  "message_templates.update": { provider_template: null },
  "conversations.create": { contact_id: LEFT_OUT, lead_id: LEFT_OUT, address: nextPhone, template_id: LEFT_OUT, vars: LEFT_OUT },
  // The first message has taken the conversation over once.
  "conversations.assign": { owner_token: 2 },
  "conversations.handoff": { owner_token: 2 },
  "conversations.takeover": { owner_token: 2 },
  "conversations.return": { owner_token: 2 },
  "conversations.send": {
    template_id: LEFT_OUT,
    vars: LEFT_OUT,
    attachment_ids: LEFT_OUT,
    owner_token: 2,
    channel: "api",
    client_message_id: () => `web-${++made}`,
  },
  "agents.create": { content: AGENT_CONTENT },
  "agents.create_version": { content: AGENT_CONTENT },
  "agents.replace_version": { content: AGENT_CONTENT },
  "knowledge_sources.create": { key: () => `source-${++made}`, url: LEFT_OUT },
  "knowledge_sources.update": { url: LEFT_OUT },
  "sandbox.run": {
    messages: [{ role: "contact", text: "Hello" }],
    mocks: [{ tool: "http_request", error: { code: "timeout", detail: "Nobody is there." }, times: 1 }],
    assert: [{ type: "handed_off", value: true }],
    world: { fixtures: { contact: { name: "Ada Okafor" }, lead: { status: "new" } }, now: "2026-11-02T09:30:00Z", hours: "open" },
    variables: LEFT_OUT,
    continue_from: LEFT_OUT,
  },
  "agent_tests.create": { name: () => `Test ${++made}`, request: AGENT_TEST },
  "agent_tests.update": { name: () => `Test ${++made}`, request: AGENT_TEST },
  "test_runs.create": { version: "draft", compare_to: LEFT_OUT },
  "sessions.to_test": { name: () => `Test ${++made}` },
  // Each method has parameters of its own.
  "mcp.post": { params: LEFT_OUT },
  "payment_providers.update": { config: { instructions: "At the desk." } },
  "payment_links.create": { line_items: LEFT_OUT, uses_max: LEFT_OUT, charge: LEFT_OUT, send: LEFT_OUT },
  "payment_links.add": { line_items: LEFT_OUT, uses_max: LEFT_OUT, charge: LEFT_OUT, send: LEFT_OUT },
  "payment_links.send": { template_id: LEFT_OUT },
  "payment_links.remind": { template_id: LEFT_OUT },
  "payment_links.update": { line_items: LEFT_OUT },
  "affiliate_links.create": { code: () => `spring-${++made}` },
  "payout_method.set": { instructions: LEFT_OUT, currencies: LEFT_OUT },
  "operator_payout_method.set": { instructions: LEFT_OUT, currencies: LEFT_OUT },
  "payout_runs.export": { currency: "eur" },
  "partners.create": { parent_id: null },
  "partners.update": { parent_id: null },
};
