import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { refuseOtherMethods } from "../../platform/http/mount.ts";

const FILE = fileURLToPath(new URL("../../../../widget/dist/widget.js", import.meta.url));
const SCRIPT = "/chat/widget.js";
const DEMO = "/chat/demo";
const NOT_BUILT = "// The chat is not built. Run npm run build -w widget in the folder of the service, then start it again.\n";
/** Pages ask again after five minutes, and get nothing new as long as the script is the same. */
const CACHED = "public, max-age=300";

/** The script that web pages embed, and a page that shows it. */
export function mountWidget(app: FastifyInstance, file = FILE): void {
  const built = existsSync(file);
  const script = built ? readFileSync(file) : Buffer.from(NOT_BUILT);
  const zipped = existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : null;
  const etag = `"${createHash("sha256").update(script).digest("base64url").slice(0, 22)}"`;

  app.get(SCRIPT, async (request, reply) => {
    request.operation = "chat.widget";
    reply
      .header("access-control-allow-origin", "*")
      .header("cross-origin-resource-policy", "cross-origin")
      .header("x-content-type-options", "nosniff")
      .header("vary", "accept-encoding")
      .type("text/javascript; charset=utf-8");
    if (!built) return reply.code(503).header("cache-control", "no-store").send(script);
    reply.header("etag", etag).header("cache-control", CACHED);
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    const accepts = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    return zipped !== null && accepts ? reply.header("content-encoding", "gzip").send(zipped) : reply.send(script);
  });
  app.get(DEMO, async (request, reply) => {
    request.operation = "chat.demo";
    const { channel } = request.query as { channel?: unknown };
    const nonce = randomBytes(16).toString("base64");
    return reply
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "same-origin")
      .header("content-security-policy", policy(nonce))
      .type("text/html; charset=utf-8")
      .send(demoPage(/^[0-9A-Za-z]{13}$/.test(String(channel)) ? String(channel) : null, nonce));
  });
  for (const path of [SCRIPT, DEMO]) refuseOtherMethods(app, path, ["GET"]);
}

const policy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`;

/** Any page with a line of script would do; this one is ours, so that a new channel can be tried at once. */
function demoPage(channel: string | null, nonce: string): string {
  const body =
    channel === null
      ? "<p>Add the token of a web chat to the address: <code>/chat/demo?channel=…</code>. It is the end of the <code>hook_path</code> of the channel.</p>"
      : `<p>This page embeds the chat the way any other does:</p>
<pre>&lt;script async src="${SCRIPT}" data-channel="${channel}"&gt;&lt;/script&gt;</pre>
<script async src="${SCRIPT}" data-channel="${channel}"></script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Web chat</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1c2530}pre{background:#f2f4f6;padding:1rem;border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere}</style>
</head>
<body>
<main>
<h1>Web chat</h1>
${body}
</main>
</body>
</html>
`;
}
