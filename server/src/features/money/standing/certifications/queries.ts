import { listIdentity } from "../../../../kernel/page.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson } from "../../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { CertificationGrant, type CertificationGrantListQuery } from "./schema.ts";

const GRANT_JSON = rowJson(CertificationGrant, {
  certification: "(select n.name from certifications n where n.id = c.certification_id)",
});

export type Grant = {
  id: string;
  certification_id: string;
  expires_at: string | null;
  ended_at: string | null;
  json: string;
};

const insertStatement = statement(`
  with c as (
    insert into certification_grants ${insertValues(["partner_id", "id", "certification_id", "granted_by", "granted_at", "expires_at"])}
    on conflict (partner_id, certification_id) where ended_at is null do nothing
    returning *
  )
  select ${GRANT_JSON} as json from c`);

/** Grants a certification; null for one that the partner holds. */
export async function insertGrant(
  ctx: Context,
  tx: Tx,
  partner_id: string,
  certification_id: string,
  expires_at: Date | null,
): Promise<Grant | null> {
  const values = [partner_id, tx.newId("certification_grant"), certification_id, actorOf(ctx.principal).id, tx.now, expires_at];
  return parsedRow<Grant>(await tx.query(insertStatement, values));
}

const heldStatement = statement(`
  select ${GRANT_JSON} as json from certification_grants c
  where c.partner_id = $1 and c.certification_id = $2 and c.ended_at is null for update of c`);

/** The grant by which a partner holds a certification, locked. */
export async function heldGrantOrNull(tx: Tx, partner_id: string, certification_id: string): Promise<Grant | null> {
  return parsedRow<Grant>(await tx.query(heldStatement, [partner_id, certification_id]));
}

const lockStatement = statement(`
  select ${GRANT_JSON} as json from certification_grants c where c.partner_id = $1 and c.id = $2 for update of c`);

export async function grantForUpdateOrNull(tx: Tx, partner_id: string, id: string): Promise<Grant | null> {
  return parsedRow<Grant>(await tx.query(lockStatement, [partner_id, id]));
}

const endStatement = statement(`
  update certification_grants set ended_at = $3, end_reason = $4 where partner_id = $1 and id = $2`);

export async function saveEnd(tx: Tx, partner_id: string, id: string, reason: "expired" | "revoked"): Promise<void> {
  await tx.query(endStatement, [partner_id, id, tx.now, reason]);
}

/** Newest first. */
export function grantsPage(db: Queryable, partner_id: string, query: CertificationGrantListQuery): Promise<{ json: string }> {
  const { held } = query;
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("certification-grants", { partner_id, held }),
      table: "certification_grants",
      json: GRANT_JSON,
      sort: byCreation(true),
      conditions: () => (held === undefined ? [] : [`(c.ended_at is null) = ${held}`]),
    },
    query,
  );
}

/** All partners: the expiry job; every ten minutes. */
const overdueStatement = pollStatement(`
  select g.partner_id, g.id from certification_grants g
  where g.ended_at is null and g.expires_at <= $1
  order by g.expires_at limit $2`);

/** Grants whose time is over. */
export function overdueGrants(db: Queryable, now: Date, limit: number) {
  return db.query<{ partner_id: string; id: string }>(overdueStatement, [now, limit]);
}
