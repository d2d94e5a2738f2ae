import { type Kind, type Named, newId, PREFIXES } from "../../src/kernel/ids.ts";
import { FILE_EXAMPLE } from "../../src/platform/http/openapi.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { adminV1 } from "../../src/surfaces/admin-v1.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";
import type { Json } from "../harness/world.ts";
import { exampleBody } from "./bodies.ts";

/** Every operation, each named as in the reference. */
export const OPERATIONS = [
  ...partnerV1.routes.map((route) => ({ name: `${route.method} ${route.path}`, route })),
  ...generalV1.routes.map((route) => ({ name: `${route.method} /v1${route.path}`, route })),
];

/** The operator's, which have a key of their own kind. */
export const ADMIN_OPERATIONS = adminV1.routes.map((route) => ({ name: `${route.method} /v1/admin${route.path}`, route }));

export const ALL_OPERATIONS = [...OPERATIONS, ...ADMIN_OPERATIONS];

/** What has an id in the scenes: one of each kind, and where that one would not do, another. */
export type Thing = Named | keyof typeof FURTHER;
const FURTHER = {
  other_contact: "contact",
  deal_note: "note",
  lead_note: "note",
  converted_lead: "lead",
  sale: "deal",
  won_sale: "deal",
  failed_payout: "payout",
  paused_rollout: "rollout",
  failed_deployment: "deployment",
  cancelled_message: "message",
  part_paid_link: "payment_link",
  sendable_link: "payment_link",
  listing: "snapshot",
  offer: "snapshot",
  published_agent: "agent",
  tested_agent: "agent",
  page_source: "knowledge_source",
} as const satisfies Record<string, Kind>;

/** The ids of a scene. */
export type Belongings = (thing: Thing) => string;

/** Which thing of its kind an operation acts on, where it is not the first. */
const ACTS_ON: readonly [operation: RegExp, kind: Kind, thing: Thing][] = [
  [/^registrations\./, "deal", "sale"],
  [/^deals\.accrue$/, "deal", "won_sale"],
  [/^operator_payouts\.retry$/, "payout", "failed_payout"],
  [/^(listings|marketplace)\./, "snapshot", "listing"],
  [/^(purchases\.create|operator_listings\.unlist)$/, "snapshot", "offer"],
  [/^rollouts\.rollback$/, "rollout", "paused_rollout"],
  [/^deployments\.retry$/, "deployment", "failed_deployment"],
  [/^agents\.(update|rollback)$/, "agent", "published_agent"],
  [/^test_runs\.create$/, "agent", "tested_agent"],
  [/^knowledge_sources\.fetch$/, "knowledge_source", "page_source"],
  [/^messages\.retry$/, "message", "cancelled_message"],
  [/^payment_links\.close$/, "payment_link", "part_paid_link"],
  [/^payment_links\.(send|remind)$/, "payment_link", "sendable_link"],
  [/^deals\./, "note", "deal_note"],
  [/^leads\./, "note", "lead_note"],
  [/^leads\.unconvert$/, "lead", "converted_lead"],
];

function thingOf({ operation }: Route, kind: Named): Thing {
  return ACTS_ON.find(([pattern, of]) => of === kind && pattern.test(operation))?.[2] ?? kind;
}

/** A contact is merged with another one. */
const thingInBody = ({ operation }: Route, kind: Kind): Thing =>
  operation === "contacts.merge" && kind === "contact" ? "other_contact" : kind;

const kindOf = (thing: Thing): Named => (thing in FURTHER ? FURTHER[thing as keyof typeof FURTHER] : (thing as Named));

/** The body of an operation, with every member it knows; of a scene's ids where one is given, otherwise of ids that nobody has. */
export function bodyOf(route: Route, idFor: Belongings = neverMade): Json | undefined {
  if (route.upload !== undefined) return FILE_EXAMPLE;
  return route.body === undefined ? undefined : exampleBody(route, (kind) => idFor(thingInBody(route, kind)));
}

/** The address of an operation, with an id for each of its parameters. */
export function urlOf(route: Route, idFor: Belongings): string {
  const { prefix } = [partnerV1, adminV1, generalV1].find(({ routes }) => routes.includes(route)) ?? missing(route.operation);
  return (
    prefix + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(thingOf(route, route.params[name] ?? missing(name))))
  );
}

/** What an operation acts on without naming it. */
const NEEDS: readonly [operation: RegExp, thing: Thing][] = [[/^(operator_)?payout_method\./, "payout_method"]];

/** The things that a request of an operation needs. */
export function thingsOf(route: Route): Thing[] {
  const things = new Set<Thing>();
  const note: Belongings = (thing) => {
    things.add(thing);
    return neverMade(thing);
  };
  urlOf(route, note);
  bodyOf(route, note);
  for (const [operation, thing] of NEEDS) if (operation.test(route.operation)) things.add(thing);
  return [...things];
}

/** The headers that an operation cannot do without, besides the key. */
export function headersOf(route: Route): Record<string, string> {
  return {
    ...(route.if_match_required === true ? { "if-match": "*" } : {}),
    ...(route.upload === undefined ? {} : { "content-type": route.upload.type }),
  };
}

/** What has a name or a number instead of an id: one that nobody has, and one of another form. */
const UNNAMED = { grade: ["never-made", "No-Grade"], version_number: ["999999", "0"] } as const;
const isUnnamed = (kind: Named): kind is keyof typeof UNNAMED => kind in UNNAMED;

/** Ids of the right form that nobody has. */
export function neverMade(thing: Thing): string {
  const kind = kindOf(thing);
  return isUnnamed(kind) ? UNNAMED[kind][0] : newId(kind, Date.now());
}

export const malformed: Belongings = (thing) => {
  const kind = kindOf(thing);
  return isUnnamed(kind) ? UNNAMED[kind][1] : `${PREFIXES[kind]}_1`;
};

export function missing(what: string): never {
  throw new Error(what);
}

/** The operation that creates things of a kind: the first POST that answers with one. */
export function creatorOf(thing: Thing): Route {
  const kind = kindOf(thing);
  const prefix = isUnnamed(kind) ? missing(`no POST of a partner creates a ${kind}`) : `^${PREFIXES[kind]}_`;
  const creates = ({ method, reply }: Route) => {
    const { properties } = (reply.schema ?? {}) as { properties?: { id?: { pattern?: string } } };
    return method === "POST" && reply.status === 201 && properties?.id?.pattern?.startsWith(prefix) === true;
  };
  return (
    OPERATIONS.find(({ route }) => creates(route))?.route ?? missing(`contract/scene.ts has to make a ${thing}: no POST does`)
  );
}
