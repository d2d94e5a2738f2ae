import { LIMIT_MAX } from "../../../../kernel/page.ts";
import { anyOf } from "../../../../platform/db/keyset.ts";
import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Registration } from "./model.ts";

/** A registration `r` as the APIs show it, with what is sold from its deal `d` in the stage `s`. */
const REGISTRATION_JSON = `(select row_to_json(x)::text from (select
    r.deal_id, r.partner_id, r.status, wire_time(r.protected_until) as protected_until, r.reason,
    wire_time(r.submitted_at) as submitted_at, r.decided_by, wire_time(r.decided_at) as decided_at,
    d.company, d.company_domain, d.plan, d.mrr_cents, d.currency, d.client_id, d.status as deal_status, s.name as stage, d.version) x)`;

const REGISTRATION = `r.partner_id, r.deal_id, r.status, r.outcome, r.protected_until, r.reason, r.submitted_at, r.decided_by, r.decided_at,
    d.account_id, d.company, d.company_domain, d.contact, d.plan, d.mrr_cents, d.currency, d.client_id, d.pipeline_id, d.stage_id,
    s.name as stage, s.type as stage_type, d.stage_entered_at, d.version, d.deleted_at is not null as deleted, ${REGISTRATION_JSON} as json`;

const WITH_DEAL = `join deals d on d.partner_id = r.partner_id and d.id = r.deal_id
    join stages s on s.partner_id = d.partner_id and s.id = d.stage_id`;

const registrationById = statement(`
  select ${REGISTRATION} from registrations r ${WITH_DEAL}
  where r.deal_id = $1 and ($2::text is null or r.partner_id = $2)`);

/** A registration of a partner, or of whichever for null. */
export async function registrationOrNull(
  db: Queryable,
  partner_id: string | null,
  deal_id: string,
): Promise<Registration | null> {
  return (await db.query<Registration>(registrationById, [deal_id, partner_id]))[0] ?? null;
}

const lockStatement = statement(`
  select 1 from registrations r join deals d on d.partner_id = r.partner_id and d.id = r.deal_id
  where r.deal_id = $1 and ($2::text is null or r.partner_id = $2)
  for no key update of d`);

/**
 * The same, locked with its deal until the transaction ends: whatever else changes the deal waits. Read only once it is locked,
 * or what was waited for would not be seen in all of it.
 */
export async function lockRegistration(tx: Queryable, partner_id: string | null, deal_id: string): Promise<Registration | null> {
  const [, registration] = await Promise.all([
    tx.query(lockStatement, [deal_id, partner_id]),
    registrationOrNull(tx, partner_id, deal_id),
  ]);
  return registration;
}

export type RegistrationState = Pick<
  Registration,
  "partner_id" | "deal_id" | "status" | "outcome" | "protected_until" | "reason" | "submitted_at" | "decided_by" | "decided_at"
>;

const saveStatement = statement(`
  insert into registrations as r (partner_id, deal_id, status, outcome, protected_until, reason, submitted_at, decided_by, decided_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (partner_id, deal_id) do update set status = excluded.status, outcome = excluded.outcome,
    protected_until = excluded.protected_until, reason = excluded.reason, submitted_at = excluded.submitted_at,
    decided_by = excluded.decided_by, decided_at = excluded.decided_at`);

/** Adds a registration, or saves one whose deal was locked before. */
export async function saveRegistration(tx: Queryable, state: RegistrationState): Promise<void> {
  const { partner_id, deal_id, status, outcome, protected_until, reason, submitted_at, decided_by, decided_at } = state;
  await tx.query(saveStatement, [
    partner_id,
    deal_id,
    status,
    outcome,
    protected_until,
    reason,
    submitted_at,
    decided_by,
    decided_at,
  ]);
}

const touchStatement = statement("select touch_deal($1, $2, $3)");

/** Makes a new version of a deal that was locked before, because its registration shows in it. */
export async function touchDeal(tx: Tx, partner_id: string, deal_id: string): Promise<void> {
  await tx.query(touchStatement, [partner_id, deal_id, tx.now]);
}

/** One registration of a partner at a time, so that two cannot both be the last that it may have. */
const lockPartnerStatement = statement("select pg_advisory_xact_lock(7214004, hashtext($1))");

const openStatement = statement(`
  select count(*)::int as count from (
    select 1 from registrations r
    where r.partner_id = $1 and r.outcome is null and r.status in ('submitted', 'approved', 'needs_info') and r.protected_until > $2
      and r.deal_id <> $3
    limit $4) r`);

/** How many registrations a partner has under way besides one, counted up to a limit, until the transaction ends. */
export async function openRegistrations(tx: Tx, partner_id: string, but_deal_id: string, limit: number): Promise<number> {
  const [, [row]] = await Promise.all([
    tx.query(lockPartnerStatement, [partner_id]),
    tx.query<{ count: number }>(openStatement, [partner_id, tx.now, but_deal_id, limit]),
  ]);
  return row?.count ?? 0;
}

export type RegistrationFilter = {
  status?: readonly string[] | undefined;
  partner_id?: string | undefined;
  descending: boolean;
  after: string | null;
  limit: number;
};

/** A page of every partner's registrations in the order of their deals, and one more: for the operator alone. */
export function registrationsPage(db: Queryable, filter: RegistrationFilter) {
  const { status, partner_id, descending, after, limit } = filter;
  const values: unknown[] = [limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["d.deleted_at is null"];
  if (status !== undefined) conditions.push(anyOf("r.status", status, place));
  if (partner_id !== undefined) conditions.push(`r.partner_id = ${place(partner_id)}`);
  if (after !== null) conditions.push(`r.deal_id ${descending ? "<" : ">"} ${place(after)}`);
  return db.query<{ deal_id: string; json: string }>(
    composedStatement(`
  select r.deal_id, ${REGISTRATION_JSON} as json from registrations r ${WITH_DEAL}
  where ${conditions.join(" and ")}
  order by r.deal_id ${descending ? "desc" : "asc"}
  limit least($1, ${LIMIT_MAX + 1})`),
    values,
  );
}

const endedStatement = statement(`
  select r.partner_id, r.deal_id from registrations r
  where r.outcome is null and r.status in ('submitted', 'approved', 'needs_info') and r.protected_until <= $1
  order by r.protected_until limit $2`);

/** Registrations under way whose protection is over. */
export function expiredRegistrations(db: Queryable, now: Date, limit: number) {
  return db.query<{ partner_id: string; deal_id: string }>(endedStatement, [now, limit]);
}
