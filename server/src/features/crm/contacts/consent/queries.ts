import type { TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf } from "../../../../platform/db/columns.ts";
import { recordset } from "../../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { familyOf } from "../merge/queries.ts";
import { CHANNELS, type Channel, type Consent } from "../model.ts";

const CONSENT_TYPES = { id: "text", contact_id: "text", channel: "text", status: "text", source: "text", at: "timestamptz" };
const COLUMNS = Object.keys(CONSENT_TYPES);

const insertStatement = statement(`
  insert into contact_consents (partner_id, recorded_at, ${COLUMNS.join(", ")})
  select $1, $2, ${columnsOf("v", COLUMNS)} from ${recordset("$3", CONSENT_TYPES)}`);

export type RecordedConsent = Consent & { contact_id: string; channel: Channel };

/** Adds consents to the history of their contacts. */
export async function insertConsents(tx: Tx, scope: TenantScope, consents: readonly RecordedConsent[]): Promise<void> {
  const rows = consents.map((consent) => ({ id: tx.newId("consent"), ...consent }));
  await tx.query(insertStatement, [scope.partner_id, tx.now, JSON.stringify(rows)]);
}

const CURRENT = CHANNELS.map(
  (channel) => `'${channel}', coalesce(c.consent -> '${channel}', '{"status": "unknown", "source": null, "at": null}')`,
).join(", ");

const consentsStatement = statement(`
  select json_build_object(${CURRENT}, 'history', coalesce((
    select json_agg(h) from (
      select h.id, h.channel, h.status, h.source, wire_time(h.at) as at, wire_time(h.recorded_at) as recorded_at
      from contact_consents h where h.partner_id = $1 and h.contact_id = any ($3)
      order by h.id desc limit 100) h), '[]'))::text as json
  from contacts c where c.partner_id = $1 and c.id = $2`);

/** The consents of a contact, with the history of the contacts that were merged into it. */
export async function consentsJson(db: Queryable, scope: TenantScope, contact_id: string): Promise<string> {
  const family = await familyOf(db, scope, contact_id);
  const [row] = await db.query<{ json: string }>(consentsStatement, [scope.partner_id, contact_id, family]);
  if (row === undefined) throw new Error(`no contact ${contact_id}`);
  return row.json;
}
