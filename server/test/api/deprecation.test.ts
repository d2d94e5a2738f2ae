import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { mount } from "../../src/platform/http/mount.ts";
import { describeApi, type Surface } from "../../src/platform/http/openapi.ts";
import { type Deprecation, type Route, route, type Stability } from "../../src/platform/http/route.ts";
import { createServer } from "../../src/platform/http/server.ts";
import { Type } from "../../src/platform/http/type.ts";
import { createMetrics } from "../../src/platform/observe/metrics.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld();
const servers: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function thingRoute(deprecated?: Deprecation): Route {
  return route({
    operation: "things.get",
    method: "GET",
    path: "/things",
    summary: "Get the things",
    scope: "none",
    partner_wide: false,
    params: {},
    ...(deprecated === undefined ? {} : { deprecated }),
    reply: { status: 200, schema: Type.Object({}) },
    handle: async () => ({ json: "{}" }),
  });
}

function surfaceOf(deprecated?: Deprecation, stability: Stability = "preview"): Surface {
  return { prefix: "/v1/old", stability, security: "key", routes: [thingRoute(deprecated)] };
}

/** A server of our own kind with a surface that the product does not have. */
function serve(surface: Surface) {
  const { services, tally } = world.app;
  const server = createServer({
    baseUrl: () => "http://tributary.test",
    clock: world.clock,
    log: pino({ level: "silent" }),
    metrics: createMetrics(services.db),
  });
  servers.push(server);
  const principal = { type: "operator", key_id: "key_1", credential: { hash: Buffer.of(), ip: "", version: 1 } } as const;
  mount(server, { ...surface, services, tally, authenticate: async () => principal });
  return () => server.inject({ method: "GET", url: "/v1/old/things" });
}

test("an operation that stays has none of the headers", async () => {
  const { headers } = await serve(surfaceOf())();
  expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined]);
});

test("a deprecated operation answers, and says since when, until when and what to use instead", async () => {
  const { statusCode, headers } = await serve(surfaceOf({ since: "2026-10-01", sunset: "2026-12-01", successor: "/stuff" }))();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    deprecation: `@${Date.UTC(2026, 9, 1) / 1000}`,
    sunset: "Tue, 01 Dec 2026 00:00:00 GMT",
    link: '</docs/guides/versions.md>; rel="deprecation"; type="text/markdown", </v1/old/stuff>; rel="successor-version"',
  });
});

test("without a date it stays, deprecated", async () => {
  const { statusCode, headers } = await serve(surfaceOf({ since: "2025-01-01" }))();
  expect([statusCode, headers.deprecation, headers.sunset]).toEqual([200, `@${Date.UTC(2025, 0, 1) / 1000}`, undefined]);
});

test("from its last day on it answers 410 with the way on, and not a moment before", async () => {
  const call = serve(surfaceOf({ since: "2026-10-01", sunset: "2026-11-03", successor: "/stuff" }));
  world.clock.advance(Date.parse("2026-11-03T00:00:00Z") - 1 - world.clock.now().getTime());
  expect((await call()).statusCode).toBe(200);
  world.clock.advance(1);
  const gone = await call();
  expect([gone.statusCode, gone.json().code, gone.json().sunset]).toEqual([410, "endpoint_sunset", "2026-11-03"]);
  expect(gone.json().detail).toContain("/v1/old/stuff");
  expect(gone.headers.sunset).toBe("Tue, 03 Nov 2026 00:00:00 GMT");
});

test.each([
  ["preview", "2026-10-31", false],
  ["preview", "2026-11-01", true],
  ["stable", "2027-03-29", false],
  ["stable", "2027-03-30", true],
] as const)("a %s operation that would end on %s after a notice on 2026-10-01 boots: %s", (stability, sunset, boots) => {
  const attempt = () => serve(surfaceOf({ since: "2026-10-01", sunset }, stability));
  if (boots) attempt();
  else expect(attempt).toThrow(/days/);
});

test("the OpenAPI document marks it and names the 410", () => {
  const api = { info: { title: "", version: "", description: "" }, groups: [], securitySchemes: {}, webhooks: [] };
  const document = describeApi({ ...api, surfaces: [surfaceOf({ since: "2026-10-01", sunset: "2026-12-01" })] });
  const operation = (document.paths as Record<string, Record<string, object>>)["/v1/old/things"]?.get;
  expect(operation).toMatchObject({
    deprecated: true,
    "x-sunset": "2026-12-01",
    responses: { 410: { description: "`endpoint_sunset`" } },
  });
});
