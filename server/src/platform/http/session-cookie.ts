import type { FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * The cookie of a session. Over https its name binds it to the host; over http, which is for this machine, the name has the port,
 * because cookies ignore ports and two installations would sign each other out.
 */
export type SessionCookie = {
  /** The secret that a request carries, null for none or a malformed one. */
  read(request: Pick<FastifyRequest, "headers">): string | null;
  set(secret: string, max_age_s: number): string;
  clear(): string;
};

export function createSessionCookie(baseUrl: () => string): SessionCookie {
  const parts = () => {
    const { protocol, port } = new URL(baseUrl());
    return protocol === "https:"
      ? { name: "__Host-session", attributes: "Path=/; HttpOnly; SameSite=Lax; Secure" }
      : { name: `session_${port || "80"}`, attributes: "Path=/; HttpOnly; SameSite=Lax" };
  };
  return {
    read(request) {
      const start = `${parts().name}=`;
      const found = request.headers.cookie?.split(";").find((pair) => pair.trimStart().startsWith(start));
      const secret = found?.trim().slice(start.length) ?? "";
      return SECRET.test(secret) ? secret : null;
    },
    set(secret, max_age_s) {
      const { name, attributes } = parts();
      return `${name}=${secret}; Max-Age=${max_age_s}; ${attributes}`;
    },
    clear() {
      const { name, attributes } = parts();
      return `${name}=; Max-Age=0; ${attributes}`;
    },
  };
}

/** Refuses a change that another site's page makes with a person's cookie. Browsers send one of the two headers. */
export function refuseCrossSite(request: Pick<FastifyRequest, "headers" | "method">, base_url: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const site = request.headers["sec-fetch-site"];
  const own = site === undefined ? request.headers.origin === new URL(base_url).origin : site === "same-origin";
  if (!own) fail("cross_site_request");
}
