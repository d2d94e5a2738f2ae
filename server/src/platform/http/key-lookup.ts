import { fail } from "../../kernel/errors.ts";
import type { KeyPrincipal } from "../../kernel/principal.ts";
import { hashApiKey, isWellFormedApiKey } from "../crypto/api-key.ts";

/** Finds the living keys among some hashes, by hash in hexadecimal. */
export type FindKeys = (hashes: Buffer[]) => Promise<Map<string, KeyPrincipal>>;

type Waiting = { hash: Buffer; resolve(found: Map<string, KeyPrincipal>): void; reject(error: unknown): void };

/**
 * Authenticates without a cache: the requests of one tick share one query, which is sent only after they arrived, so
 * a key whose revocation has answered is never admitted. A malformed key costs no query.
 */
export function createAuthenticator(findKeys: FindKeys): (authorization: string | undefined) => Promise<KeyPrincipal> {
  let batch: Waiting[] = [];

  function send(): void {
    const taken = batch;
    batch = [];
    findKeys(taken.map(({ hash }) => hash)).then(
      (found) => {
        for (const { resolve } of taken) resolve(found);
      },
      (error) => {
        for (const { reject } of taken) reject(error);
      },
    );
  }

  return async (authorization) => {
    if (authorization === undefined) fail("missing_credentials");
    const key = /^bearer +([!-~]+) *$/i.exec(authorization)?.[1];
    if (key === undefined || !isWellFormedApiKey(key)) fail("invalid_credentials");
    const hash = hashApiKey(key);
    const found = await new Promise<Map<string, KeyPrincipal>>((resolve, reject) => {
      if (batch.push({ hash, resolve, reject }) === 1) setImmediate(send);
    });
    return found.get(hash.toString("hex")) ?? fail("invalid_credentials");
  };
}
