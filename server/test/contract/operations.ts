import { type Kind, newId, PREFIXES } from "../../src/kernel/ids.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { adminV1 } from "../../src/surfaces/admin-v1.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { feed, walk } from "../harness/lists.ts";
import { newSale } from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, nextPhone, type TestPartner, type World } from "../harness/world.ts";
import { DEAL_BODIES } from "./deal-bodies.ts";
import { RECORD_BODIES } from "./record-bodies.ts";

/** Every operation, each named as in the reference. */
export const OPERATIONS = [
  ...partnerV1.routes.map((route) => ({ name: `${route.method} ${route.path}`, route })),
  ...generalV1.routes.map((route) => ({ name: `${route.method} /v1${route.path}`, route })),
];

/** The operator's, which have a key of their own kind. */
export const ADMIN_OPERATIONS = adminV1.routes.map((route) => ({ name: `${route.method} /v1/admin${route.path}`, route }));

export const ALL_OPERATIONS = [...OPERATIONS, ...ADMIN_OPERATIONS];

/** Stands for another contact of the same account in a body, until one is known. */
const OTHER_CONTACT = newId("contact", Date.now());

/** A body of each operation that takes one, with every member it knows. A new operation has to bring its own. */
const BODIES: Record<string, object | (() => object)> = {
  "clients.create": {
    company: "Harbour Dental",
    external_id: "crm-4711",
    contact: { name: "Ada Okafor", email: "ada@harbour.example", phone: "+14155552671" },
    plan: "Growth",
    mrr_cents: 49_900,
    currency: "usd",
    branding: {
      product_name: "Harbour CRM",
      logo_url: "https://cdn.example/logo.svg",
      primary_color: "#0b7285",
      domain: "app.harbour.example",
      support_email: "help@harbour.example",
    },
    tags: ["vip", "emea"],
    metadata: { region: "emea" },
    activate: true,
  },
  "clients.update": {
    company: "Harbour Dental Group",
    external_id: "crm-4712",
    contact: { name: "Bo Ek", email: "bo@harbour.example", phone: "+14155552672" },
    plan: "Scale",
    mrr_cents: 59_900,
    currency: "eur",
    branding: { product_name: "Harbour Desk" },
    tags: ["apac"],
    metadata: { region: "apac" },
    status: "suspended",
    reason: "Invoice overdue",
  },
  ...RECORD_BODIES,
  "contacts.change_settings": { shared_phones: true },
  "contacts.bulk": { action: "tag", contact_ids: [newId("contact", Date.now()), newId("contact", Date.now())], tags: ["vip"] },
  "contacts.merge": { from_id: OTHER_CONTACT, take: ["name", "email"] },
  "contacts.set_consent": {
    sms: { status: "granted", source: "Form on the web site", at: "2026-11-01T00:00:00Z" },
    email: { status: "denied", source: null },
    whatsapp: { status: "unknown" },
    calls: { status: "granted" },
  },
  "contacts.create_note": { body: "Called, asked for an offer." },
  "contacts.update_note": { body: "Called again." },
  "custom_fields.create": {
    resource: "contact",
    key: "size",
    type: "select",
    label: "Size",
    options: ["small", "large"],
    required: false,
  },
  "custom_fields.update": { label: "Shoe size", options: ["41", "42"], required: true, archived: true },
  // Without the account, which is not known beforehand, and what only a sale has.
  ...DEAL_BODIES,
  "access.request": { message: "We sync our clients from our own CRM." },
  "partners.create": {
    company: "Northwind Agency",
    owner: { name: "Nora Lindqvist", email: "nora@northwind.example" },
    grade: "gold",
    parent_id: null,
    currency: "eur",
    branding: { product_name: "Northwind CRM" },
    api_access: true,
  },
  "partners.update": { company: "Northwind Group", parent_id: null, grade: "platinum", api_access: false },
  "partners.suspend": { reason: "Payment dispute" },
  "access_requests.grant": { reason: "Welcome" },
  "access_requests.decline": { reason: "Not yet" },
  "operator_keys.create": { name: "Back office" },
  "programme.update": {
    name: "Northern programme",
    default_currency: "eur",
    support_email: "help@tributary.example",
    registration_review: "auto",
    protection_days: 60,
    open_registrations_max: 1_000_000,
  },
  "clients.bulk": { action: "tag", client_ids: [newId("client", Date.now()), newId("client", Date.now())], tags: ["vip"] },
  "account.update": {
    company: "Northwind Group",
    branding: { product_name: "Northwind Desk" },
    default_currency: "eur",
    default_snapshots: [newId("snapshot", Date.now())],
  },
  "users.create": { name: "Bo Ek", email: "bo@northwind.example", role: "member", accounts: "all" },
  // Without the role and the address, which a key may not change.
  "users.update": { name: "Bo Eklund", accounts: "all" },
  "clients.suspend": { reason: "Invoice overdue" },
  "clients.reactivate": { reason: "Paid" },
  "keys.create": {
    name: "Billing sync",
    scopes: ["keys:write"],
    clients: "all",
    expires_at: "2199-01-01T00:00:00Z",
    allowed_cidrs: ["127.0.0.0/8", "2001:db8::/32"],
  },
  "keys.update": {
    name: "Billing export",
    scopes: ["keys:write"],
    clients: "all",
    expires_at: "2199-01-01T00:00:00Z",
    allowed_cidrs: ["127.0.0.0/8"],
  },
  "keys.rotate": { overlap_hours: 24 },
  "webhooks.create": {
    url: "https://hooks.harbour.example/in",
    event_types: ["client.created", "client.churned"],
    client_ids: null,
    description: "Billing sync",
    enabled: true,
    ordering: "subject",
    max_in_flight: 4,
    rate_limit_per_second: 50,
    timeout_ms: 5_000,
    headers: { "X-Api-Key": "secret" },
    metadata: { team: "billing" },
  },
  "webhooks.update": {
    url: "https://hooks.harbour.example/other",
    event_types: ["client.created"],
    client_ids: null,
    description: "Billing export",
    enabled: true,
    ordering: "strict",
    max_in_flight: 1,
    rate_limit_per_second: null,
    timeout_ms: 30_000,
    headers: { "X-Api-Key": "another" },
    metadata: { team: "sales" },
  },
  "webhooks.rotate_secret": { overlap_seconds: 3_600 },
  "webhooks.test": { type: "deal.won" },
  "webhooks.verify": {
    body: "{}",
    body_encoding: "text",
    headers: { "X-Service-Signature": `t=1794700800,v1=${"0".repeat(64)}` },
    computed: "0".repeat(64),
    endpoint_id: null,
    received_at: "2026-11-02T09:30:00Z",
  },
  "replays.create": {
    since: "2026-10-01T00:00:00Z",
    until: "2026-11-01T00:00:00Z",
    types: ["client.created"],
    only_failed: true,
    dry_run: true,
  },
};

/** A file for each operation that takes one. */
const FILES: Record<string, string> = { "imports.create": "name,phone\r\nAda Okafor,+14155552674\r\n" };

export function bodyOf(route: Route, idFor?: Belongings): Json | undefined {
  if (route.upload !== undefined)
    return FILES[route.operation] ?? missing(`FILES in contract/operations.ts needs one for ${route.operation}`);
  if (route.body === undefined) return undefined;
  const known = BODIES[route.operation] ?? missing(`BODIES in contract/operations.ts needs one for ${route.operation}`);
  const body = typeof known === "function" ? known() : known;
  const text = JSON.stringify(body);
  return idFor === undefined || !text.includes(OTHER_CONTACT)
    ? body
    : JSON.parse(text.replaceAll(OTHER_CONTACT, idFor("other_contact")));
}

/** The address of an operation, with an id for each of its parameters. */
export function urlOf(route: Route, idFor: Belongings): string {
  const { prefix } = [partnerV1, adminV1, generalV1].find(({ routes }) => routes.includes(route)) ?? missing(route.operation);
  return prefix + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(thingOf(route, name)));
}

/** The headers that an operation cannot do without, besides the key. */
export function headersOf(route: Route): Record<string, string> {
  return {
    ...(route.if_match_required === true ? { "if-match": "*" } : {}),
    ...(route.upload === undefined ? {} : { "content-type": route.upload.type }),
  };
}

/** Ids of things that belong to a client: the client itself, a key, a user and an endpoint bound to it, its first event and audit entry. */
export type Belongings = (kind: Thing) => string;

/** What has an id in the scenes: one of each kind, and where that one would not do, another. */
type Thing = Kind | keyof typeof FURTHER;
const FURTHER = {
  other_contact: "contact",
  deal_note: "note",
  lead_note: "note",
  converted_lead: "lead",
  sale: "deal",
} as const satisfies Record<string, Kind>;

function thingOf(route: Route, name: string): Thing {
  const kind = route.params[name] ?? missing(name);
  if (kind === "deal" && route.operation.startsWith("registrations.")) return "sale";
  if (kind === "note" && route.operation.startsWith("deals.")) return "deal_note";
  if (kind === "note" && route.operation.startsWith("leads.")) return "lead_note";
  return route.operation === "leads.unconvert" ? "converted_lead" : kind;
}

const kindOf = (thing: Thing): Kind => (thing in FURTHER ? FURTHER[thing as keyof typeof FURTHER] : (thing as Kind));

export async function belongingsOf(world: World, partner: TestPartner, client_id: string): Promise<Belongings> {
  const body = { name: "Bound", scopes: ["clients:read"], clients: [client_id] };
  const key = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
  const events = await feed(world, partner.key, `client_id=${client_id}`);
  const entries = await walk(world, partner.key, "/audit-log", { client_id });
  const staff = { name: "Staff", email: `${client_id}@test.example`, role: "member", accounts: [client_id] };
  const user = await world.call("POST", `${BASE}/users`, { key: partner.key, body: staff });
  const hook = { url: "https://hooks.test.example/", event_types: ["client.created"], client_ids: [client_id] };
  const endpoint = await world.call("POST", `${BASE}/webhooks`, { key: partner.key, body: hook });
  const test = await world.call("POST", `${BASE}/webhooks/${endpoint.body.id}/test`, { key: partner.key });
  const since = { since: "2026-01-01T00:00:00Z" };
  const replay = await world.call("POST", `${BASE}/webhooks/${endpoint.body.id}/replay`, { key: partner.key, body: since });
  const contact = await world.newContact(partner, { account_id: client_id });
  const custom = { account_id: client_id, resource: "contact", key: "shoe_size", type: "select", options: ["41"] };
  const field = await world.call("POST", `${GENERAL}/custom-fields`, { key: partner.key, body: custom });
  const about = (path: string, body: object) =>
    world.call("POST", `${GENERAL}/contacts/${contact.id}/${path}`, { key: partner.key, body });
  const merge = await about("merge", { from_id: (await world.newContact(partner, { account_id: client_id })).id });
  const note = await about("notes", { body: "Called." });
  const imported = await world.call("POST", `${GENERAL}/imports?account_id=${client_id}`, {
    key: partner.key,
    body: "name,phone\r\nNo one,12\r\n",
    headers: { "content-type": "text/csv" },
  });
  // One that is over, whichever was first: what can be done to it no longer changes.
  await world.call("POST", `${GENERAL}/imports/${imported.body.id}/cancel`, { key: partner.key });
  const pipeline = await world.call("POST", `${GENERAL}/pipelines`, {
    key: partner.key,
    body: { name: "Spare", account_id: client_id },
  });
  const deal = await world.call("POST", `${GENERAL}/deals`, { key: partner.key, body: { name: "Seats", account_id: client_id } });
  const dealNote = await world.call("POST", `${GENERAL}/deals/${deal.body.id}/notes`, {
    key: partner.key,
    body: { body: "Called." },
  });
  const other_contact = (await world.newContact(partner, { account_id: client_id })).id;
  const lead = await world.newLead(partner, { account_id: client_id });
  const leadNote = await world.call("POST", `${GENERAL}/leads/${lead.id}/notes`, { key: partner.key, body: { body: "Called." } });
  const reached = await world.newLead(partner, { account_id: client_id, phone: nextPhone() });
  await world.call("POST", `${GENERAL}/leads/${reached.id}/convert`, { key: partner.key });
  const sale = await newSale(world, partner);
  const ids: Partial<Record<Thing, string>> = {
    lead: lead.id,
    lead_note: leadNote.body.id,
    converted_lead: reached.id,
    sale: sale.deal_id,
    other_contact,
    import: imported.body.id,
    merge: merge.body.id,
    note: note.body.id,
    contact: contact.id,
    pipeline: pipeline.body.id,
    deal: deal.body.id,
    deal_note: dealNote.body.id,
    custom_field: field.body.id,
    client: client_id,
    endpoint: endpoint.body.id,
    delivery: test.body.id,
    replay: replay.body.id,
    key: key.body.id,
    event: events[0]?.id,
    audit: entries[0]?.id,
    user: user.body.id,
  };
  return (kind) => ids[kind] ?? missing(`belongingsOf in contract/operations.ts needs a ${kind}`);
}

/** Ids of things that an operator deals with: a partner that asks for access, its request, a sale that waits for a decision, and another operator key. */
export async function operatorBelongings(world: World, operator: string): Promise<Belongings> {
  const partner = await world.newPartner({ api_access: false });
  const asked = await world.call("POST", `${BASE}/access-request`, { key: partner.key });
  const key = await world.call("POST", `${ADMIN}/keys`, { key: operator, body: { name: "Another" } });
  const { deal_id } = await newSale(world, partner);
  await world.db.sql("update registrations set status = 'submitted' where deal_id = $1", [deal_id]);
  const ids: Partial<Record<Thing, string>> = {
    deal: deal_id,
    sale: deal_id,
    partner: partner.partner_id,
    access_request: asked.body.request.id,
    key: key.body.id,
  };
  return (kind) => ids[kind] ?? missing(`operatorBelongings in contract/operations.ts needs a ${kind}`);
}

/** Ids of the right form that nobody has. */
export const neverMade: Belongings = (thing) => newId(kindOf(thing), Date.now());

export const malformed: Belongings = (thing) => `${PREFIXES[kindOf(thing)]}_1`;

function missing(what: string): never {
  throw new Error(what);
}
