import { createHash, randomBytes } from "node:crypto";
import { newId } from "../../src/kernel/ids.ts";
import type { ClientAccess, PartnerRole } from "../../src/kernel/principal.ts";
import type { CallOptions, Reply, TestPartner, World } from "./world.ts";

/** The portal's address of every API. */
export const PORTAL = "/portal/api";

export type Person = {
  user_id: string;
  /** What the person's browser sends with each request. */
  headers: Record<string, string>;
  /** Calls the API as this person: `path` as with a key. */
  call(method: string, path: string, options?: Omit<CallOptions, "key">): Promise<Reply>;
};

type Rights = { role?: PartnerRole; accounts?: ClientAccess };

/** A user of a partner who has just signed in, or for null one of the operator. */
export async function newPerson(world: World, partner: TestPartner | null, rights: Rights = {}): Promise<Person> {
  const { role = "owner", accounts = "all" } = rights;
  const id = newId("user", Date.now());
  await world.db.sql(
    `insert into users (id, partner_id, email, name, role, password_hash, clients, state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, '', $6, 'active', $7, $7)`,
    [
      ...[id, partner?.partner_id ?? null, `${id}@test.example`, `Ines ${id.slice(-6)}`],
      ...[partner === null ? "operator" : role, accounts === "all" ? null : accounts, world.clock.now()],
    ],
  );
  return signInAgain(world, id);
}

/** One more session of a user. */
export async function signInAgain(world: World, user_id: string): Promise<Person> {
  const secret = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(secret).digest();
  await world.db.sql(
    `insert into sessions (id, hash, user_id, agent, ip, created_at, authenticated_at, last_seen_at, expires_at)
     values ($1, $2, $3, 'Test', '127.0.0.1', $4, $4, $4, $4::timestamptz + interval '7 days')`,
    [newId("sign_in", Date.now()), hash, user_id, world.clock.now()],
  );
  const headers = cookieOf(secret);
  return {
    user_id,
    headers,
    call: (method, path, options = {}) =>
      world.call(method, PORTAL + path, { ...options, headers: { ...headers, ...options.headers } }),
  };
}

/** The headers of a request with a session's secret, from the portal itself. */
export function cookieOf(secret: string): Record<string, string> {
  return { cookie: `session_80=${secret}`, "sec-fetch-site": "same-origin" };
}
