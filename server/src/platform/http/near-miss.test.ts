import { expect, test } from "vitest";
import type { Kind } from "../../kernel/ids.ts";
import { createSuggestPath } from "./near-miss.ts";
import type { Surface } from "./openapi.ts";

const surface = (prefix: string, routes: [method: string, path: string, params?: Record<string, Kind>][]) =>
  ({ prefix, routes: routes.map(([method, path, params = {}]) => ({ method, path, params })) }) as unknown as Surface;

const suggest = createSuggestPath(
  [
    surface("/v1/partners", [
      ["GET", "/clients"],
      ["GET", "/deals"],
      ["GET", "/deals/metrics"],
      ["GET", "/audit-log"],
      ["GET", "/clients/{id}", { id: "client" }],
      ["POST", "/clients/{id}/suspend", { id: "client" }],
    ]),
    surface("/v1", [
      ["GET", "/contacts"],
      ["POST", "/contacts"],
      ["GET", "/deals"],
      ["GET", "/deals/{id}", { id: "deal" }],
    ]),
    surface("/v1/admin", [["GET", "/partners"]]),
  ],
  ["/docs", "/openapi.json", "/healthz"],
);

test.each([
  ["GET /v1/deals/metrics", "GET /v1/partners/deals/metrics"],
  ["GET /v1/clients?limit=1", "GET /v1/partners/clients"],
  ["GET /v1/partners/contacts", "GET /v1/contacts"],
  ["GET /contacts", "GET /v1/contacts"],
  ["POST /contacts", "POST /v1/contacts"],
  ["GET /partners/deals/metrics", "GET /v1/partners/deals/metrics"],
  ["GET /v2/contacts", "GET /v1/contacts"],
  ["GET /v1/contact", "GET /v1/contacts"],
  ["GET /v1/contacts/", "GET /v1/contacts"],
  ["GET /v1/partners//clients", "GET /v1/partners/clients"],
  ["GET /v1/partners/Clients", "GET /v1/partners/clients"],
  ["GET /v1/partners/audit_log", "GET /v1/partners/audit-log"],
  ["GET /v1/deal/deal_01jd3k5y5cf7m8n9p0q1r2s3t4", "GET /v1/deals/{id}"],
  ["GET /v1/partners/clients/cli_01jd3k5y5cf7m8n9p0q1r2s3t4/suspend", "POST /v1/partners/clients/{id}/suspend"],
  ["GET /v1/admin/partner", "GET /v1/admin/partners"],
  ["GET /openapi.yaml", "/openapi.json"],
  ["GET /doc", "/docs"],
])("%s: did you mean %s?", (request, expected) => {
  const [method = "", url = ""] = request.split(" ");
  expect(suggest(method, url)).toBe(` Did you mean ${expected}?`);
});

test.each(["GET /v1", "GET /v1/nothing", "GET /v1/partner", "GET /favicon.ico"])("%s resembles nothing", (request) => {
  const [method = "", url = ""] = request.split(" ");
  expect(suggest(method, url)).toBe("");
});
