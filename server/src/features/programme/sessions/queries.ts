import type { PersonPrincipal } from "../../../kernel/principal.ts";
import { insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { PERSON, type PersonRow, WITH_PARTNER } from "./lookup.queries.ts";
import { idleSince } from "./model.ts";
import { SessionItem } from "./schema.ts";

const signingIn = (match: string) =>
  statement(`
  select ${PERSON}, u.password_hash, u.email
  from users u ${WITH_PARTNER}
  where ${match} and u.state = 'active'`);
const signingInByEmail = signingIn("lower(u.email) = lower($1)");
const signingInById = signingIn("u.id = $1");

/** A user who may sign in, with what is needed to check that it is the user. */
export type SigningIn = PersonRow & { password_hash: string | null; email: string };

export async function userOfEmailOrNull(db: Queryable, email: string): Promise<SigningIn | null> {
  return (await db.query<SigningIn>(signingInByEmail, [email]))[0] ?? null;
}

export async function userSigningInOrNull(db: Queryable, id: string): Promise<SigningIn | null> {
  return (await db.query<SigningIn>(signingInById, [id]))[0] ?? null;
}

const linkedStatement = statement(`
  select ${PERSON}, u.password_hash, u.email, u.name, u.state
  from user_links l join users u on u.id = l.user_id ${WITH_PARTNER}
  where l.hash = $1 and l.purpose = $2 and l.expires_at > $3`);

export type LinkedUser = SigningIn & { name: string; state: "invited" | "active" };

/** The user of a link that is valid. It is not used up. */
export async function userOfLinkOrNull(db: Queryable, hash: Buffer, purpose: string, now: Date): Promise<LinkedUser | null> {
  return (await db.query<LinkedUser>(linkedStatement, [hash, purpose, now]))[0] ?? null;
}

const holdStatement = statement("select password_hash from users where id = $1 and state = 'active' for share");

/** The hash of an active user's password, which neither changes nor goes before this transaction has ended. */
export async function passwordHashForShareOrNull(tx: Tx, user_id: string): Promise<string | null> {
  return (await tx.query<{ password_hash: string }>(holdStatement, [user_id]))[0]?.password_hash ?? null;
}

const INSERTED = [
  "id",
  "hash",
  "user_id",
  "agent",
  "ip",
  "created_at",
  "authenticated_at",
  "last_seen_at",
  "expires_at",
] as const;
const insertStatement = statement(`insert into sessions ${insertValues(INSERTED)}`);

export type NewSession = { id: string; hash: Buffer; user_id: string; agent: string; ip: string; expires_at: Date };

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const row = { ...session, created_at: tx.now, authenticated_at: tx.now, last_seen_at: tx.now };
  await tx.query(insertStatement, valuesOf(row, INSERTED));
}

const SESSION_JSON = rowJson(SessionItem, { current: "c.id = $2", ip: "host(c.ip)" });
const listStatement = statement(`
  select ${SESSION_JSON} as json from sessions c
  where c.user_id = $1 and c.expires_at > $3 and c.last_seen_at > $4
  order by c.created_at desc, c.id desc
  limit 100`);

export async function sessionsOf(db: Queryable, person: PersonPrincipal, now: Date): Promise<string[]> {
  const rows = await db.query<{ json: string }>(listStatement, [person.user_id, person.session_id, now, idleSince(now)]);
  return rows.map(({ json }) => json);
}

const endStatement = statement("delete from sessions where user_id = $1 and id = $2 returning id");
const endOthersStatement = statement("delete from sessions where user_id = $1 and id <> $2 returning id");

export async function endSession(tx: Tx, user_id: string, id: string): Promise<boolean> {
  return (await tx.query(endStatement, [user_id, id])).length > 0;
}

/** Ends all sessions of a user but one, or all of them for null. Returns their number. */
export async function endOtherSessions(tx: Tx, user_id: string, kept: string | null): Promise<number> {
  return (await tx.query(endOthersStatement, [user_id, kept ?? ""])).length;
}

const confirmStatement = statement("update sessions set authenticated_at = $2 where id = $1");

export async function saveConfirmation(tx: Tx, session_id: string): Promise<void> {
  await tx.query(confirmStatement, [session_id, tx.now]);
}

const visitsStatement = statement(`
  update sessions c set last_seen_at = u.at
  from unnest($1::text[], $2::timestamptz[]) as u (id, at)
  where c.id = u.id and c.last_seen_at < u.at
  returning c.user_id, u.at`);

/** Saves when sessions were last used, and returns whose they are. Never backwards, because processes flush in no order. */
export async function saveVisits(db: Queryable, visits: ReadonlyMap<string, Date>): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.query<{ user_id: string; at: Date }>(visitsStatement, [[...visits.keys()], [...visits.values()]]);
  return new Map(rows.map(({ user_id, at }) => [user_id, at]));
}

const sweepSessions = statement("delete from sessions where expires_at <= $1 or last_seen_at <= $2 returning id");

/** Deletes the sessions that have ended by themselves. */
export async function dropEndedSessions(db: Queryable, now: Date): Promise<number> {
  return (await db.query(sweepSessions, [now, idleSince(now)])).length;
}

const viewStatement = statement(`
  select u.name, u.email, u.role, u.partner_id, u.clients, wire_time(s.authenticated_at) as authenticated_at, wire_time(s.expires_at) as expires_at,
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as totp,
    case when p.id is not null then json_build_object('id', p.id, 'company', p.company, 'grade', p.grade, 'currency', p.currency,
      'status', p.status, 'api_access', p.api_access, 'branding', p.branding) end as partner
  from sessions s join users u on u.id = s.user_id left join partners p on p.id = u.partner_id
  where s.id = $1`);

export type SessionRow = Record<"name" | "email" | "role" | "authenticated_at" | "expires_at", string> & {
  partner_id: string | null;
  clients: string[] | null;
  totp: boolean;
  partner: object | null;
};

export async function sessionOrNull(db: Queryable, id: string): Promise<SessionRow | null> {
  return (await db.query<SessionRow>(viewStatement, [id]))[0] ?? null;
}

/** A client's branding overrides the partner's, member by member, as the API shows it. */
const accountsStatement = statement(`
  select c.id, c.house, c.company, c.status, case when c.branding is null then p.branding else p.branding || c.branding end as branding
  from clients c join partners p on p.id = c.partner_id
  where c.partner_id = $1 and case when $2::text[] is null then c.house else c.id = any ($2) end
  order by c.company, c.id`);

export type Account = { id: string; house: boolean; company: string; status: string; branding: object };

/** The accounts of a list, or the house account for access to all of them. */
export function accountsOf(db: Queryable, partner_id: string, clients: readonly string[] | null): Promise<Account[]> {
  return db.query<Account>(accountsStatement, [partner_id, clients]);
}
