import { type Kind, newId, PREFIXES } from "../../src/kernel/ids.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import { feed, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, type World } from "../harness/world.ts";

/** Every operation, each named as in the reference. */
export const OPERATIONS = partnerV1.routes.map((route) => ({ name: `${route.method} ${route.path}`, route }));

/** A body of each operation that takes one, with every member it knows. A new operation has to bring its own. */
const BODIES: Record<string, object> = {
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
    metadata: { region: "apac" },
    status: "suspended",
    reason: "Invoice overdue",
  },
  "clients.suspend": { reason: "Invoice overdue" },
  "clients.reactivate": { reason: "Paid" },
  "keys.create": { name: "Billing sync", scopes: ["keys:write"], clients: "all" },
};

export function bodyOf(route: Route): Json | undefined {
  if (route.body === undefined) return undefined;
  return BODIES[route.operation] ?? missing(`BODIES in contract/operations.ts needs one for ${route.operation}`);
}

/** The address of an operation, with an id for each of its parameters. */
export function urlOf(route: Route, idFor: (kind: Kind) => string): string {
  return partnerV1.prefix + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(route.params[name] ?? missing(name)));
}

/** Ids of things that belong to a client: the client itself, a key bound to it, its first event and audit entry. */
export type Belongings = (kind: Kind) => string;

export async function belongingsOf(world: World, partner: TestPartner, client_id: string): Promise<Belongings> {
  const body = { name: "Bound", scopes: ["clients:read"], clients: [client_id] };
  const key = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
  const events = await feed(world, partner.key, `client_id=${client_id}`);
  const entries = await walk(world, partner.key, "/audit-log", { client_id });
  const ids: Partial<Record<Kind, string>> = {
    client: client_id,
    key: key.body.id,
    event: events[0]?.id,
    audit: entries[0]?.id,
  };
  return (kind) => ids[kind] ?? missing(`belongingsOf in contract/operations.ts needs a ${kind}`);
}

/** Ids of the right form that nobody has. */
export const neverMade: Belongings = (kind) => newId(kind, Date.now());

export const malformed: Belongings = (kind) => `${PREFIXES[kind]}_1`;

function missing(what: string): never {
  throw new Error(what);
}
