import type { TenantScope } from "../../../../kernel/principal.ts";
import { likePattern } from "../../../../platform/db/keyset.ts";
import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type Claim, inLockOrder } from "./model.ts";

/**
 * The holder of a claim: a deal for as long as its company is protected, or the client that the company has become, without an end.
 * A claim is free once `until` has passed, whoever its row names.
 */
export type Holder = { deal_id: string; client_id: string | null; until: Date | null };

const claimStatement = statement(`
  insert into registration_claims as c (kind, value, partner_id, deal_id, client_id, until)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (kind, value) do update
    set partner_id = excluded.partner_id, deal_id = excluded.deal_id, client_id = excluded.client_id, until = excluded.until
    where (c.partner_id = excluded.partner_id and c.deal_id = excluded.deal_id) or c.until <= $7
  returning c.kind, c.value`);

/**
 * Claims some values for a holder, and releases others of the same deal. Returns those that are the holder's now.
 * Each row is inserted or locked by a statement of its own, in one order for all partners: that prevents deadlocks.
 */
export async function takeClaims(
  tx: Tx,
  scope: TenantScope,
  { deal_id, client_id, until }: Holder,
  wanted: readonly Claim[],
  released: readonly Claim[] = [],
): Promise<Claim[]> {
  const claims = [
    ...wanted.map((claim) => ({ ...claim, client_id, until })),
    ...released.map((claim) => ({ ...claim, client_id: null, until: tx.now })),
  ];
  const rows = await Promise.all(
    inLockOrder(claims).map((claim) =>
      tx.query<Claim>(claimStatement, [claim.kind, claim.value, scope.partner_id, deal_id, claim.client_id, claim.until, tx.now]),
    ),
  );
  return rows.flat();
}

const claimsOfDeal = statement(`
  select c.kind, c.value from registration_claims c where c.partner_id = $1 and c.deal_id = $2 and c.client_id is null`);
const releaseStatement = statement(`
  update registration_claims c set until = $5
  where c.kind = $1 and c.value = $2 and c.partner_id = $3 and c.deal_id = $4 and c.client_id is null`);

/** Releases the claims of a locked deal, in the same order. Those of its client stay. */
export async function releaseClaims(tx: Tx, { partner_id }: TenantScope, deal_id: string): Promise<void> {
  const claims = await tx.query<Claim>(claimsOfDeal, [partner_id, deal_id]);
  await Promise.all(
    inLockOrder(claims).map(({ kind, value }) => tx.query(releaseStatement, [kind, value, partner_id, deal_id, tx.now])),
  );
}

const deleteClaimStatement = statement(`
  delete from registration_claims c where c.kind = $1 and c.value = $2 and c.partner_id = $3 and c.deal_id = $4`);

/** Deletes some claims of a locked deal, in the same order, also those that its client holds. */
export async function deleteClaims(
  tx: Tx,
  { partner_id }: TenantScope,
  deal_id: string,
  claims: readonly Claim[],
): Promise<void> {
  await Promise.all(
    inLockOrder(claims).map(({ kind, value }) => tx.query(deleteClaimStatement, [kind, value, partner_id, deal_id])),
  );
}

const claimsOfClientStatement = statement(`
  select c.kind, c.value from registration_claims c where c.partner_id = $1 and c.client_id = $2`);

/** The claims that name a client as their holder, also while it is churned. */
export function claimsOfClient(db: Queryable, { partner_id }: TenantScope, client_id: string): Promise<Claim[]> {
  return db.query<Claim>(claimsOfClientStatement, [partner_id, client_id]);
}

const setUntilStatement = statement(`
  update registration_claims c set until = $5
  where c.kind = $1 and c.value = $2 and c.partner_id = $3 and c.client_id = $4`);

/** Sets the end of the claims of a locked client, in the same order; null for none. A claim that another holder has taken stays theirs. */
export async function setClaimsUntil(tx: Tx, client: { partner_id: string; id: string }, until: Date | null): Promise<void> {
  const { partner_id, id } = client;
  const claims = await tx.query<Claim>(claimsOfClientStatement, [partner_id, id]);
  await Promise.all(
    inLockOrder(claims).map(({ kind, value }) => tx.query(setUntilStatement, [kind, value, partner_id, id, until])),
  );
}

export type Held = { partner_id: string; deal_id: string; client_id: string | null; until: Date | null };

const heldStatement = statement(`
  select c.partner_id, c.deal_id, c.client_id, c.until
  from registration_claims c
  where c.value = any ($2) and (c.kind, c.value) in (select * from unnest($1::text[], $2::text[]))
    and (c.until is null or c.until > $3) and c.deal_id is distinct from $4
  order by c.deal_id`);

/** The holders of some claims at a time, except for one deal. */
export function heldClaims(db: Queryable, claims: readonly Claim[], now: Date, own_deal_id: string | null): Promise<Held[]> {
  const values = [claims.map(({ kind }) => kind), claims.map(({ value }) => value), now, own_deal_id];
  return db.query<Held>(heldStatement, values);
}

export type Candidate = { id: string; company: string; contact: { email?: string; phone?: string } | null };

/** Clients of the partner whose name or contact contains all texts of any of some lists, found by the search index. */
export function clientsMatching(
  db: Queryable,
  scope: TenantScope,
  lists: readonly (readonly string[])[],
  limit: number,
): Promise<Candidate[]> {
  const values: unknown[] = [scope.partner_id, limit];
  const contains = (text: string) =>
    `client_search_text(c.company, c.external_id, c.contact) like $${values.push(likePattern(text))}`;
  const matches = lists.map((texts) => `(${texts.map(contains).join(" and ")})`).join(" or ");
  return db.query<Candidate>(
    composedStatement(`
  select c.id, c.company, c.contact from clients c
  where c.partner_id = $1 and search_keys(c.partner_id, c.partner_id, c.id) && array[hashtextextended($1, 0)]
    and not c.house and c.status <> 'churned' and (${matches})
  order by c.id limit $2`),
    values,
  );
}

/** Claims of churned clients are kept, because a client that is won back has them again unless they were taken. */
const expiredStatement = statement(`
  select c.kind, c.value from registration_claims c where c.until <= $1 and c.client_id is null limit $2`);
const deleteStatement = statement(`
  delete from registration_claims c where c.kind = $1 and c.value = $2 and c.until <= $3 and c.client_id is null`);

/** Deletes claims that have ended, each in a transaction of its own, so that it never holds a lock while it waits for another. */
export async function deleteExpiredClaims(db: Queryable, now: Date, limit: number): Promise<void> {
  for (const { kind, value } of await db.query<Claim>(expiredStatement, [now, limit])) {
    await db.query(deleteStatement, [kind, value, now]);
  }
}
