import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeCursor, listIdentity } from "../../src/kernel/page.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { FREE_TEXT } from "../../src/platform/http/shapes.ts";
import { type CallOptions, type TestPartner, useWorld } from "../harness/world.ts";
import {
  BAD_BODIES,
  BAD_CURSORS,
  BAD_NUMBERS,
  BAD_PARAMETERS,
  BAD_QUERIES,
  BAD_SEGMENTS,
  BAD_TEXTS,
  forgedCursors,
  spoilt,
} from "./bad-values.ts";
import { ALL_OPERATIONS, type Belongings, belongingsOf, bodyOf, headersOf, operatorBelongings, urlOf } from "./operations.ts";

const world = useWorld();
let partner: TestPartner;
let idFor: Belongings;
let operator: string;
let operatorIdFor: Belongings;
let rowsBefore: unknown;

/** That a key was used is noted now and then, whatever was asked with it. */
const rows = () =>
  world.db.sql(
    "select to_jsonb(c) from clients c union all select to_jsonb(k) - 'last_used_at' from keys k union all select to_jsonb(o) from contacts o union all select to_jsonb(p) from pipelines p union all select to_jsonb(s) from stages s union all select to_jsonb(d) from deals d union all select to_jsonb(l) from leads l order by 1",
  );

beforeAll(async () => {
  partner = await world.newPartner();
  idFor = await belongingsOf(world, partner, (await world.newClient(partner)).id);
  operator = await world.newOperator();
  operatorIdFor = await operatorBelongings(world, operator);
  rowsBefore = await rows();
});

const idsOf = (route: Route) => (route.operator === true ? operatorIdFor : idFor);
const keyOf = (route: Route) => (route.operator === true ? operator : partner.key);

afterAll(async () => {
  // After everything below: nothing of what was refused has left a trace.
  expect(await rows()).toEqual(rowsBefore);
});

type Case = [what: string, url: string, options?: CallOptions];

/** Sends each case and tells those that were answered with anything but a 4xx; `call` checks that it is a problem. */
async function notRefused(route: Route, cases: Iterable<Case>): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, url, options = {}] of cases) {
    const { status } = await world.call(route.method, url, {
      key: keyOf(route),
      ...options,
      headers: { ...headersOf(route), ...options.headers },
    });
    if (status < 400 || status > 499) faults.push(`${what}: ${status}`);
  }
  return faults;
}

type ParameterSchema = { type?: string; pattern?: string; items?: { pattern?: string } };

function parametersOf(route: Route): [name: string, schema: ParameterSchema][] {
  return Object.entries((route.query as { properties?: Record<string, ParameterSchema> } | undefined)?.properties ?? {});
}

const TAKES_BODY = ALL_OPERATIONS.filter(({ route }) => route.method !== "GET");
const WITH_BODY = ALL_OPERATIONS.filter(({ route }) => route.body !== undefined);
const WITH_ID = ALL_OPERATIONS.filter(({ route }) => Object.keys(route.params).length > 0);
const LISTS = ALL_OPERATIONS.filter(({ route }) => parametersOf(route).some(([name]) => name === "cursor" || name === "after"));

describe.each(TAKES_BODY)("$name", ({ route }) => {
  test("refuses a body that is no JSON object, is too deep, too large, or no text", async () => {
    const cases = Object.entries(BAD_BODIES).map(([what, body]): Case => [what, urlOf(route, idsOf(route)), { body }]);
    expect(await notRefused(route, cases)).toEqual([]);
  });

  test("refuses a body of any other type than JSON in UTF-8", async () => {
    const types = [
      "text/plain",
      "application/xml",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "json",
      ";",
      "a/b/c",
    ];
    const body = JSON.stringify(bodyOf(route) ?? {});
    const cases = types.map((type): Case => [type, urlOf(route, idsOf(route)), { body, headers: { "content-type": type } }]);
    expect(await notRefused(route, cases)).toEqual([]);
  });
});

describe.each(WITH_BODY)("$name", ({ route }) => {
  test("refuses each member with each wrong value, and each object with a member that does not belong", async () => {
    const cases = [...spoilt(bodyOf(route, idsOf(route)))].map(
      ([what, body]): Case => [what, urlOf(route, idsOf(route)), { body }],
    );
    expect(cases.length).toBeGreaterThan(15);
    expect(await notRefused(route, cases)).toEqual([]);
  });
});

describe.each(ALL_OPERATIONS)("$name", ({ route }) => {
  test("refuses query parameters that it does not know, and what cannot be read as one", async () => {
    const body = bodyOf(route);
    const cases = BAD_QUERIES.map((query): Case => [query.slice(0, 40), `${urlOf(route, idsOf(route))}?${query}`, { body }]);
    expect(await notRefused(route, cases)).toEqual([]);
  });

  test("refuses each parameter with a wrong value, and each that takes one value with two", async () => {
    const url = urlOf(route, idsOf(route));
    const cases = parametersOf(route).flatMap(([name, { type, pattern, items }]): Case[] => [
      ...[
        ...((pattern ?? items?.pattern) === FREE_TEXT ? BAD_TEXTS : BAD_PARAMETERS),
        ...(type === "integer" ? BAD_NUMBERS : []),
      ].map((value): Case => [`${name}=${value.slice(0, 40)}`, `${url}?${name}=${value}`]),
      ...(type === "array" ? [] : [[`${name} twice`, `${url}?${name}=1&${name}=1`] as Case]),
    ]);
    expect(await notRefused(route, cases)).toEqual([]);
  });

  test("refuses headers that cannot be what they are for", async () => {
    const url = urlOf(route, idsOf(route));
    const headers = [
      { "if-match": "not an etag" },
      { "if-match": '"99999999999999999999"' },
      { accept: "image/png" },
      { authorization: `Bearer ${"x".repeat(5_000)}` },
      { authorization: "Bearer \x7f" },
      ...(route.method === "POST" ? [{ "idempotency-key": "ä" }, { "idempotency-key": "x".repeat(5_000) }] : []),
    ];
    const cases = headers.map(
      (given): Case => [
        JSON.stringify(given).slice(0, 60),
        url,
        { body: bodyOf(route), headers: given as Record<string, string> },
      ],
    );
    expect(await notRefused(route, cases)).toEqual([]);
  });
});

describe.each(WITH_ID)("$name", ({ route }) => {
  test("finds nothing under what is no id", async () => {
    const cases = BAD_SEGMENTS.map(
      (segment): Case => [segment.slice(0, 40), urlOf(route, () => segment), { body: bodyOf(route) }],
    );
    expect(await notRefused(route, cases)).toEqual([]);
  });
});

/** What the cursors of each list are bound to when no filter is given, and a position that they may have. */
const CURSORS: Record<string, { list: string; filters: object; position: string | number }> = {
  "clients.list": { list: "clients", filters: { sort: "-created_at", include_house: false }, position: "cli_1" },
  "users.list": { list: "users", filters: {}, position: "usr_1" },
  "contacts.list": { list: "contacts", filters: { sort: "-created_at" }, position: "con_1" },
  "leads.list": { list: "leads", filters: { sort: "-created_at" }, position: "lead_1" },
  "contacts.duplicates": { list: "contact-duplicates", filters: {}, position: "con_1" },
  "deals.list": { list: "deals", filters: { sort: "-created_at" }, position: "deal_1" },
  "partner_deals.list": { list: "deals", filters: { sort: "-created_at" }, position: "deal_1" },
  "pipelines.list": { list: "pipelines", filters: { archived: false }, position: "ppl_1" },
  "custom_fields.list": { list: "custom-fields", filters: {}, position: "cfd_1" },
  "imports.list": { list: "imports", filters: {}, position: "imp_1" },
  "changes.list": { list: "changes", filters: {}, position: 1 },
  "activity.list": { list: "activity", filters: {}, position: 1 },
  "keys.list": { list: "keys", filters: {}, position: "key_1" },
  "webhooks.list": { list: "webhooks", filters: {}, position: "whe_1" },
  "events.list": { list: "events", filters: {}, position: 1 },
  "partners.list": { list: "partners", filters: {}, position: "ptr_1" },
  "access_requests.list": { list: "access-requests", filters: {}, position: "acr_1" },
  "operator_keys.list": { list: "operator-keys", filters: {}, position: "key_1" },
  "operator_audit_log.list": { list: "operator-audit-log", filters: {}, position: "aud_1" },
  "registrations.list": { list: "registrations", filters: { sort: "-created_at" }, position: "deal_1" },
  "audit_log.list": { list: "audit-log", filters: {}, position: "aud_1" },
};

/** The activity of a client is a list of its own for each, and so is what belongs to an endpoint or a contact. */
type Cursor = { list: string; filters: object; position: string | number; more?: number[] };

function cursorOf({ operation }: Route): Cursor {
  const ofEndpoint = { endpoint_id: idFor("endpoint") };
  const ofContact = { id: idFor("contact") };
  if (operation === "deliveries.list") return { list: "deliveries", filters: ofEndpoint, position: "dlv_1" };
  if (operation === "replays.list") return { list: "replays", filters: ofEndpoint, position: "rpl_1" };
  const ofLead = { id: idFor("lead") };
  if (operation === "leads.list_notes") return { list: "notes", filters: ofLead, position: "note_1" };
  if (operation === "leads.timeline") return { list: "timeline", filters: ofLead, position: "aud_1" };
  if (operation === "contacts.list_notes") return { list: "notes", filters: ofContact, position: "note_1" };
  if (operation === "imports.list_errors") return { list: "import-errors", filters: { id: idFor("import") }, position: 2_000 };
  if (operation === "contacts.timeline") return { list: "timeline", filters: ofContact, position: "aud_1" };
  const ofDeal = { id: idFor("deal") };
  if (operation.endsWith("deals.history")) return { list: "deal-history", filters: ofDeal, position: "0000000001" };
  if (operation === "deals.list_notes") return { list: "notes", filters: ofDeal, position: "note_1" };
  if (operation === "deals.timeline") return { list: "timeline", filters: ofDeal, position: "aud_1" };
  if (operation === "clients.activity")
    return { list: "client-activity", filters: { id: idFor("client") }, position: "aud_1", more: [7] };
  return CURSORS[operation] ?? { list: "", filters: {}, position: "" };
}

describe.each(LISTS)("$name", ({ route }) => {
  const name = parametersOf(route).some(([parameter]) => parameter === "after") ? "after" : "cursor";
  const urlWith = (cursor: string) => `${urlOf(route, idsOf(route))}?${name}=${cursor}`;

  test("refuses cursors that are unreadable, of another list, or forged", async () => {
    const forged = [...Object.values(CURSORS), cursorOf(route)].flatMap(({ list, filters, position }) =>
      forgedCursors(list, filters, position),
    );
    const cases = [...BAD_CURSORS, ...forged].map((cursor): Case => [cursor.slice(0, 60), urlWith(cursor)]);
    expect(await notRefused(route, cases)).toEqual([]);
  });

  test("takes a cursor of its own, so that the forged ones were refused for their position", async () => {
    const { list, filters, position, more = [] }: Cursor = cursorOf(route);
    const { status } = await world.call("GET", urlWith(encodeCursor(listIdentity(list, { ...filters }), [position, ...more])), {
      key: keyOf(route),
    });
    expect(status).toBe(200);
  });
});

/** Comparing every item with every other takes the square of a list's length, which a body of 256 KiB makes too long. */
test("no schema makes the service compare the items of a list pairwise", () => {
  const pairwise = ALL_OPERATIONS.flatMap(({ name, route }) =>
    listsIn([route.body, route.query])
      .filter(({ uniqueItems, items }) => uniqueItems === true && typeof items?.type !== "string")
      .map(() => name),
  );
  expect(pairwise).toEqual([]);
});

type ListSchema = { uniqueItems?: boolean; items?: { type?: unknown } };

function listsIn(schema: unknown): ListSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(listsIn);
  return (schema as { type?: string }).type === "array" ? [schema as ListSchema, ...inner] : inner;
}
