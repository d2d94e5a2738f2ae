import { isDeepStrictEqual } from "node:util";
import { ERRORS, type ErrorCode } from "../../kernel/errors.ts";
import { exampleId, idPattern, type Named } from "../../kernel/ids.ts";
import { queryOf } from "./export.ts";
import { exampleProblem, PROBLEM } from "./problem-schema.ts";
import type { Route, Stability } from "./route.ts";
import { errorsOf, takesVersion } from "./route-errors.ts";
import { exampleOf, type JsonSchema } from "./schema-example.ts";
import { STREAM_TYPES, type StreamType } from "./streams.ts";
import type { TSchema } from "./type.ts";

/** A published API: its prefix, its stability and its routes. */
export type Surface = { prefix: string; stability: Stability; security: string; routes: Route[] };

export type ApiDescription = {
  info: { title: string; version: string; description: string };
  surfaces: Surface[];
  /** The groups of tags, each with a sentence for every tag, which is the first part of an operation's name. */
  groups: { name: string; tags: Record<string, string> }[];
  securitySchemes: Record<string, object>;
  webhooks: { type: string; summary: string; schema: TSchema }[];
};

type Json = Record<string, unknown>;
type Components = Map<string, Json>;

/** The OpenAPI 3.1 document, generated from the same route table that is mounted. */
export function describeApi(api: ApiDescription): Json {
  const components: Components = new Map();
  const paths: Record<string, Json> = {};
  for (const surface of api.surfaces) {
    for (const route of surface.routes) {
      const path = surface.prefix + route.path;
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, surface, components) };
    }
  }
  const webhooks = Object.fromEntries(api.webhooks.map((event) => [event.type, describeWebhook(event, components)]));
  components.set("Event", eventUnion(api.webhooks));
  return {
    openapi: "3.1.0",
    info: { ...api.info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/", description: "This installation" }],
    tags: api.groups.flatMap(({ tags }) =>
      Object.entries(tags).map(([name, description]) => ({ name, "x-displayName": displayName(name), description })),
    ),
    "x-tagGroups": api.groups.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
    paths,
    webhooks,
    components: {
      securitySchemes: api.securitySchemes,
      headers: HEADERS,
      examples: Object.fromEntries(answered(api.surfaces).map((code) => [code, { value: exampleProblem(code) }])),
      schemas: Object.fromEntries([...components, ["Problem", PROBLEM] as const].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** A name in `snake_case` as a heading. */
export function displayName(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll("_", " ");
}

/** The error codes of all routes, in the order of the catalogue. */
function answered(surfaces: Surface[]): ErrorCode[] {
  const used = new Set(surfaces.flatMap(({ routes }) => routes.flatMap(errorsOf)));
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => used.has(code));
}

function describeOperation(route: Route, surface: Surface, components: Components): Json {
  const scopes = route.scope === "none" ? [] : [route.scope];
  const query = hoisted(queryOf(route), components) as {
    properties?: Record<string, JsonSchema & { description?: string }>;
  } | null;
  const required = new Set((route.query as { required?: string[] } | undefined)?.required ?? []);
  const parameters: Json[] = [
    ...Object.entries(route.params).map(([name, kind]) => ({
      name,
      in: "path",
      required: true,
      ...describePathParameter(kind),
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: "query",
      required: required.has(name),
      schema,
      ...(required.has(name) ? {} : unselectedExample(schema)),
    })),
    ...requestHeaders(route),
  ];
  const body = hoisted(route.body, components);
  return {
    operationId: route.operation,
    tags: [route.operation.split(".")[0]],
    summary: route.summary,
    description: describeAccess(route),
    ...(route.deprecated === undefined ? {} : { deprecated: true, "x-sunset": route.deprecated.sunset ?? null }),
    security: [{ [surface.security]: scopes }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null
      ? {}
      : {
          requestBody: { required: route.body_optional !== true, content: { "application/json": withExample(route.body, body) } },
        }),
    ...(route.upload === undefined ? {} : { requestBody: { required: true, content: { [route.upload.type]: FILE } } }),
    responses: { ...describeReply(route, components), ...describeErrors(route, components) },
    "x-stability": surface.stability,
    "x-idempotency": route.method === "POST" ? "with_key" : "idempotent",
  };
}

function describePathParameter(named: Named): Json {
  if (named === "version_number") return { schema: { type: "integer", minimum: 1 }, example: Number(exampleId(named)) };
  return { schema: { type: "string", pattern: idPattern(named) }, example: exampleId(named) };
}

/** The playground sends every optional parameter that has a value, so the examples of filters start unselected. */
function unselectedExample(schema: JsonSchema): Json {
  const { examples, enum: options } = schema.items ?? schema;
  if (examples === undefined && options === undefined) return {};
  return { examples: { default: { value: exampleOf(schema), "x-disabled": true } } };
}

function describeAccess(route: Route): string {
  if (route.operator === true) return [route.description, "Needs an operator key."].filter(Boolean).join(" ");
  const parts = [route.description ?? "", route.scope === "none" ? "Needs no scope." : `Needs the scope \`${route.scope}\`.`];
  if (route.owner_only === true) parts.push("Only for owners who are signed in to the portal.");
  else if (route.partner_wide) parts.push("Needs a key for all clients.");
  return parts.filter((part) => part !== "").join(" ");
}

function requestHeaders(route: Route): Json[] {
  const headers: Json[] = [];
  if (route.method === "POST") {
    headers.push({
      name: "Idempotency-Key",
      in: "header",
      required: false,
      schema: { type: "string", pattern: "^[A-Za-z0-9_.:-]{1,255}$" },
      description: "Makes the request safe to retry",
    });
  }
  if (route.reply.endless === true) {
    headers.push({
      name: "Last-Event-ID",
      in: "header",
      required: false,
      schema: { type: "string" },
      description: "The id of the last message, to go on after it. Overrides `after`",
    });
  }
  if (route.reply.or_accepted === true) {
    headers.push({
      name: "Prefer",
      in: "header",
      schema: { type: "string", examples: ["respond-async"] },
      description: "respond-async: answer with 202 at once",
    });
  }
  if (takesVersion(route)) {
    headers.push({
      name: "If-Match",
      in: "header",
      required: route.if_match_required === true,
      schema: { type: "string" },
      description: "The expected ETag of the resource",
    });
  }
  return headers;
}

function describeReply(route: Route, components: Components): Json {
  const { status, schema, location } = route.reply;
  const headers = headersWith(
    ...(location === undefined ? [] : (["Location"] as const)),
    ...(schema !== undefined && isVersioned(schema) ? (["ETag"] as const) : []),
  );
  const described = hoisted(schema, components);
  if (route.reply.stream !== undefined) return describeStream(route.reply.stream, status, described);
  const exports = route.exportable === true ? EXPORTS : {};
  const content = described === null ? {} : { content: { "application/json": withExample(schema, described), ...exports } };
  const statuses = [
    status,
    ...(route.reply.or_created === true ? [201] : []),
    ...(route.reply.or_accepted === true ? [202] : []),
  ];
  const replies = statuses.map((code) => [code, { description: REPLIES[code] ?? "Done", headers, ...content }] as const);
  const received = route.reply.rpc === true ? [[202, { description: "A notification was received", headers }] as const] : [];
  return Object.fromEntries([...replies, ...received]);
}

/** A file that every operation with an upload accepts. */
export const FILE_EXAMPLE = "name,phone\r\nAda Okafor,+14155552671\r\n";

const FILE = {
  schema: { type: "string", description: "The file, in UTF-8" },
  example: FILE_EXAMPLE,
};

const STREAMS = {
  events: "Server-sent events, until the stream is complete",
  csv: "A header row, then one line per item",
  pdf: "A PDF document",
  svg: "An image in SVG",
  image: "An image",
  xml: "An XML document",
  file: "The bytes of the file; its name is in Content-Disposition",
};

/** The content of a stream is text; that of the data of each message has a schema. */
function describeStream(stream: StreamType, status: number, message: Json | null): Json {
  const content = message === null ? {} : { contentMediaType: "application/json", contentSchema: message };
  const schema = { type: "string", description: STREAMS[stream], ...content };
  return { [status]: { description: "Done", headers: headersWith(), content: { [STREAM_TYPES[stream]]: { schema } } } };
}

const EXPORTS = {
  "text/csv": { schema: { type: "string", description: "The whole list: a header row, then one line per item" } },
  "application/x-ndjson": { schema: { type: "string", description: "The whole list: one JSON object per line" } },
};

const REPLIES: Record<number, string> = { 200: "Done", 201: "Created", 202: "Accepted", 204: "Done, without a body" };

/** One response per status, with an example for each error code of that status. */
function describeErrors(route: Route, components: Components): Json {
  const rpc = route.reply.rpc === true ? { "application/json": { schema: hoisted(route.reply.schema, components) } } : {};
  const byStatus = Map.groupBy(errorsOf(route), (code) => ERRORS[code][0]);
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
      const schema = { $ref: "#/components/schemas/Problem" };
      return [
        status,
        {
          description: codes.map((code) => `\`${code}\``).join(", "),
          headers: status === 429 || status === 503 ? headersWith("Retry-After") : headersWith(),
          content: { "application/problem+json": { schema, examples }, ...(status === 400 || status === 404 ? rpc : {}) },
        },
      ];
    });
  return Object.fromEntries(entries) as Json;
}

function describeWebhook({ type, summary, schema }: ApiDescription["webhooks"][number], components: Components): Json {
  const body = hoisted(schema, components) ?? {};
  return {
    post: {
      operationId: `webhook.${type}`,
      tags: ["events"],
      summary,
      security: [],
      parameters: WEBHOOK_HEADERS,
      requestBody: { required: true, content: { "application/json": withExample(schema, body) } },
      responses: {
        "2XX": { description: "Received. Any other status is retried." },
        "4XX": { description: "Refused; retried later. `410` disables the endpoint." },
      },
    },
  };
}

function withExample(schema: TSchema | undefined, described: Json): Json {
  return { schema: described, example: exampleOf((schema ?? {}) as JsonSchema) };
}

function isVersioned(schema: TSchema): boolean {
  return "version" in ((schema as JsonSchema).properties ?? {});
}

/** A schema with its titled parts moved to the components, so that each is defined once. */
function hoisted(schema: TSchema | undefined, components: Components): Json | null {
  return schema === undefined ? null : (hoist(JSON.parse(JSON.stringify(schema)), components) as Json);
}

/** A nullable field is described by its other form, which generators of types do not look into. */
function lendDescription(members: Json): void {
  const forms = Array.isArray(members.anyOf) ? (members.anyOf as Json[]) : [];
  const [described, another] = forms.filter(({ description }) => description !== undefined);
  if (members.description === undefined && described !== undefined && another === undefined)
    members.description = described.description;
}

/** An event is one of those of the webhooks, and its type tells which. */
function eventUnion(webhooks: ApiDescription["webhooks"]): Json {
  const refs = webhooks.map(({ type, schema }) => [type, `#/components/schemas/${(schema as JsonSchema).title}`] as const);
  return {
    title: "Event",
    description: "An event. Its type tells which data it has.",
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: "type", mapping: Object.fromEntries(refs) },
  };
}

function hoist(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  if (value === null || typeof value !== "object") return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hoist(member, components)]));
  lendDescription(members);
  const { title } = members;
  if (typeof title !== "string" || !("type" in members)) return members;
  const known = components.get(title);
  if (known !== undefined && !isDeepStrictEqual(known, members)) throw new Error(`two schemas have the title ${title}`);
  components.set(title, members);
  return { $ref: `#/components/schemas/${title}` };
}

/** The headers that authenticate a delivery, in two formats. */
const WEBHOOK_HEADERS = Object.entries({
  "X-Service-Signature":
    "`t=<Unix seconds>,v1=<hex>`, a `v1` for each live secret: HMAC-SHA256 over `t.body` with the whole secret as key",
  "webhook-id": "The event's id, the same for every attempt",
  "webhook-timestamp": "Unix seconds of this attempt",
  "webhook-signature": "`v1,<base64>` for each live secret, in the format of Standard Webhooks",
}).map(([name, description]) => ({ name, in: "header", required: true, schema: { type: "string" }, description }));

const HEADERS = {
  "Request-Id": { description: "The id of the request, for logs, audit log and support", schema: { type: "string" } },
  ETag: { description: "The version of the resource, for If-Match and If-None-Match", schema: { type: "string" } },
  Location: { description: "The path of the new resource", schema: { type: "string" } },
  "RateLimit-Policy": {
    description: "The rate limit: `q` requests in `w` seconds",
    schema: { type: "string", examples: ['"default";q=600;w=60'] },
  },
  RateLimit: {
    description: "What is left of it: `r` requests now, all of them again in `t` seconds",
    schema: { type: "string", examples: ['"default";r=99;t=1'] },
  },
  "Retry-After": { description: "The number of seconds to wait before a retry", schema: { type: "integer" } },
};

/** The headers of every reply, besides its own. */
function headersWith(...names: (keyof typeof HEADERS)[]): Json {
  const all = ["Request-Id", "RateLimit-Policy", "RateLimit", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
