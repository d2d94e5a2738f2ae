import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createTurnstile } from "../../kernel/turnstile.ts";

/** What OWASP recommends for scrypt: 2^15 blocks of 1 KiB, three times over. */
const PARAMETERS = { N: 2 ** 15, r: 8, p: 3 };
const LENGTH = 32;
const MEMORY_MAX = 64 * 1024 * 1024;
/** Each takes a core for a tenth of a second or more, so more at a time would only delay other requests. */
const CONCURRENT_MAX = 2;

type Parameters = typeof PARAMETERS;

/** The parameters are part of the text, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PARAMETERS);
  const { N, r, p } = PARAMETERS;
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** A hash that no password has. To check it takes as long as to check that of a user, so the time does not tell who is one. */
const NOBODY = ["scrypt", PARAMETERS.N, PARAMETERS.r, PARAMETERS.p, "A".repeat(22), "A".repeat(43)].join("$");

export type PasswordCheck = {
  matches: boolean /** Whether the hash has older parameters and should be replaced. */;
  outdated: boolean;
};

/** Compares a password with the hash of a user, or with nobody's for null, which never matches. */
export async function checkPassword(password: string, stored: string | null): Promise<PasswordCheck> {
  const { parameters, salt, hash } = parse(stored ?? NOBODY);
  const derived = await derive(password, salt, parameters);
  const matches = timingSafeEqual(derived, hash) && stored !== null;
  const outdated = (Object.keys(PARAMETERS) as (keyof Parameters)[]).some((name) => parameters[name] !== PARAMETERS[name]);
  return { matches, outdated };
}

/** Hashes of the first version leave out r and p. */
function parse(stored: string): { parameters: Parameters; salt: Buffer; hash: Buffer } {
  const [, N, ...rest] = stored.split("$");
  const [hash = "", salt = "", p = "1", r = "8"] = rest.reverse();
  return {
    parameters: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64url"),
    hash: Buffer.from(hash, "base64url"),
  };
}

const turnstile = createTurnstile(CONCURRENT_MAX);

function derive(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return turnstile.pass(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize("NFKC"), salt, LENGTH, { ...parameters, maxmem: MEMORY_MAX }, (error, key) =>
          error === null ? resolve(key) : reject(error),
        );
      }),
  );
}
