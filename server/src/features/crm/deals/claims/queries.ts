import type { TenantScope } from "../../../../kernel/principal.ts";
import { likePattern } from "../../../../platform/db/keyset.ts";
import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Claim } from "./model.ts";

/** Who has a company: a sale for as long as it is protected, or the client that the company has become. */
export type Holder = { deal_id: string; client_id: string | null; until: Date | null };

/** Whether nobody has a claim `c` at a time any more. A client that left has none; one that was won back has its own again. */
const freeAt = (now: string) => `(coalesce(c.until <= ${now}, false) or exists (
    select 1 from clients k where k.partner_id = c.partner_id and k.id = c.client_id and k.status = 'churned'))`;

/**
 * Rows are inserted or locked one after the other in one order over all partners, so that two that want the same company
 * wait for each other in turn and never in a circle. Claims given up go the same way, as claims that end now.
 */
const takeStatement = statement(`
  insert into registration_claims as c (kind, value, partner_id, deal_id, client_id, until)
  select w.kind, w.value, $1, $2, case when w.wanted then $6::text end, case when w.wanted then $7::timestamptz else $8 end
  from unnest($3::text[], $4::text[], $5::boolean[]) as w (kind, value, wanted)
  order by w.kind collate "C", w.value collate "C"
  on conflict (kind, value) do update
    set partner_id = excluded.partner_id, deal_id = excluded.deal_id, client_id = excluded.client_id, until = excluded.until
    where (c.partner_id = excluded.partner_id and c.deal_id = excluded.deal_id) or ${freeAt("$8")}
  returning c.kind, c.value`);

/** Takes claims for a holder and gives others of the same sale up. Returns those that could be had. */
export function takeClaims(
  tx: Tx,
  scope: TenantScope,
  { deal_id, client_id, until }: Holder,
  wanted: readonly Claim[],
  given_up: readonly Claim[] = [],
): Promise<Claim[]> {
  const all = [...wanted, ...given_up];
  const lists = [all.map(({ kind }) => kind), all.map(({ value }) => value), all.map((_, index) => index < wanted.length)];
  return tx.query<Claim>(takeStatement, [scope.partner_id, deal_id, ...lists, client_id, until, tx.now]);
}

const releaseStatement = statement(`
  with held as (
    select c.kind, c.value from registration_claims c
    where c.partner_id = $1 and c.deal_id = $2 and c.client_id is null
    order by c.kind collate "C", c.value
    for update
  )
  update registration_claims c set until = $3 from held where c.kind = held.kind and c.value = held.value`);

/** Gives up what a sale has, in the same order. What its client has stays the client's. */
export async function releaseClaims(tx: Tx, scope: TenantScope, deal_id: string): Promise<void> {
  await tx.query(releaseStatement, [scope.partner_id, deal_id, tx.now]);
}

export type Taken = { partner_id: string; deal_id: string; client_id: string | null; until: Date | null };

const takenStatement = statement(`
  select c.partner_id, c.deal_id, c.client_id, c.until
  from registration_claims c
  where (c.kind, c.value) in (select * from unnest($1::text[], $2::text[])) and not ${freeAt("$3")}
    and c.deal_id is distinct from $4
  order by c.deal_id`);

/** Who has any of some claims now, but for one sale. */
export function takenClaims(db: Queryable, claims: readonly Claim[], now: Date, own_deal_id: string | null): Promise<Taken[]> {
  const values = [claims.map(({ kind }) => kind), claims.map(({ value }) => value), now, own_deal_id];
  return db.query<Taken>(takenStatement, values);
}

const ofClientStatement = statement(`
  select c.kind, c.value from registration_claims c where c.partner_id = $1 and c.client_id = $2`);

export function claimsOfClient(db: Queryable, scope: TenantScope, client_id: string): Promise<Claim[]> {
  return db.query<Claim>(ofClientStatement, [scope.partner_id, client_id]);
}

export type Candidate = { id: string; company: string; contact: { email?: string; phone?: string } | null };

/** Clients of the partner that have all texts of any of some lists in name or contact, as the index for searches finds them. */
export function clientsWith(
  db: Queryable,
  scope: TenantScope,
  lists: readonly (readonly string[])[],
  limit: number,
): Promise<Candidate[]> {
  const values: unknown[] = [scope.partner_id, limit];
  const has = (text: string) => `client_search_text(c.company, c.external_id, c.contact) like $${values.push(likePattern(text))}`;
  const found = lists.map((texts) => `(${texts.map(has).join(" and ")})`).join(" or ");
  return db.query<Candidate>(
    composedStatement(`
  select c.id, c.company, c.contact from clients c
  where c.partner_id = $1 and not c.house and c.status <> 'churned' and (${found})
  order by c.id limit $2`),
    values,
  );
}

const sweepStatement = statement(`
  delete from registration_claims c using (
    select kind, value from registration_claims where until <= $1 limit $2 for update skip locked
  ) over
  where c.kind = over.kind and c.value = over.value`);

/** Forgets claims that nobody has any more. */
export async function deleteExpiredClaims(db: Queryable, now: Date, limit: number): Promise<void> {
  await db.query(sweepStatement, [now, limit]);
}
