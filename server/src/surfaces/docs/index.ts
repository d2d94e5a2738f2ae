import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, type ErrorCode, fail, Refusal } from "../../kernel/errors.ts";
import type { KeyPrincipal, PersonPrincipal } from "../../kernel/principal.ts";
import type { Authenticate } from "../../platform/http/authenticator.ts";
import { refuseOtherMethods } from "../../platform/http/mount.ts";

import type { RequestLimits } from "../../platform/http/request-limits.ts";
import { clientAddress } from "../../platform/http/server.ts";

import { describeInterface } from "../description.ts";
import { exampleText, guideText, guideTitles, renderGuide } from "./guides.ts";
import type { Titles } from "./layout.ts";
import { errorIndexPage, errorPage, guideIndexPage, guidePage, homePage, referencePage, startScript } from "./pages.ts";
import { scalarScript } from "./scalar.ts";
import { STYLE } from "./style.ts";

/** Our own pages are text and one style sheet. */
const STRICT_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Scalar injects inline styles; everything else comes from our own origin. */
const REFERENCE_POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

export type DocsOptions = {
  baseUrl(): string;
  access: "keys" | "public";
  authenticate: Authenticate<KeyPrincipal>;
  /** For people who are signed in to the portal. */
  authenticatePerson: Authenticate<PersonPrincipal>;
  /** Whether there is a portal, to which browsers that open the root are led. */
  portal: boolean;
  limits: RequestLimits | undefined;
};

/** Mounts the reference with its playground, the guides, the OpenAPI document, and a page per error code. */
export function mountDocs(app: FastifyInstance, options: DocsOptions): void {
  const { baseUrl, access, portal } = options;
  let document: string | undefined;
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    if (access === "keys") await admitReader(request, reply, options);
  };
  const paths: string[] = [];
  const get = (path: string, guarded: boolean, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) => {
    paths.push(path);
    app.get(path, guarded ? { onRequest: admit } : {}, answer);
  };
  const titles = once(guideTitles);
  get("/", false, async (request, reply) => {
    reply.header("vary", "accept");
    if (!/\btext\/html\b/.test(request.headers.accept ?? ""))
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(ROOT));
    return portal ? reply.redirect("/portal") : sendHtml(reply, homePage(baseUrl(), await titles()));
  });
  get("/openapi.json", true, async (_request, reply) => {
    document ??= JSON.stringify(describeInterface());
    return reply.type("application/json; charset=utf-8").send(document);
  });
  get("/docs", true, async (request, reply) => {
    const signed_in = await isSignedIn(request, options);
    return sendHtml(reply.header("cache-control", "no-store"), referencePage(signed_in), REFERENCE_POLICY);
  });
  get("/docs/start.js", true, async (request, reply) => {
    const signed_in = await isSignedIn(request, options);
    return reply.header("cache-control", "no-store").type("text/javascript; charset=utf-8").send(startScript(signed_in));
  });
  get("/docs/reference.js", true, async (_request, reply) =>
    reply
      .type("text/javascript; charset=utf-8")
      .header("content-encoding", "gzip")
      .header("cache-control", "private, max-age=86400")
      .send(await scalarScript()),
  );
  get("/docs/style.css", false, async (_request, reply) => reply.type("text/css; charset=utf-8").send(STYLE));
  get("/docs/errors", false, async (_request, reply) => sendHtml(reply, errorIndexPage(await titles())));
  get("/docs/errors/:code", false, async (request, reply) => {
    const { code } = request.params as { code: string };
    if (!Object.hasOwn(ERRORS, code))
      fail("route_not_found", { detail: "This error code was not found. /docs/errors lists all." });
    return sendHtml(reply, errorPage(code as ErrorCode, await titles()));
  });
  get("/docs/guides", true, async (_request, reply) => sendHtml(reply, guideIndexPage(await titles())));
  get("/docs/guides/:name", true, async (request, reply) => {
    const { name } = request.params as { name: string };
    const text = (await guideText(name.replace(/\.md$/, ""))) ?? missingGuide();
    if (name.endsWith(".md")) return reply.type("text/markdown; charset=utf-8").send(text);
    return sendHtml(reply, guidePage(name, await renderGuide(name, text), await titles()));
  });
  get("/docs/guides/*", true, async (request, reply) => {
    const text = (await exampleText((request.params as { "*": string })["*"])) ?? missingGuide();
    return reply.type("text/plain; charset=utf-8").header("x-content-type-options", "nosniff").send(text);
  });
  get("/llms.txt", false, async (_request, reply) => reply.type("text/plain; charset=utf-8").send(llmsText(await titles())));
  for (const path of paths) refuseOtherMethods(app, path, ["GET"]);
}

/** What the root says to programs. */
const ROOT = {
  name: "Tributary",
  reference: "/docs",
  openapi: "/openapi.json",
  guides: "/docs/guides",
  errors: "/docs/errors",
  portal: "/portal",
  partner_api: "/v1/partners",
  general_api: "/v1",
};

function missingGuide(): never {
  fail("route_not_found", { detail: "This guide was not found. /docs/guides lists all." });
}

/** Reads at the first call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined;
  return () => (value ??= read());
}

/** Readers are people and keys of partners with API access, and the operator's people. */
async function admitReader(request: FastifyRequest, reply: FastifyReply, options: DocsOptions): Promise<void> {
  try {
    const reader = await authenticateReader(request, options);
    if (reader.type === "operator") return;
    if (!reader.partner_active) fail("partner_suspended");
    if (!reader.api_access) fail("beta_access_required");
  } catch (error) {
    if (!isUnauthenticated(error)) throw error;
    await options.limits?.limitAddress(clientAddress(request), reply);
    fail(error.code, { headers: { "www-authenticate": 'Basic realm="Your API key is the password", charset="UTF-8"' } });
  }
}

/** By session, or by key. A browser cannot send a bearer token by itself, so the key may also be the password of basic authentication. */
async function authenticateReader(request: FastifyRequest, options: DocsOptions): Promise<KeyPrincipal | PersonPrincipal> {
  const { method, raw, forwarded_address, headers } = request;
  if (headers.authorization === undefined) return options.authenticatePerson(request);
  const basic = /^basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization)?.[1];
  const password = basic === undefined ? undefined : Buffer.from(basic, "base64").toString().split(":").slice(1).join(":");
  const authorization = password === undefined ? headers.authorization : `Bearer ${password}`;
  return options.authenticate({ method, raw, forwarded_address, headers: { ...headers, authorization } });
}

/** Whether the reader is a person who is signed in to the portal, and has not come with a key. */
async function isSignedIn(request: FastifyRequest, { authenticatePerson }: DocsOptions): Promise<boolean> {
  if (request.headers.authorization !== undefined) return false;
  return authenticatePerson(request).then(
    () => true,
    (error: unknown) => {
      if (isUnauthenticated(error)) return false;
      throw error;
    },
  );
}

function isUnauthenticated(error: unknown): error is Refusal {
  return error instanceof Refusal && ERRORS[error.code][0] === 401;
}

function sendHtml(reply: FastifyReply, html: string, policy = STRICT_POLICY): FastifyReply {
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("x-content-type-options", "nosniff")
    .send(html);
}

/** The index for language models in the llms.txt format: a title, a summary, and links. */
function llmsText(titles: Titles): string {
  const guides = Object.entries(titles).map(([name, title]) => `- [${title}](/docs/guides/${name}.md)`);
  return `# Tributary

> A self-hosted partner platform: client accounts, API keys, events, webhooks, an audit log and a CRM.

## Reference

- [OpenAPI 3.1](/openapi.json): all operations, schemas, errors and events
- [Errors](/docs/errors): all error codes, with remedies

## Guides

${guides.join("\n")}
`;
}
