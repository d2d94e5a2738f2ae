import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "csv-parse/sync";
import { ERRORS, type ErrorCode } from "../../src/kernel/errors.ts";
import { isCurrency } from "../../src/kernel/money.ts";
import { isDay } from "../../src/kernel/storable.ts";
import { isCidr } from "../../src/platform/http/cidr.ts";
import { columnsOf } from "../../src/platform/http/csv.ts";
import { rowSchema } from "../../src/platform/http/export.ts";
import { PROBLEM } from "../../src/platform/http/problem-schema.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { STREAM_TYPES } from "../../src/platform/http/streams.ts";
import { adminV1 } from "../../src/surfaces/admin-v1.ts";
import { FEATURES } from "../../src/surfaces/features.ts";
import { generalV1 } from "../../src/surfaces/general-v1.ts";
import { partnerV1 } from "../../src/surfaces/partner-v1.ts";

// Most validators are used a few times: to optimise their code takes longer than they run.
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, code: { optimize: false } });
addFormats.default(ajv, ["date-time", "email", "uri"]);
ajv.addFormat("currency", isCurrency);
ajv.addFormat("date", isDay);
ajv.addFormat("cidr", isCidr);
ajv.addFormat("web-address", (text: string) => URL.canParse(text));

/** A problem has no member that is not documented. */
const checkProblem = ajv.compile({
  ...PROBLEM,
  additionalProperties: false,
  properties: {
    ...PROBLEM.properties,
    type: { type: "string", pattern: "^http://.*/docs/errors/[a-z_]+$" },
    detail: { type: "string", minLength: 1 },
    instance: { type: "string", pattern: "^urn:request:req_" },
    request_id: { type: "string", pattern: "^req_" },
    errors: { ...PROBLEM.properties.errors, minItems: 1 },
  },
});

/** As the router does, a path without parameters goes before one with them. */
const portal = { prefix: "/portal/api", routes: FEATURES.flatMap(({ portal_routes = [] }) => portal_routes) };
const routes = [generalV1, partnerV1, adminV1, portal]
  .flatMap(({ prefix, routes }) => routes.map((route) => ({ route, path: `${prefix}${route.path}` })))
  .map(({ route, path }) => ({ route, path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }))
  .sort((a, b) => a.path.split("{").length - b.path.split("{").length);
/** By method and number of segments, so that few patterns are tried for each reply. */
const shapeOf = (method: string, path: string) => `${method} ${path.split("/").length}`;
const routesByShape = Map.groupBy(routes, ({ route, path }) => shapeOf(route.method, path));
const validators = new Map<Route, ValidateFunction>();
const lineValidators = new Map<Route, ValidateFunction>();

/** No serialiser checks what the database renders, so every reply in every test is checked here. */
export function checkReply(method: string, url: string, status: number, body: unknown, type = "application/json"): void {
  // The same routes as with a key.
  const path = (url.split("?")[0] ?? url).replace(/^\/portal\/api(?=\/v1\/)/, "");
  if (status === 304 || method === "HEAD") return;
  // Pay pages are for people, whatever goes wrong there.
  if (path.startsWith("/pay/") && type.startsWith("text/html")) return;
  const route = findRoute(method, path);
  const rpc = route?.reply.rpc === true && type.startsWith("application/json");
  if (status >= 400 && !rpc) {
    refuse(checkProblem, body, `${method} ${path} ${status}`);
    const { code } = body as { code: ErrorCode };
    if (ERRORS[code]?.[0] !== status) throw new Error(`${method} ${path}: ${code} is not an error of status ${status}`);
    return;
  }
  if (route === undefined || (rpc && status === 202)) return;
  if (
    !rpc &&
    status !== route.reply.status &&
    !(status === 201 && route.reply.or_created === true) &&
    !(status === 202 && route.reply.or_accepted === true)
  )
    throw new Error(`${method} ${path} answered ${status}, its route says ${route.reply.status}`);
  if (route.reply.stream !== undefined) {
    if (!type.startsWith(STREAM_TYPES[route.reply.stream].replace("*", "")))
      throw new Error(`${method} ${path} answered ${type}`);
    return;
  }
  if (!/[/+]json/.test(type)) {
    checkExport(route, type, String(body), /[?&]include=/.test(url));
    return;
  }
  if (route.reply.schema === undefined) {
    if (body !== null) throw new Error(`${method} ${path} has a body, its route says none`);
    return;
  }
  const validate = validators.get(route) ?? ajv.compile(route.reply.schema);
  validators.set(route, validate);
  refuse(validate, body, `${method} ${path}`);
}

/** Whether an operation answers with a stream that does not end by itself. */
export function isEndless(method: string, url: string): boolean {
  return findRoute(method, url.split("?")[0] ?? url)?.reply.endless === true;
}

/** The data of a message of a stream. */
export function checkMessage(url: string, data: unknown): void {
  const route = findRoute("GET", url.split("?")[0] ?? url);
  if (route?.reply.schema === undefined) return;
  const validate = validators.get(route) ?? ajv.compile(route.reply.schema);
  validators.set(route, validate);
  refuse(validate, data, `a message of ${route.operation}`);
}

/** Each line of an NDJSON export is a row of the list; a CSV export has a cell for each column on every line. */
function checkExport(route: Route, type: string, text: string, includes: boolean): void {
  if (route.exportable !== true) throw new Error(`${route.operation} answered ${type}`);
  const row = rowSchema(route);
  if (type.startsWith("application/x-ndjson")) {
    const validate = lineValidators.get(route) ?? ajv.compile({ ...row, $id: undefined });
    lineValidators.set(route, validate);
    for (const line of text.split("\n").slice(0, -1)) refuse(validate, JSON.parse(line), `a line of ${route.operation}`);
    return;
  }
  const [names = [], ...lines] = parse(text) as string[][];
  const columns = columnsOf(row as object).filter(([name]) => includes || name !== "included");
  if (names.join() !== columns.map((column) => column.join(".")).join()) throw new Error(`${names.join()} are other columns`);
  for (const line of lines)
    if (line.length !== names.length) throw new Error(`${line.join()} has other cells than ${names.join()}`);
}

function findRoute(method: string, path: string): Route | undefined {
  return routesByShape.get(shapeOf(method, path))?.find(({ pattern }) => pattern.test(path))?.route;
}

function refuse(validate: ValidateFunction, body: unknown, what: string): void {
  if (!validate(body))
    throw new Error(`${what} does not match its schema: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`);
}
