import { createClient } from "@tributary/sdk";
import { BASE } from "./base.ts";
import { send } from "./send.ts";

/** The client's own limit would also count the time that a person takes to type a password. */
const NO_LIMIT_MS = 86_400_000;

/** The API, by path. Imported by `data.ts` of a feature, and nowhere else. */
export const api = createClient({ baseUrl: BASE, fetch: send, retries: 2, waitMaxMs: 3_000, timeoutMs: NO_LIMIT_MS });

/** The header that lets a write through only if nobody else wrote since. */
export const ifMatch = (version: number) => ({ "If-Match": `"${version}"` });

/** A key per opening of a form: sending it twice creates one record. */
export const idempotency = (key: string) => ({ "Idempotency-Key": key });
