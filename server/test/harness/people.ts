import { createHash, randomBytes } from "node:crypto";
import { insertUser } from "../../src/features/programme/users/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { type ClientAccess, OPERATOR_TENANT, type PartnerRole } from "../../src/kernel/principal.ts";
import { hashPassword } from "../../src/platform/crypto/password.ts";
import { createContext } from "../../src/platform/record/context.ts";
import type { CallOptions, Reply, TestPartner, World } from "./world.ts";

export const PORTAL = "/portal/api";
export const PASSWORD = "correct horse battery";
/** The name of the cookie at the address of the tests. */
export const COOKIE = "session_80";
/** What a browser says of a request from a page of ours. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** Hashed once per file: it takes a tenth of a second. */
let hashed: Promise<string> | null = null;

export type TestUser = { id: string; email: string; password: string };
type UserOptions = { role?: "owner" | "admin" | "member" | "read_only"; email?: string; accounts?: string[]; invited?: true };

/** A user of a partner, or of the operator for null, who can sign in unless only invited. */
export async function newUser(world: World, partner: TestPartner | null, options: UserOptions = {}): Promise<TestUser> {
  const { role = "owner", email = `person.${randomBytes(6).toString("hex")}@test.example`, accounts, invited } = options;
  hashed ??= hashPassword(PASSWORD);
  const password_hash = invited === true ? null : await hashed;
  const partner_id = partner?.partner_id ?? null;
  const principal = { type: "system", partner_id: partner_id ?? OPERATOR_TENANT } as const;
  const { id } = await createContext(world.app.services, { principal }).tx((tx) =>
    insertUser(tx, {
      partner_id,
      email,
      name: "Nora Lindqvist",
      role: partner === null ? "operator" : role,
      password_hash,
      ...(accounts === undefined ? {} : { accounts }),
    }),
  );
  return { id, email, password: PASSWORD };
}

/** The secret of a session that a reply has set, null for none. */
export function secretIn({ headers }: Pick<Reply, "headers">): string | null {
  return new RegExp(`${COOKIE}=([^;]*)`).exec(String(headers["set-cookie"] ?? ""))?.[1] ?? null;
}

export type Person = {
  user_id: string;
  secret: string;
  session_id: string;
  /** What the person's browser sends with each request. */
  headers: Record<string, string>;
  /** Calls the portal's API by cookie, as a page of ours does. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
};

/** The headers of a request with a session's secret, from the portal itself. */
export function cookieOf(secret: string): Record<string, string> {
  return { cookie: `${COOKIE}=${secret}`, ...SAME_ORIGIN };
}

function personWith(world: World, user_id: string, session_id: string, secret: string): Person {
  const headers = cookieOf(secret);
  return {
    ...{ user_id, secret, session_id, headers },
    call: (method, path, options = {}) =>
      world.call(method, PORTAL + path, { ...options, headers: { ...headers, ...options.headers } }),
  };
}

/** Asks to sign in as a page of ours does. */
export function askToSignIn(world: World, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  return world.call("POST", `${PORTAL}/session`, { body, headers: { ...SAME_ORIGIN, ...headers } });
}

export async function signIn(world: World, { email, password }: TestUser, code?: string): Promise<Person> {
  return begun(world, await askToSignIn(world, { email, password, ...(code === undefined ? {} : { code }) }));
}

/** The person whose session a reply has begun. */
export function begun(world: World, reply: Reply): Person {
  const secret = secretIn(reply);
  if (reply.status !== 201 || secret === null) throw new Error(`nobody was signed in: ${reply.text}`);
  return personWith(world, reply.body.user.id, reply.body.id, secret);
}

/** A session without the time that a sign-in takes. */
export async function signedIn(world: World, { id }: Pick<TestUser, "id">): Promise<Person> {
  const secret = randomBytes(32).toString("base64url");
  const now = world.clock.now();
  const session_id = newId("sign_in", now.getTime());
  await world.db.sql(
    `insert into sessions (id, hash, user_id, agent, ip, created_at, authenticated_at, last_seen_at, expires_at)
     values ($1, $2, $3, 'Test', '127.0.0.1', $4, $4, $4, $4::timestamptz + interval '7 days')`,
    [session_id, createHash("sha256").update(secret).digest(), id, now],
  );
  return personWith(world, id, session_id, secret);
}

type Rights = { role?: PartnerRole; accounts?: ClientAccess };

/** A user of a partner who has just signed in, or for null one of the operator. The user has no password. */
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
  return signedIn(world, { id });
}

/** One more session of a user. */
export function signInAgain(world: World, user_id: string): Promise<Person> {
  return signedIn(world, { id: user_id });
}
