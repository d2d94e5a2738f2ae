import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ERRORS } from "../../src/kernel/errors.ts";
import { ALL_EVENT_TYPES } from "../../src/kernel/events.ts";
import { describeInterface } from "../../src/surfaces/description.ts";
import { type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
type Operation = {
  operationId: string;
  tags: string[];
  responses: Record<string, unknown>;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; examples?: Record<string, { "x-disabled"?: boolean }> }[];
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  tags: { name: string }[];
  components: { schemas: Record<string, Json> };
  "x-tagGroups": { name: string; tags: string[] }[];
};

const document = JSON.parse(JSON.stringify(describeInterface())) as Document;

test("openapi.json is what the routes make: run npm run openapi after a change", async () => {
  const committed = JSON.parse(await readFile(new URL("../../openapi.json", import.meta.url), "utf8"));
  expect(document).toEqual(committed);
});

test("what is mounted is documented, and the other way round", () => {
  const mounted = [...world.app.http.printRoutes({ commonPrefix: false, includeHooks: false }).matchAll(/v1\//g)];
  expect(mounted.length).toBeGreaterThan(0);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of Object.keys(operations)) {
      const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
      expect(world.app.http.hasRoute({ method: method.toUpperCase() as "GET", url }), `${method} ${path}`).toBe(true);
    }
  }
});

test("every operation has a name of its own, a scope, an answer, and its errors as problems", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { operationId, responses, security } of operations) {
    expect(security, operationId).toHaveLength(1);
    expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["401", "429", "500", "503"]));
    expect(
      Object.keys(responses).some((status) => status.startsWith("2")),
      operationId,
    ).toBe(true);
  }
});

test("the playground selects no optional parameter by itself", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const filters = operations.flatMap(({ parameters = [] }) => parameters.filter((one) => one.in === "query" && !one.required));
  const shown = filters.flatMap(({ examples = {} }) => Object.values(examples));
  expect(shown.length).toBeGreaterThan(90);
  expect(shown.every((example) => example["x-disabled"] === true)).toBe(true);
});

test("every tag of an operation stands in one group, in the order of the groups, and the caller's own comes first", () => {
  const grouped = document["x-tagGroups"].flatMap(({ tags }) => tags);
  expect(grouped).toEqual(document.tags.map(({ name }) => name));
  const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
  expect(grouped.toSorted()).toEqual([...new Set(used)].toSorted());
  expect(grouped[0]).toBe("me");
});

test("the thirteen events are documented as webhooks, and an event is one of them by its type", () => {
  expect(Object.keys(document.webhooks)).toEqual(ALL_EVENT_TYPES);
  const { schemas } = document.components;
  const { propertyName, mapping } = schemas.Event.discriminator;
  expect([propertyName, Object.keys(mapping)]).toEqual(["type", ALL_EVENT_TYPES]);
  for (const [type, ref] of Object.entries<string>(mapping))
    expect(schemas[ref.replace("#/components/schemas/", "")].properties.type.const).toBe(type);
});

test("generators find what they need: descriptions of nullable fields, dates, further members of problems, rate limits", () => {
  const { Deal, Key, Problem } = document.components.schemas;
  expect(Key.properties.expires_at.description).toMatch(/expires/);
  expect(JSON.stringify(Deal.properties.expected_close_on)).toContain('"format":"date"');
  expect(Problem.properties.existing_id.description).toContain("duplicate_client");
  const reply = document.paths["/v1/contacts"]?.get?.responses["200"];
  expect(reply).toMatchObject({ headers: { RateLimit: {}, "RateLimit-Policy": {} } });
});

test("every error has a page, public also where the reference is not", async () => {
  for (const code of Object.keys(ERRORS)) {
    const { status, text } = await world.call("GET", `/docs/errors/${code}`);
    expect(status, code).toBe(200);
    expect(text).toContain(code);
  }
  expect((await world.call("GET", "/docs/errors/nothing_of_the_kind")).status).toBe(404);
  expect((await world.call("GET", "/openapi.json")).status).toBe(401);
});

test("the reference opens with a key, as a bearer or as the password of a sign-in box", async () => {
  const { key } = await world.newPartner();
  expect((await world.call("GET", "/docs", { key })).status).toBe(200);
  const basic = `Basic ${Buffer.from(`anybody:${key}`).toString("base64")}`;
  const { status, headers } = await world.call("GET", "/openapi.json", { headers: { authorization: basic } });
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
  const refused = await world.call("GET", "/docs");
  expect(refused.headers["www-authenticate"]).toMatch(/^Basic realm=/);
});

test("every guide is a page, its links lead to pages, and it runs no script", async () => {
  const { key } = await world.newPartner();
  const files = (await readdir(new URL("../../../docs/", import.meta.url))).filter((file) => file.endsWith(".md"));
  const checked = new Set<string>();
  for (const file of files) {
    const { status, text, headers } = await world.call("GET", `/docs/guides/${file.replace(".md", "")}`, { key });
    expect([file, status, headers["content-type"]]).toEqual([file, 200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|script-src/);
    expect(text).not.toMatch(/<script|style="/);
    for (const [, link = ""] of text.matchAll(/<a href="([^"]+)"/g)) {
      const [path = "", anchor] = link.split("#");
      if (link.startsWith("http") || checked.has(link)) continue;
      checked.add(link);
      const reply = path === "" ? { status: 200, text } : await world.call("GET", path, { key });
      expect([file, link, reply.status]).toEqual([file, link, 200]);
      if (anchor !== undefined && path !== "/docs") expect(reply.text, `${file} ${link}`).toContain(`id="${anchor}"`);
    }
  }
  expect((await world.call("GET", "/docs/guides/api")).status).toBe(401);
  expect((await world.call("GET", "/docs/guides/nothing", { key })).status).toBe(404);
});

test("llms.txt links to pages that are there", async () => {
  const { key } = await world.newPartner();
  const { text } = await world.call("GET", "/llms.txt");
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect((await world.call("GET", link, { key })).status, link).toBe(200);
});
