import { readdir, readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, type ErrorCode, fail, Refusal } from "../../kernel/errors.ts";
import type { KeyPrincipal } from "../../kernel/principal.ts";
import type { Authenticate } from "../../platform/http/key-lookup.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";
import { clientAddress } from "../../platform/http/server.ts";
import { describeInterface } from "../description.ts";
import { errorIndexPage, errorPage, referencePage, START_SCRIPT, STYLE } from "./pages.ts";
import { scalarScript } from "./scalar.ts";

const GUIDES = new URL("../../../../docs/", import.meta.url);

/** Scalar injects inline styles; everything else comes from our own origin. */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

export type DocsOptions = {
  access: "keys" | "public";
  authenticate: Authenticate<KeyPrincipal>;
};

/** Mounts the reference with its playground, the guides, the OpenAPI document, and a page per error code. */
export function mountDocs(app: FastifyInstance, { access, authenticate }: DocsOptions): void {
  let document: string | undefined;
  const admit = async (request: FastifyRequest) => {
    if (access === "keys") await admitReader(request, authenticate);
  };
  const paths: string[] = [];
  const get = (path: string, guarded: boolean, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    paths.push(path);
    app.get(path, guarded ? { onRequest: admit } : {}, answer);
  };
  get("/openapi.json", true, async (_request, reply) => {
    document ??= JSON.stringify(describeInterface());
    return reply.type("application/json; charset=utf-8").send(document);
  });
  get("/docs", true, async (_request, reply) => sendHtml(reply, referencePage()));
  get("/docs/start.js", true, async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(START_SCRIPT));
  get("/docs/reference.js", true, async (_request, reply) =>
    reply
      .type("text/javascript; charset=utf-8")
      .header("content-encoding", "gzip")
      .header("cache-control", "private, max-age=86400")
      .send(await scalarScript()),
  );
  get("/docs/style.css", false, async (_request, reply) => reply.type("text/css; charset=utf-8").send(STYLE));
  get("/docs/errors", false, async (_request, reply) => sendHtml(reply, errorIndexPage()));
  get("/docs/errors/:code", false, async (request, reply) => {
    const { code } = request.params as { code: string };
    return Object.hasOwn(ERRORS, code) ? sendHtml(reply, errorPage(code as ErrorCode)) : fail("route_not_found");
  });
  get("/docs/guides/:file", true, async (request, reply) => {
    const { file } = request.params as { file: string };
    const known = (await guideFiles()).includes(file);
    return known
      ? reply.type("text/markdown; charset=utf-8").send(await readFile(new URL(file, GUIDES), "utf8"))
      : fail("route_not_found");
  });
  get("/llms.txt", false, async (_request, reply) => reply.type("text/plain; charset=utf-8").send(await llmsText()));
  for (const path of paths) refuseOtherMethods(app, path, ["GET"]);
}

/** A browser cannot send a bearer token by itself, so the key may also be the password of basic authentication. */
async function admitReader(request: FastifyRequest, authenticate: DocsOptions["authenticate"]): Promise<void> {
  const basic = /^basic +([A-Za-z0-9+/=]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const password = basic === undefined ? undefined : Buffer.from(basic, "base64").toString().split(":").slice(1).join(":");
  try {
    const authorization = password === undefined ? request.headers.authorization : `Bearer ${password}`;
    const { partner_active, api_access } = await authenticate(authorization, clientAddress(request));
    if (!partner_active) fail("partner_suspended");
    if (!api_access) fail("beta_access_required");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (ERRORS[error.code][0] !== 401) throw error;
    fail(error.code, { headers: { "www-authenticate": 'Basic realm="Your API key is the password", charset="UTF-8"' } });
  }
}

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", POLICY)
    .header("x-content-type-options", "nosniff")
    .send(html);
}

async function guideFiles(): Promise<string[]> {
  return (await readdir(GUIDES)).filter((file) => file.endsWith(".md")).sort();
}

/** The index for language models in the llms.txt format: a title, a summary, and links. */
async function llmsText(): Promise<string> {
  const guides = await Promise.all(
    (await guideFiles()).map(async (file) => {
      const title = /^# (.+)$/m.exec(await readFile(new URL(file, GUIDES), "utf8"))?.[1] ?? file;
      return `- [${title}](/docs/guides/${file})`;
    }),
  );
  return `# Tributary

> A self-hosted partner platform: client accounts, API keys, events, webhooks, an audit log and a CRM.

## Reference

- [OpenAPI 3.1](/openapi.json): all operations, schemas, errors and events
- [Errors](/docs/errors): all error codes, with remedies

## Guides

${guides.join("\n")}
`;
}
