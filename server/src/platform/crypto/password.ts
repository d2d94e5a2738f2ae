import { randomBytes, scrypt } from "node:crypto";

/** 2^15 blocks of 1 KiB take about 60 ms and 32 MiB, within OWASP's range for scrypt. */
const COST = 2 ** 15;
const BLOCK = 8;
const LENGTH = 32;
const MEMORY_MAX = 64 * 1024 * 1024;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return ["scrypt", COST, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, LENGTH, { N: COST, r: BLOCK, p: 1, maxmem: MEMORY_MAX }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
