import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fail, Refusal } from "../../kernel/errors.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { encodingFor, type PortalFile, readPortal } from "./files.ts";

const DIST = fileURLToPath(new URL("../../../../portal/dist", import.meta.url));

/** Mantine writes style elements, hence the nonce; everything else comes from our own origin. */
const policy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>The portal is not built</title></head>
<body>
<h1>The portal is not built</h1>
<p>Run <code>npm run build -w portal</code> in the folder of the service, then start it again.</p>
<p>The API works without it: see <a href="/docs">/docs</a>.</p>
</body>
</html>
`;

/**
 * Serves the portal: its files, and its index for every other page below /portal, which the portal itself tells apart. False: it is
 * not built, and a page says so.
 */
export function mountPortal(app: FastifyInstance, folder = DIST): boolean {
  const files = readPortal(folder);
  const index = files?.get("/index.html")?.raw.toString();
  const page = (reply: FastifyReply) => {
    reply
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "same-origin");
    if (index === undefined) return reply.code(503).type("text/html; charset=utf-8").send(NOT_BUILT);
    const nonce = randomBytes(16).toString("base64");
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", policy(nonce))
      .send(index.replaceAll("__CSP_NONCE__", nonce));
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.url.split("?")[0] ?? "").slice("/portal".length);
    if (path.startsWith("/api/") || path === "/api")
      throw (
        app.known_paths.refusalOf(request) ?? new Refusal("route_not_found", { detail: `${path} was not found below /portal.` })
      );
    const file = path === "/index.html" ? undefined : files?.get(path);
    if (file !== undefined) return sendFile(request, reply, file, path);
    // A page that asks for a script of an older build must not get a page instead of it.
    if (path.startsWith("/assets/"))
      fail("route_not_found", { detail: "This file of the portal was not found. Load the page again." });
    return page(reply);
  };
  app.get("/portal", answer);
  app.get("/portal/*", answer);
  refuseOtherMethods(app, "/portal", ["GET"]);
  return files !== null;
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PortalFile, path: string): FastifyReply {
  const { body, encoding } = encodingFor(file, String(request.headers["accept-encoding"] ?? ""));
  if (encoding !== null) reply.header("content-encoding", encoding);
  return reply
    .type(file.type)
    .header("vary", "accept-encoding")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "public, max-age=3600")
    .send(body);
}
