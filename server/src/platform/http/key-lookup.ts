import { fail } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import { hashApiKey, isWellFormedApiKey } from "../crypto/api-key.ts";

/** The hash of a secret from a request, and the address of the request. */
export type SentKey = { hash: Buffer; ip: string };

/** Finds the principal of each key, in order; undefined for a key that is not valid. */
export type FindKeys<Who extends Caller> = (sent: readonly SentKey[]) => Promise<(Who | undefined)[]>;

/** Authenticates a request by its Authorization header and address, or refuses it. */
export type Authenticate<Who extends Caller = Caller> = (authorization: string | undefined, ip: string) => Promise<Who>;

const CONCURRENT_MAX = 2;

type Waiter<Who> = { resolve(found: Who | undefined): void; reject(error: unknown): void };
type Lookup<Who> = SentKey & { waiters: Waiter<Who>[] };

/**
 * Authenticates without a cache: requests share a batched query that is sent after they arrived, so a key is never
 * accepted once its revocation has returned. At most two queries run at a time, and requests that arrive meanwhile share
 * the next one: the higher the load, the cheaper each of them. A key is looked up once per batch, a malformed key never.
 */
export function createAuthenticator<Who extends Caller>(findKeys: FindKeys<Who>): Authenticate<Who> {
  let batch = new Map<string, Lookup<Who>>();
  let running = 0;

  async function send(): Promise<void> {
    while (batch.size > 0) {
      const lookups = [...batch.values()];
      batch = new Map();
      await findKeys(lookups).then(
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

  function enqueue(key: string, ip: string): Lookup<Who> {
    const name = `${key} ${ip}`;
    const known = batch.get(name);
    if (known !== undefined) return known;
    if (batch.size === 0 && running < CONCURRENT_MAX) {
      running += 1;
      setImmediate(send);
    }
    const lookup: Lookup<Who> = { hash: hashApiKey(key), ip, waiters: [] };
    batch.set(name, lookup);
    return lookup;
  }

  return async (authorization, ip) => {
    if (authorization === undefined) fail("missing_credentials");
    const key = /^bearer +([!-~]+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !isWellFormedApiKey(key)) fail("invalid_credentials");
    const found = await new Promise<Who | undefined>((resolve, reject) => enqueue(key, ip).waiters.push({ resolve, reject }));
    return found ?? fail("invalid_credentials");
  };
}
