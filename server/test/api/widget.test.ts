import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { createServer } from "../../src/platform/http/server.ts";
import { createMetrics } from "../../src/platform/observe/metrics.ts";
import { mountWidget } from "../../src/surfaces/public/widget.ts";
import { useWorld } from "../harness/world.ts";
import { cleanUp, makeFolder } from "../postgres/processes.ts";

const world = useWorld({}, "api");
afterAll(cleanUp);

test("the script has an ETag and is sent compressed; a page of our own shows it, and nothing else can be put into that page", async () => {
  const file = join(await makeFolder(), "widget.js");
  await writeFile(file, "void 0;\n");
  await writeFile(`${file}.gz`, gzipSync("void 0;\n"));
  const { settings, db } = world.app.services;
  const http = createServer({
    baseUrl: settings.baseUrl,
    clock: world.clock,
    log: pino({ level: "silent" }),
    metrics: createMetrics(db),
  });
  mountWidget(http, file);
  const origin = await http.listen({ host: "127.0.0.1", port: 0 });
  const script = await fetch(`${origin}/chat/widget.js`);
  expect([script.status, await script.text(), script.headers.get("content-encoding")]).toEqual([200, "void 0;\n", "gzip"]);
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  const etag = script.headers.get("etag") ?? "";
  expect((await fetch(`${origin}/chat/widget.js`, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await fetch(`${origin}/chat/widget.js`, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  const token = "0Zk3dQ9sVbX2a";
  const demo = await (await fetch(`${origin}/chat/demo?channel=${token}`)).text();
  expect(demo).toContain(`<script async src="/chat/widget.js" data-channel="${token}"></script>`);
  const forged = await fetch(`${origin}/chat/demo?channel=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(await forged.text()).not.toContain("<script");
  expect(forged.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  await http.close();
});
