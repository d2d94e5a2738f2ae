import type { Clock } from "../../../kernel/clock.ts";
import type { PartnerRole, PersonPrincipal, UserPrincipal } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { FindCallers } from "../../../platform/http/authenticator.ts";
import { SCOPES_OF_ROLE } from "../users/index.ts";
import { idleSince } from "./model.ts";

/** What makes a principal of a user `u`, its partner `p` and the tier `t` of that. */
export const PERSON = `u.id as user_id, u.version, u.role, u.partner_id, u.clients, p.company, p.grade, p.currency,
    cardinality(p.default_snapshots) > 0 as default_snapshots, p.status = 'active' as partner_active, p.api_access,
    coalesce(t.rate_limit_per_minute, p.rate_limit_per_minute) as per_minute, coalesce(t.rate_limit_burst, p.rate_limit_burst) as burst`;

/** A user `u` with partner and tier; the operator's have neither. */
export const WITH_PARTNER = "left join partners p on p.id = u.partner_id left join tiers t on t.grade = p.grade";

type Common = { user_id: string; version: number };
type OperatorRow = Common & { role: "operator"; partner_id: null };
type UserRow = Common &
  Pick<UserPrincipal, "partner_id" | "partner_active" | "api_access" | "company" | "grade" | "currency" | "default_snapshots"> & {
    role: PartnerRole;
    clients: string[] | null;
    per_minute: number;
    burst: number;
  };
export type PersonRow = OperatorRow | UserRow;

export type SignInDetails = { session_id: string; authenticated_at: Date; hash: Buffer; ip: string };

export function personOf(row: PersonRow, { session_id, authenticated_at, hash, ip }: SignInDetails): PersonPrincipal {
  const { user_id, version } = row;
  const signIn = { user_id, session_id, authenticated_at, credential: { hash, ip, version } };
  if (row.role === "operator") return { type: "operator", ...signIn };
  const { role, partner_id, partner_active, api_access, company, grade, currency, default_snapshots, clients } = row;
  return {
    type: "user",
    ...signIn,
    ...{ role, partner_id, partner_active, api_access, company, grade, currency, default_snapshots },
    scopes: SCOPES_OF_ROLE[role],
    clients: clients ?? "all",
    limit: { per_minute: row.per_minute, burst: row.burst },
  };
}

/** The user and the partner are read with the session, so a changed role or a suspension counts with the next request. */
const activeSessions = statement(`
  select w.ordinal::int as ordinal, s.id as session_id, s.authenticated_at, ${PERSON}
  from unnest($1::bytea[]) with ordinality as w (hash, ordinal)
    cross join lateral (select * from sessions where hash = w.hash) s
    join users u on u.id = s.user_id ${WITH_PARTNER}
  where s.expires_at > $2 and s.last_seen_at > $3 and u.state = 'active'`);

type SessionRow = PersonRow & { ordinal: number; session_id: string; authenticated_at: Date };

/** Called for every session that was admitted. */
export type NoteVisit = (session_id: string, at: Date) => void;

/** The active sessions of some requests: undefined for unknown and ended ones. */
export function findSessions(db: Queryable, clock: Clock, noteVisit: NoteVisit): FindCallers<PersonPrincipal> {
  return async (sent) => {
    const now = clock.now();
    const found: (PersonPrincipal | undefined)[] = sent.map(() => undefined);
    const rows = await db.query<SessionRow>(activeSessions, [sent.map(({ hash }) => hash), now, idleSince(now)]);
    for (const row of rows) {
      const secret = sent[row.ordinal - 1];
      if (secret === undefined) continue;
      found[row.ordinal - 1] = personOf(row, { ...row, ...secret });
      noteVisit(row.session_id, now);
    }
    return found;
  };
}
