import { listIdentity } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { actorName } from "../../../../platform/db/actor-name.ts";
import { columnsOf, membersOf, placeholders } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type outcomeOf, REGISTRATION_COLUMNS, type Registration } from "./model.ts";
import { type RegistrationListQuery, Registration as RegistrationReply } from "./schema.ts";

/** The registration of a deal `c` of the partner $1, with every column. */
export const REGISTRATION = `case when c.sale then (
    select row_to_json(x) from (select r.status, wire_time(r.protected_until) as protected_until, r.reason,
      wire_time(r.submitted_at) as submitted_at, r.decided_by, wire_time(r.decided_at) as decided_at, r.upline
      from registrations r where r.partner_id = $1 and r.deal_id = c.id) x) end`;

const saveStatement = statement(`
  insert into registrations (partner_id, deal_id, outcome, ${REGISTRATION_COLUMNS.join(", ")})
  values ($1, $2, $3, ${placeholders(REGISTRATION_COLUMNS, 4)})
  on conflict (partner_id, deal_id) do update
    set outcome = excluded.outcome, ${REGISTRATION_COLUMNS.map((column) => `${column} = excluded.${column}`).join(", ")}`);

/** Inserts or updates the registration of a deal that is locked. */
export async function saveRegistration(
  tx: Queryable,
  scope: TenantScope,
  deal_id: string,
  registration: Registration,
  outcome: ReturnType<typeof outcomeOf>,
): Promise<void> {
  const values = REGISTRATION_COLUMNS.map((column) => registration[column]);
  await tx.query(saveStatement, [scope.partner_id, deal_id, outcome, ...values]);
}

const termsStatement = statement(`
  select g.registration_review, coalesce(t.protection_days, g.protection_days) as protection_days,
    coalesce(t.open_registrations_max, g.open_registrations_max) as open_registrations_max
  from partners p join tiers t on t.grade = p.grade cross join programme g where p.id = $1`);

/** On which terms a partner registers sales: those of its tier, and where that has none, of the programme. */
type Terms = { registration_review: "auto" | "review"; protection_days: number; open_registrations_max: number };

export async function registrationTerms(tx: Queryable, { partner_id }: TenantScope): Promise<Terms> {
  const [terms] = await tx.query<Terms>(termsStatement, [partner_id]);
  if (terms === undefined) throw new Error("the partner has no tier");
  return terms;
}

/** Serialises the registrations of a partner, so that two at once cannot both be the last within the limit. */
const lockPartnerStatement = statement("select pg_advisory_xact_lock(7214004, hashtext($1))");

const openStatement = statement(`
  select count(*)::int as count from (
    select 1 from registrations r
    where r.partner_id = $1 and r.outcome is null and r.status in ('submitted', 'approved', 'needs_info') and r.protected_until > $2
      and r.deal_id <> $3
    limit $4) r`);

/** How many open registrations a partner has besides that of one deal, counted up to a limit. Locked until the transaction ends. */
export async function openRegistrations(
  tx: Tx,
  { partner_id }: TenantScope,
  but_deal_id: string,
  limit: number,
): Promise<number> {
  const [, [row]] = await Promise.all([
    tx.query(lockPartnerStatement, [partner_id]),
    tx.query<{ count: number }>(openStatement, [partner_id, tx.now, but_deal_id, limit]),
  ]);
  return row?.count ?? 0;
}

/** What the operator sees of a deal `d` in a stage `s` with its registration. */
const OF_DEAL = ["company", "company_domain", "plan", "mrr_cents", "currency", "client_id", "version"];
const SHOWN = `r.partner_id, r.deal_id, r.deal_id as id, ${columnsOf("r", REGISTRATION_COLUMNS)}, ${columnsOf("d", OF_DEAL)},
    d.status as deal_status, s.name as stage`;
const REGISTRATION_JSON = `(select row_to_json(x)::text from (select
    ${membersOf(RegistrationReply, {
      partner_company: "(select p.company from partners p where p.id = c.partner_id)",
      protected_until: "wire_time(c.protected_until)",
      decided_by_name: actorName("c.decided_by", null),
    })}) x)`;

const registrationById = statement(`
  select c.version, ${REGISTRATION_JSON} as json from (
    select ${SHOWN}
    from registrations r
      join deals d on d.partner_id = $1 and d.id = r.deal_id
      join stages s on s.partner_id = $1 and s.id = d.stage_id
    where r.partner_id = $1 and r.deal_id = $2 and d.deleted_at is null) c`);

export type ShownRegistration = { version: number; json: string };

/** The registration of a partner's deal, as the API shows it. */
export async function registrationOrNull(db: Queryable, partner_id: string, deal_id: string): Promise<ShownRegistration | null> {
  return (await db.query<ShownRegistration>(registrationById, [partner_id, deal_id]))[0] ?? null;
}

/** All partners: the operator names a deal without its partner; a few times a day. */
const partnerStatement = statement("select r.partner_id from registrations r where r.deal_id = $1");

/** The partner whose deal has a registration. */
export async function partnerOfRegistration(db: Queryable, deal_id: string): Promise<string | null> {
  return (await db.query<{ partner_id: string }>(partnerStatement, [deal_id]))[0]?.partner_id ?? null;
}

/** All partners: the operator's list; once per page that a person opens. */
const ALL_REGISTRATIONS = `(select ${SHOWN}
    from registrations r
      join deals d on d.partner_id = r.partner_id and d.id = r.deal_id
      join stages s on s.partner_id = d.partner_id and s.id = d.stage_id
    where d.deleted_at is null)`;

/** A page of the registrations of all partners, in the order of their deals. */
export function registrationsPage(db: Queryable, query: RegistrationListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, sort = "-created_at", ...filter } = query;
  const { status, partner_id } = filter;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("registrations", { sort, ...filter }),
      table: ALL_REGISTRATIONS,
      json: REGISTRATION_JSON,
      sort: byCreation(sort === "-created_at"),
      conditions: (place) => [
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
        ...(partner_id === undefined ? [] : [`c.partner_id = ${place(partner_id)}`]),
      ],
    },
    query,
  );
}

/** All partners: the expiry job; every ten minutes. */
const expiredStatement = pollStatement(`
  select r.partner_id, r.deal_id from registrations r
  where r.outcome is null and r.status in ('submitted', 'approved', 'needs_info') and r.protected_until <= $1
  order by r.protected_until limit $2`);

/** Open registrations whose protection has ended. */
export function expiredRegistrations(db: Queryable, now: Date, limit: number) {
  return db.query<{ partner_id: string; deal_id: string }>(expiredStatement, [now, limit]);
}

const uplineStatement = statement(`
  select array_remove(array[p.parent_id, q.parent_id, s.parent_id], null) as upline
  from partners p left join partners q on q.id = p.parent_id left join partners s on s.id = q.parent_id
  where p.id = $1`);

/** The partners above a partner, nearest first. */
export async function uplineOf(tx: Queryable, { partner_id }: TenantScope): Promise<string[]> {
  const [row] = await tx.query<{ upline: string[] }>(uplineStatement, [partner_id]);
  return row?.upline ?? [];
}
