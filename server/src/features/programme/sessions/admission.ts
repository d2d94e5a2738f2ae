import { fail } from "../../../kernel/errors.ts";
import { type PartnerRole, type PersonPrincipal, tenantScope, within } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Work } from "../../../platform/record/context.ts";
import type { Admission } from "../../../platform/record/idempotency.ts";
import { holdWriter } from "../keys/index.ts";
import { SCOPES_OF_ROLE } from "../users/index.ts";
import { idleSince } from "./model.ts";

/** A statement of its own after the lock, so that its snapshot includes what was waited for. */
const activeSession = statement(`
  select coalesce(p.status, 'active') as status, u.version, u.narrowed_version, u.role, u.clients
  from sessions s join users u on u.id = s.user_id left join partners p on p.id = u.partner_id
  where s.id = $1 and s.hash = $2 and s.expires_at > $3 and s.last_seen_at > $4 and u.state = 'active'`);

type Found = {
  status: string;
  version: number;
  narrowed_version: number;
  role: PartnerRole | "operator";
  clients: string[] | null;
};

/** Admits a person to write in this transaction, unless signed out, removed or given a lesser role since the request was admitted. */
export async function admitPerson(tx: Queryable, person: PersonPrincipal, now: Date, claim: string | null): Promise<Admission> {
  const { hash, version } = person.credential;
  const [free, [found]] = await Promise.all([
    holdWriter(tx, tenantScope(person).partner_id, person.user_id, claim),
    tx.query<Found>(activeSession, [person.session_id, hash, now, idleSince(now)]),
  ]);
  if (found === undefined) fail("session_expired");
  if (found.status !== "active") fail("partner_suspended");
  const admission = { free, narrowed_version: found.narrowed_version };
  if (found.version === version || person.type === "operator") return admission;
  if (found.role === person.role && within(person.clients, found.clients ?? "all")) return admission;
  fail("service_unavailable", {
    detail: "The role of the user was changed during the request. Nothing was written: send the request again.",
    headers: { "retry-after": "1" },
  });
}

const workingUser = statement(`
  select p.status, u.role, u.clients from users u join partners p on p.id = u.partner_id
  where u.id = $1 and u.partner_id = $2 and u.state = 'active'`);

/** Admits background work that a user requested, unless the user was removed or lost the permission. Signing out changes nothing. */
export async function admitUserWork(tx: Queryable, { partner_id, by, scope, accounts }: Work): Promise<void> {
  type Working = { status: string; role: PartnerRole; clients: string[] | null };
  const [, [user]] = await Promise.all([holdWriter(tx, partner_id, by), tx.query<Working>(workingUser, [by, partner_id])]);
  if (user === undefined) fail("invalid_credentials", { detail: "The user who requested the work was removed." });
  if (user.status !== "active") fail("partner_suspended");
  if (!SCOPES_OF_ROLE[user.role].has(scope))
    fail("insufficient_scope", {
      detail: `The role of the user who requested the work no longer has the scope ${scope}.`,
      meta: { required_scope: scope },
    });
  if (!within(accounts, user.clients ?? "all"))
    fail("not_found", { detail: "The user who requested the work no longer has access to the account." });
}
