import type { FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import { hashApiKey, isWellFormedApiKey } from "../crypto/api-key.ts";
import { clientAddress } from "./server.ts";

/** The hash of a secret from a request, and the address of the request. */
export type SentSecret = { hash: Buffer; ip: string };

/** Finds the principal of each secret, in order; undefined for a secret that is not valid. */
export type FindCallers<Who extends Caller> = (sent: readonly SentSecret[]) => Promise<(Who | undefined)[]>;

/** What authentication needs of a request. */
export type Credentials = Pick<FastifyRequest, "headers" | "method" | "raw" | "forwarded_address">;

/** Authenticates a request, or refuses it. */
export type Authenticate<Who extends Caller = Caller> = (request: Credentials) => Promise<Who>;

const CONCURRENT_MAX = 2;

type Waiter<Who> = { resolve(found: Who | undefined): void; reject(error: unknown): void };
type Lookup<Who> = SentSecret & { waiters: Waiter<Who>[] };

/**
 * Looks secrets up without a cache: requests share a batched query that is sent after they arrived, so a secret is never
 * accepted once its revocation has returned. At most two queries run at a time, and requests that arrive meanwhile share
 * the next one: the higher the load, the cheaper each of them. A secret is looked up once per batch.
 */
function createLookup<Who extends Caller>(find: FindCallers<Who>) {
  let batch = new Map<string, Lookup<Who>>();
  let running = 0;

  async function send(): Promise<void> {
    while (batch.size > 0) {
      const lookups = [...batch.values()];
      batch = new Map();
      await find(lookups).then(
        (found) => {
          for (const [index, { waiters }] of lookups.entries()) for (const { resolve } of waiters) resolve(found[index]);
        },
        (error) => {
          for (const { waiters } of lookups) for (const { reject } of waiters) reject(error);
        },
      );
    }
    running -= 1;
  }

  function enqueue(secret: string, ip: string): Lookup<Who> {
    const name = `${secret} ${ip}`;
    const known = batch.get(name);
    if (known !== undefined) return known;
    if (batch.size === 0 && running < CONCURRENT_MAX) {
      running += 1;
      setImmediate(send);
    }
    const lookup: Lookup<Who> = { hash: hashApiKey(secret), ip, waiters: [] };
    batch.set(name, lookup);
    return lookup;
  }

  return (secret: string, ip: string) =>
    new Promise<Who | undefined>((resolve, reject) => enqueue(secret, ip).waiters.push({ resolve, reject }));
}

/** Authenticates by the key in the Authorization header. A malformed key costs no query. */
export function createKeyAuthenticator<Who extends Caller>(find: FindCallers<Who>): Authenticate<Who> {
  const lookUp = createLookup(find);
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined) fail("missing_credentials");
    const key = /^bearer +([!-~]+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !isWellFormedApiKey(key)) fail("invalid_credentials");
    return (await lookUp(key, clientAddress(request))) ?? fail("invalid_credentials");
  };
}

/** Authenticates by a session's secret, which `secretOf` reads from the request. */
export function createSessionAuthenticator<Who extends Caller>(
  find: FindCallers<Who>,
  secretOf: (request: Credentials) => string | null,
): Authenticate<Who> {
  const lookUp = createLookup(find);
  return async (request) => {
    const secret = secretOf(request);
    if (secret === null) fail("missing_credentials", { detail: "Nobody is signed in." });
    return (await lookUp(secret, clientAddress(request))) ?? fail("session_expired");
  };
}
