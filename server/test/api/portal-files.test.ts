import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServer } from "../../src/platform/http/server.ts";
import { createMetrics } from "../../src/platform/observe/metrics.ts";
import { mountDocs } from "../../src/surfaces/docs/index.ts";
import { mountPortal } from "../../src/surfaces/portal/portal.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld();
const SCRIPT = "export const answer = 42;";
const folder = mkdtempSync(join(tmpdir(), "portal-"));
let built: FastifyInstance;
let unbuilt: FastifyInstance;

function serve(from: string): FastifyInstance {
  const baseUrl = () => "http://127.0.0.1";
  const metrics = createMetrics(world.app.services.db);
  const http = createServer({ baseUrl, clock: world.clock, log: pino({ level: "silent" }), metrics });
  const authenticate = () => Promise.reject(new Error("no page here asks for a key"));
  mountDocs(http, {
    baseUrl,
    access: "public",
    authenticate,
    authenticatePerson: authenticate,
    portal: mountPortal(http, from),
    limits: undefined,
  });
  return http;
}

beforeAll(() => {
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, ".vite"));
  writeFileSync(join(folder, "index.html"), '<meta property="csp-nonce" nonce="__CSP_NONCE__"><div id="root"></div>');
  writeFileSync(join(folder, ".vite/manifest.json"), "{}");
  writeFileSync(join(folder, "assets/main-1.js"), SCRIPT);
  writeFileSync(join(folder, "assets/main-1.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/main-1.js.gz"), gzipSync(SCRIPT));
  built = serve(folder);
  unbuilt = serve(join(folder, "nothing"));
});

afterAll(async () => {
  await built.close();
  await unbuilt.close();
  rmSync(folder, { recursive: true });
});

test.each(["/portal", "/portal/clients/cli_1?edit=yes", "/portal/index.html", "/portal/.vite/manifest.json"])(
  "%s is the page, fresh each time, and lets in only our own scripts and its own styles",
  async (url) => {
    const first = await built.inject(url);
    const second = await built.inject(url);
    expect([first.statusCode, first.headers["cache-control"]]).toEqual([200, "no-store"]);
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? "";
    expect(nonce.length).toBeGreaterThan(20);
    expect(second.body).not.toContain(nonce);
    expect(first.headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
  },
);

test("a script is sent in the smallest form that the browser takes, and kept for a year", async () => {
  const get = (encoding: string) => built.inject({ url: "/portal/assets/main-1.js", headers: { "accept-encoding": encoding } });
  const replies = await Promise.all([get("gzip, deflate, br"), get("gzip"), get("identity")]);
  expect(replies.map(({ headers }) => headers["content-encoding"])).toEqual(["br", "gzip", undefined]);
  expect(replies[2]?.body).toBe(SCRIPT);
  for (const { headers } of replies) {
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect([headers["content-type"], headers.vary]).toEqual(["text/javascript; charset=utf-8", "accept-encoding"]);
  }
});

test("a script of another build and an unknown path of its API are problems, never the page", async () => {
  for (const url of ["/portal/assets/main-0.js", "/portal/api/nothing", "/portal/api"]) {
    const { statusCode, headers } = await built.inject(url);
    expect([url, statusCode, headers["content-type"]]).toEqual([url, 404, "application/problem+json; charset=utf-8"]);
  }
  expect((await built.inject({ method: "POST", url: "/portal" })).statusCode).toBe(405);
});

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

test("the root leads browsers to the portal, and tells programs where things are", async () => {
  const page = await built.inject({ url: "/", headers: BROWSER });
  expect([page.statusCode, page.headers.location, page.headers.vary]).toEqual([302, "/portal", "accept"]);
  expect((await built.inject("/")).json()).toMatchObject({ reference: "/docs", openapi: "/openapi.json", portal: "/portal" });
});

test("without a built portal its pages say what to run, and the root is the page of the documentation", async () => {
  const { statusCode, body } = await unbuilt.inject("/portal/clients");
  expect(statusCode).toBe(503);
  expect(body).toContain("npm run build -w portal");
  const page = await unbuilt.inject({ url: "/", headers: BROWSER });
  expect([page.statusCode, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.body).toContain('href="/docs"');
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self'/);
});
