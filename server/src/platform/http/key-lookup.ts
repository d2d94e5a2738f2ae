import { fail } from "../../kernel/errors.ts";
import type { Caller } from "../../kernel/principal.ts";
import { hashApiKey, isWellFormedApiKey } from "../crypto/api-key.ts";

/** A secret that somebody sent, as its hash, and the address it came from. */
export type SentKey = { hash: Buffer; ip: string };

/** Finds who each key is, in their order; undefined for one that nothing admits. */
export type FindKeys<Who extends Caller> = (sent: readonly SentKey[]) => Promise<(Who | undefined)[]>;

/** Says who sends a request, by its Authorization header and address, or refuses it. */
export type Authenticate<Who extends Caller = Caller> = (authorization: string | undefined, ip: string) => Promise<Who>;

const UNDER_WAY_MAX = 2;

type Taker<Who> = { resolve(found: Who | undefined): void; reject(error: unknown): void };
type Asked<Who> = SentKey & { takers: Taker<Who>[] };

/**
 * Authenticates without a cache: requests share a query, which is sent only after they arrived, so a key whose
 * revocation has answered is never admitted. At most two are under way, and those that come meanwhile share the
 * next: the busier it gets, the less each of them costs. Each key is in it once, however many requests it came with. A
 * malformed key costs no query.
 */
export function createAuthenticator<Who extends Caller>(findKeys: FindKeys<Who>): Authenticate<Who> {
  let batch = new Map<string, Asked<Who>>();
  let under_way = 0;

  async function send(): Promise<void> {
    while (batch.size > 0) {
      const asked = [...batch.values()];
      batch = new Map();
      await findKeys(asked).then(
        (found) => {
          for (const [index, { takers }] of asked.entries()) for (const { resolve } of takers) resolve(found[index]);
        },
        (error) => {
          for (const { takers } of asked) for (const { reject } of takers) reject(error);
        },
      );
    }
    under_way -= 1;
  }

  function ask(key: string, ip: string): Asked<Who> {
    const name = `${key} ${ip}`;
    const known = batch.get(name);
    if (known !== undefined) return known;
    if (batch.size === 0 && under_way < UNDER_WAY_MAX) {
      under_way += 1;
      setImmediate(send);
    }
    const asked: Asked<Who> = { hash: hashApiKey(key), ip, takers: [] };
    batch.set(name, asked);
    return asked;
  }

  return async (authorization, ip) => {
    if (authorization === undefined) fail("missing_credentials");
    const key = /^bearer +([!-~]+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !isWellFormedApiKey(key)) fail("invalid_credentials");
    const found = await new Promise<Who | undefined>((resolve, reject) => ask(key, ip).takers.push({ resolve, reject }));
    return found ?? fail("invalid_credentials");
  };
}
