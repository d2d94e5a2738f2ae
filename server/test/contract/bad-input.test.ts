import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { exampleOf, type JsonSchema } from "../../src/platform/http/schema-example.ts";
import { FREE_TEXT } from "../../src/platform/http/shapes.ts";
import { trading } from "../harness/marketplace.ts";
import { newPayout, openBook } from "../harness/money.ts";
import { sized } from "../harness/size.ts";
import { newCertification } from "../harness/standing.ts";
import { TABLES } from "../harness/tables.ts";
import { ADMIN, BASE, type CallOptions, GENERAL, type TestPartner, useWorld } from "../harness/world.ts";
import {
  BAD_BODIES,
  BAD_CURSORS,
  BAD_NUMBERS,
  BAD_PARAMETERS,
  BAD_QUERIES,
  BAD_SEGMENTS,
  BAD_TEXTS,
  BAD_TIMES,
  forgedCursors,
  spoilt,
} from "./bad-values.ts";
import { ALL_OPERATIONS, type Belongings, bodyOf, headersOf, missing, urlOf } from "./operations.ts";
import { belongingsOf, newApproval, newDispute, newSession, operatorBelongings } from "./scene.ts";

// In the role api no import goes on in the background, so that rows change by requests alone.
const world = useWorld({}, "api");
let partner: TestPartner;
let idFor: Belongings;
let operator: string;
let operatorIdFor: Belongings;
/** Others of the same kinds, which lists in their path can be of, too. */
let otherIdFor: Belongings;
let otherOperatorIdFor: Belongings;
let rowsBefore: unknown;

/** All rows of the features that requests change. That a key was used is noted now and then, whatever was asked with it. */
const CHANGEABLE = Object.entries(TABLES).filter(([, { owner }]) => !/^(platform|outbox)\//.test(owner));
const rows = () =>
  world.db.sql(
    `${CHANGEABLE.map(([table]) => `select '${table}', to_jsonb(t) - 'last_used_at' from ${table} t`).join(" union all ")} order by 1, 2`,
  );

beforeAll(async () => {
  partner = await world.newPartner();
  const clients = [await world.newClient(partner), await world.newClient(partner)] as const;
  idFor = await belongingsOf(world, partner, clients[0].id);
  otherIdFor = await belongingsOf(world, partner, clients[1].id);
  operator = await world.newOperator();
  operatorIdFor = await operatorBelongings(world, operator);
  await addToLists(clients);
  for (const { route } of LISTS) cursors.set(route, await cursorOf(route));
  rowsBefore = await rows();
});

/** A second one in lists that are not added to by a POST of their own path. */
async function addToLists(clients: readonly { id: string }[]): Promise<void> {
  const post = async (path: string, body: object) => {
    const { status, text } = await world.call("POST", path, { key: partner.key, body });
    expect(status, text).toBeLessThan(300);
  };
  await post(`${BASE}/webhooks/${idFor("endpoint")}/test`, {});
  // An endpoint has one replay at a time, and nothing works the first one off.
  await world.db.sql("update webhook_replays set state = 'done', finished_at = created_at where id = $1", [idFor("replay")]);
  await post(`${BASE}/webhooks/${idFor("endpoint")}/replay`, { since: "2026-01-01T00:00:00Z" });
  world.clock.advance(60_000);
  await post(`${GENERAL}/deals/${idFor("deal")}/stage`, { stage: "Qualified" });
  await world.db.sql(
    `insert into import_errors (partner_id, import_id, row, ordinal, code, detail)
     select $1, $2, row, 1, 'required', 'name is required.' from generate_series(1001, 1002) row`,
    [partner.partner_id, idFor("import")],
  );
  const trade = trading(world, () => operator);
  for (const seller of [await world.newPartner(), await world.newPartner()]) {
    expect((await trade.buy(partner, await trade.newOffer(seller))).status).toBe(201);
  }
  const begun = { channel_id: idFor("channel"), contact_id: idFor("contact"), text: "Hello" };
  const conversation = await world.call("POST", `${GENERAL}/conversations`, { key: partner.key, body: begun });
  await post(`${GENERAL}/conversations/${conversation.body.id}/messages`, { text: "Hello" });
  await newSession(world, partner, clients[0]?.id ?? "", idFor("agent"), idFor("conversation"), "completed");
  await post(`${GENERAL}/agents/${idFor("agent")}/sandbox`, { messages: [{ text: "Hi" }] });
  await post(`${GENERAL}/agents/${idFor("agent")}/test-runs`, {});
  await newApproval(world, partner, clients[0]?.id ?? "", idFor("agent"), idFor("conversation"));
  for (const amount_cents of [1, 2])
    await post(`${GENERAL}/billing/payment-links/${idFor("payment_link")}/record-payment`, { amount_cents, method: "cash" });
  await newDispute(world, partner, clients[0]?.id ?? "", idFor("payment"));
  for (const { id } of clients) {
    await post(`${BASE}/clients/${id}/snapshots`, { snapshot_id: idFor("snapshot") });
  }
  otherOperatorIdFor = await operatorBelongings(world, operator);
  const another = { key: operator, body: { name: "Another version" }, headers: { "if-match": "*" } };
  expect((await world.call("PATCH", `${ADMIN}/rules/${operatorIdFor("rule")}`, another)).status).toBe(200);
  // Each grant is a change of the tier, too.
  for (const partner_id of [partner.partner_id, operatorIdFor("partner")]) {
    for (const certification_id of [await newCertification(world), await newCertification(world)]) {
      const options = { key: operator, body: { certification_id } };
      expect((await world.call("POST", `${ADMIN}/partners/${partner_id}/certifications`, options)).status).toBe(201);
    }
    const book = await openBook(world, partner_id);
    for (const made of [book.accrue, book.accrue, book.charge, book.charge]) await made();
    await newPayout(world, partner_id);
  }
}

const idsOf = (route: Route) => (route.operator === true ? operatorIdFor : idFor);
const othersOf = (route: Route) => (route.operator === true ? otherOperatorIdFor : otherIdFor);
const keyOf = (route: Route) => (route.operator === true ? operator : partner.key);

afterAll(async () => {
  // After everything below: nothing of what was refused has left a trace.
  expect(await rows()).toEqual(rowsBefore);
});

type Case = [what: string, url: string, options?: CallOptions];

/** Cases that are sent at the same time. */
const AT_ONCE = 8;

/** Sends each case and tells those that were answered with anything but a 4xx; `call` checks that it is a problem. */
async function notRefused(route: Route, cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = [];
  const left = cases.values();
  const sendAll = async () => {
    for (const [what, url, options = {}] of left) {
      const { status } = await world.call(route.method, url, {
        key: keyOf(route),
        ...options,
        headers: { ...headersOf(route), ...options.headers },
      });
      if (status < 400 || status > 499) faults.push(`${what}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  return faults;
}

type ParameterSchema = { type?: string; pattern?: string; format?: string; items?: { pattern?: string } };
type QuerySchema = { properties?: Record<string, ParameterSchema>; patternProperties?: Record<string, object> };

/** The declared parameters, and one for each pattern of names: those take any text. */
function parametersOf(route: Route): [name: string, schema: ParameterSchema][] {
  const { properties = {}, patternProperties = {} } = (route.query ?? {}) as QuerySchema;
  const named = Object.keys(patternProperties).map((): [string, ParameterSchema] => ["custom.x", { pattern: FREE_TEXT }]);
  return [...Object.entries(properties), ...named];
}

const TAKES_BODY = ALL_OPERATIONS.filter(({ route }) => route.method !== "GET");
const WITH_BODY = ALL_OPERATIONS.filter(({ route }) => route.body !== undefined);
const WITH_ID = ALL_OPERATIONS.filter(({ route }) => Object.keys(route.params).length > 0);
const LISTS = ALL_OPERATIONS.filter(
  ({ route }) =>
    parametersOf(route).some(([name]) => name === "cursor" || name === "after") &&
    "next_cursor" in ((route.reply.schema as { properties?: object } | undefined)?.properties ?? {}),
);

/** A file that is any file. */
const takesAnything = (route: Route) => route.upload?.type === "application/octet-stream";

describe.each(TAKES_BODY.filter(({ route }) => !takesAnything(route)))("$name", ({ route }) => {
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

/** Members that may be negative or very long, with the case that is therefore none. */
const FITTING: Record<string, string> = {
  "agents.create": `content.instructions = "${"x".repeat(39)}`,
  "agents.create_version": `content.instructions = "${"x".repeat(39)}`,
  "agents.replace_version": `content.instructions = "${"x".repeat(39)}`,
  "conversations.send": `html = "${"x".repeat(39)}`,
  "knowledge_sources.create": `text = "${"x".repeat(39)}`,
  "knowledge_sources.update": `text = "${"x".repeat(39)}`,
  "mcp.post": "id = -1",
  "operator_commissions.adjust": "amount_cents = -1",
  "rules.create": "priority = -1",
  "rules.update": "priority = -1",
  "rules.simulate": "rule.priority = -1",
};

describe.each(WITH_BODY)("$name", ({ route }) => {
  test("refuses each member with each wrong value, and each object with a member that does not belong", async () => {
    const cases = [...spoilt(bodyOf(route, idsOf(route)))]
      .filter(([what]) => what !== FITTING[route.operation])
      .map(([what, body]): Case => [what, urlOf(route, idsOf(route)), { body }]);
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
    const cases = parametersOf(route).flatMap(([name, { type, pattern, format, items }]): Case[] => [
      ...[
        ...((pattern ?? items?.pattern) === FREE_TEXT ? BAD_TEXTS : BAD_PARAMETERS),
        ...(type === "integer" ? BAD_NUMBERS : []),
        ...(format === "date-time" ? BAD_TIMES.map(encodeURIComponent) : []),
      ]
        // A custom field may have an empty text.
        .filter((value) => value !== "" || name !== "custom.x")
        .map((value): Case => [`${name}=${value.slice(0, 40)}`, `${url}?${name}=${value}`]),
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

/** A cursor that a list gave: what it is bound to, and its position. */
type Cursor = { text: string; identity: string; position: (string | number)[] };
const cursors = new Map<Route, Cursor>();

/** Cursors of other lists that each list is asked with: the next ones, so that every cursor is refused by as many lists. */
const FOREIGN_CURSORS = sized(12, Number.POSITIVE_INFINITY);

/** Asks a list for one row at a time, and a stream for the id of its first message; where it has no more than one, the operation that adds to it is called first. */
async function cursorOf(route: Route): Promise<Cursor> {
  const url = urlOf(route, idsOf(route));
  const adds = ALL_OPERATIONS.find(({ route: other }) => other.method === "POST" && urlOf(other, idsOf(other)) === url)?.route;
  for (let tries = 0; tries < 3; tries++) {
    const query = route.reply.endless === true ? "" : "?limit=1";
    const { body, text } = await world.call("GET", `${url}${query}`, { key: keyOf(route) });
    const cursor = body.next_cursor ?? /^id: (\S+)$/m.exec(text)?.[1];
    if (typeof cursor === "string") {
      const [identity, ...position] = JSON.parse(Buffer.from(cursor, "base64url").toString());
      return { text: cursor, identity, position };
    }
    if (adds !== undefined)
      await world.call("POST", url, { key: keyOf(adds), body: bodyOf(adds, idsOf(adds)), headers: headersOf(adds) });
  }
  return missing(`${route.operation} has no second page: beforeAll has to add to it`);
}

/** Parameters that leave the rows and their order as they are, and those that need a custom field or another parameter. */
const UNBOUND = ["cursor", "after", "limit", "format", "summary", "totals", "custom.x", "version"];

/** Values that a parameter takes. */
function valuesOf(parameter: string, schema: JsonSchema): string[] {
  if (parameter === "action") return ["clients.suspend"];
  if (schema.type === "boolean") return ["true", "false"];
  const one = schema.type === "array" ? (schema.items ?? {}) : schema;
  return (one.enum ?? [exampleOf(one)]).map(String);
}

describe.each(LISTS)("$name", ({ route }) => {
  const name = parametersOf(route).some(([parameter]) => parameter === "after") ? "after" : "cursor";
  const urlWith = (cursor: string) => `${urlOf(route, idsOf(route))}?${name}=${cursor}`;

  test("refuses cursors that are unreadable, of another list, or forged", async () => {
    const own = cursors.get(route) ?? missing(route.operation);
    const foreign = [...cursors.values()].filter(({ identity }) => identity !== own.identity).map(({ text }) => text);
    expect(foreign.length).toBeGreaterThan(20);
    const forged = forgedCursors(own.identity, own.position);
    const first = LISTS.findIndex((list) => list.route === route) % foreign.length;
    const others = [...foreign.slice(first), ...foreign.slice(0, first)].slice(0, FOREIGN_CURSORS);
    const cases = [...BAD_CURSORS, ...forged, ...others].map((cursor): Case => [cursor.slice(0, 60), urlWith(cursor)]);
    expect(await notRefused(route, cases)).toEqual([]);
  });

  test("refuses its cursor beside any other filter or order, and in the same list of another record", async () => {
    const { text } = cursors.get(route) ?? missing(route.operation);
    const refuses = async (url: string) =>
      (await world.call("GET", `${url}${url.includes("?") ? "&" : "?"}${name}=${text}`, { key: keyOf(route) })).body.code ===
      "invalid_cursor";
    const faults: string[] = [];
    for (const [parameter, schema] of parametersOf(route).filter(([one]) => !UNBOUND.includes(one))) {
      const given = await Promise.all(
        valuesOf(parameter, schema).map((value) =>
          refuses(`${urlOf(route, idsOf(route))}?${parameter}=${encodeURIComponent(value)}`),
        ),
      );
      // One of its values may be the default.
      if (!given.includes(true)) faults.push(parameter);
    }
    if (Object.keys(route.params).length > 0 && !(await refuses(urlOf(route, othersOf(route))))) faults.push(route.path);
    expect(faults).toEqual([]);
  });

  test("takes a cursor of its own, so that the forged ones were refused for their position", async () => {
    const { status } = await world.call("GET", urlWith(cursors.get(route)?.text ?? ""), { key: keyOf(route) });
    expect(status).toBe(200);
  });
});

/** What a row of a list shows. */
const shownIn = ({ reply }: Route): Record<string, JsonSchema> =>
  (reply.schema as { properties: { data: { items: JsonSchema } } }).properties.data.items.properties ?? {};

/** Ids are in the order of creation, also within one moment. */
const NEWEST_FIRST = LISTS.filter(
  ({ route }) => /newest first/i.test(route.description ?? "") && ["id", "created_at"].every((name) => name in shownIn(route)),
);

test.each(NEWEST_FIRST)("$name has the newest first", async ({ route }) => {
  const { body } = await world.call("GET", urlOf(route, idsOf(route)), { key: keyOf(route) });
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual(ids.toSorted().toReversed());
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
