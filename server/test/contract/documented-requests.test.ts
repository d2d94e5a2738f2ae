import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Kind, PREFIXES } from "../../src/kernel/ids.ts";
import { sized } from "../harness/size.ts";
import { type Reply, type TestPartner, useWorld } from "../harness/world.ts";
import type { Belongings } from "./operations.ts";
import { belongingsOf, operatorBelongings } from "./scene.ts";
import { type Schema, spoiltValuesOf, valuesOf } from "./schema-values.ts";

/** What is sent and what is expected comes from the committed document alone, as a caller would read it. */
const document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as OpenApi;

type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; examples: Record<string, { value: { code: string } }> };
};
type Parameter = { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema };
type Content = Record<string, { schema: Schema; examples?: Record<string, { $ref: string }> }>;
type Operation = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
/** Text that only a parameter for any text takes. */
const BAD_VALUE = "no/such\u0001value";

type Request = { query: Record<string, unknown>; headers: Record<string, string>; body: unknown };

/** Requests of each operation: other ones in every run. */
const RUNS = sized(4, 30);
const world = useWorld();
let partner: TestPartner;
let operator: string;
let belongings: { key: Belongings; operator_key: Belongings };

beforeAll(async () => {
  partner = await world.newPartner();
  operator = await world.newOperator();
  belongings = {
    key: await belongingsOf(world, partner, (await world.newClient(partner)).id),
    operator_key: await operatorBelongings(world, operator),
  };
});

const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

// Each schema of the document is compiled once, not again wherever it is referred to.
const ajv = new Ajv2020({ allErrors: true, strict: false, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
// The service's own formats are told in words beside them; a caller that does not know them takes them for text.
for (const format of ["currency", "date", "cidr", "ip", "web-address"]) ajv.addFormat(format, true);
ajv.addSchema({ $id: "openapi.json", ...document } as object);
const compiled = new Map<Schema, ValidateFunction>();

function conforms(schema: Schema, value: unknown): string | true {
  const validate = compiled.get(schema) ?? ajv.compile(bound(schema));
  compiled.set(schema, validate);
  return validate(value) || ajv.errorsText(validate.errors);
}

/** A schema of the document, with references that lead to it from anywhere. */
function bound(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/'));
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, method, path, operation })),
);

const named = (place: Parameter["in"], { parameters = [] }: Operation) =>
  parameters.filter((parameter) => parameter.in === place);

function recordOf(parameters: Parameter[], value: (schema: Schema) => fc.Arbitrary<unknown>) {
  const members = Object.fromEntries(parameters.map(({ name, schema }) => [name, value(schema)]));
  return fc.record(members, { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) });
}

const bodySchema = ({ requestBody }: Operation): Schema | undefined => requestBody?.content["application/json"]?.schema;

/** Requests that the document allows. A cursor cannot be made up, and If-Match is what the thing is at. */
function goodRequests(operation: Operation): fc.Arbitrary<Request> {
  const schema = bodySchema(operation);
  const query = named("query", operation).filter(({ name }) => !["cursor", "after"].includes(name));
  const headers = named("header", operation).filter(({ name, required }) => name !== "If-Match" || required);
  return fc.record({
    query: recordOf(query, (member) => valuesOf(member, resolve)),
    headers: recordOf(headers, (member) => (member.pattern === undefined ? fc.constant("*") : valuesOf(member, resolve))),
    body: schema === undefined ? fc.constant(undefined) : valuesOf(schema, resolve),
  }) as fc.Arbitrary<Request>;
}

/** Requests that the document forbids in one place: the body, the query or a header. */
function badRequests(operation: Operation): fc.Arbitrary<Request> {
  const schema = bodySchema(operation);
  const good = goodRequests(operation);
  const query = named("query", operation).filter(({ schema }) =>
    [BAD_VALUE, [BAD_VALUE]].every((value) => conforms(schema, value) !== true),
  );
  const options: fc.Arbitrary<Request>[] = [good.map((request) => ({ ...request, query: { ...request.query, no_such: "1" } }))];
  if (schema !== undefined) {
    options.push(fc.tuple(good, spoiltValuesOf(schema, resolve)).map(([request, body]) => ({ ...request, body })));
  }
  for (const { name } of query) {
    options.push(good.map((request) => ({ ...request, query: { ...request.query, [name]: BAD_VALUE } })));
  }
  if (named("header", operation).some(({ name }) => name === "Idempotency-Key")) {
    options.push(good.map((request) => ({ ...request, headers: { ...request.headers, "Idempotency-Key": "no blanks" } })));
  }
  return fc.oneof(...options);
}

function searchOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function send(method: string, path: string, operation: Operation, { query, headers, body }: Request): Promise<Reply> {
  const scheme = Object.keys(operation.security[0] ?? {})[0] as keyof typeof belongings;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { pattern = "", type } = named("path", operation).find((parameter) => parameter.name === name)?.schema ?? {};
    if (type === "integer") return belongings[scheme]("version_number");
    const kind = (Object.keys(PREFIXES) as Kind[]).find((one) => pattern.startsWith(`^${PREFIXES[one]}_`));
    return belongings[scheme](kind ?? "grade");
  });
  return world.call(method.toUpperCase(), address + searchOf(query), {
    key: scheme === "key" ? partner.key : operator,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The reply is one that the document names, of the form that it says. */
function expectDocumented(operation: Operation, { status, headers, body, text }: Reply): void {
  const response = operation.responses[status];
  expect(response, `${status} is not documented: ${text}`).toBeDefined();
  if (response?.content === undefined) {
    expect(text).toBe("");
    return;
  }
  const type = headers["content-type"]?.split(";")[0] ?? "";
  const content = response.content[type];
  expect(content, `${status} as ${type} is not documented`).toBeDefined();
  expect(conforms(content?.schema ?? {}, body ?? ""), text).toBe(true);
  if (status < 400) return;
  expect(Object.keys(content?.examples ?? {}), text).toContain(body.code);
}

const READING = ["invalid_json", "invalid_parameter", "unknown_parameter", "invalid_header", "validation_failed"];

const SCHEMA_CODES = new Set([...Object.keys(ajv.RULES.all), "unknown_field", "unknown_parameter"]);

/**
 * Whether a fault is of a rule that no schema expresses. Those have codes of their own, except for custom fields: an account may
 * require one, and requests of other operations in this run create them; for manifests and channels, where each type of asset and each kind
 * of channel has a schema; and for a parameter that needs another one.
 */
function isSemantic({ code, pointer, in: place }: { code: string; pointer: string; in: string }): boolean {
  if (place === "query" && code === "required") return true;
  return (
    !SCHEMA_CODES.has(code) || ["custom", "manifest/assets", "config", "secrets"].some((of) => pointer.startsWith(`#/${of}/`))
  );
}

describe.concurrent.each(operations)("$name", ({ method, path, operation }) => {
  test("what the document allows is read, and every reply is one that it names", async () => {
    const property = fc.asyncProperty(goodRequests(operation), async (request) => {
      const reply = await send(method, path, operation, request);
      expectDocumented(operation, reply);
      const semantic = (reply.body?.errors ?? []).every(isSemantic);
      if (READING.includes(reply.body?.code))
        expect(semantic && reply.body.errors.length > 0, `${JSON.stringify(request)} got ${reply.text}`).toBe(true);
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  test("what it forbids is refused, with a problem that it names", async () => {
    const property = fc.asyncProperty(badRequests(operation), async (request) => {
      const reply = await send(method, path, operation, request);
      expect([400, 403, 404, 409, 422], `${JSON.stringify(request)} got ${reply.text}`).toContain(reply.status);
      expectDocumented(operation, reply);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});
