import { notFound } from "../../../kernel/errors.ts";
import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { objectJson, rowJson } from "../../../platform/db/columns.ts";
import { anyOf, byTime, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { commissionsOfCharge } from "../commissions/index.ts";
import type { ChargeListQuery } from "./list.schema.ts";
import { Charge, Refund } from "./schema.ts";

const clientCompany = (partner_id: string) =>
  `(select k.company from clients k where k.partner_id = ${partner_id} and k.id = c.client_id)`;

/** A charge `c` of the partner $1, as the API shows it. */
export const CHARGE_JSON = rowJson(Charge, { client_company: clientCompany("$1") });

/** A page of the charges of a partner, the latest first. */
export function chargesPage(db: Queryable, scope: TenantScope, query: ChargeListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("charges", { partner_id: scope.partner_id, ...filter }),
      table: "charges",
      json: CHARGE_JSON,
      sort: byTime("c.charged_at", true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

function conditionsOf({ client_id, outcome, charged_after, charged_before }: ChargeListQuery, place: Place): string[] {
  return [
    ...(client_id === undefined ? [] : [`c.client_id = ${place(client_id)}`]),
    ...(outcome === undefined ? [] : [anyOf("c.outcome", outcome, place)]),
    ...(charged_after === undefined ? [] : [`c.charged_at >= ${place(charged_after)}`]),
    ...(charged_before === undefined ? [] : [`c.charged_at < ${place(charged_before)}`]),
  ];
}

/** All partners: the operator's list; once per page that a person opens. */
export function allChargesPage(db: Queryable, query: ChargeListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("all-charges", filter),
      table: "charges",
      all_partners: true,
      columns: [`${clientCompany("c.partner_id")} as client_company`],
      json: rowJson(Charge),
      sort: byTime("c.charged_at", true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

/** All partners: the operator names a client without its partner; a few times a day. */
const partnerOfClientStatement = statement("select k.partner_id from clients k where k.id = $1");

/** The partner whose client has an id. */
export async function partnerOfClientOrNull(db: Queryable, id: string): Promise<string | null> {
  return (await db.query<{ partner_id: string }>(partnerOfClientStatement, [id]))[0]?.partner_id ?? null;
}

const chargeById = statement(`select ${CHARGE_JSON} as json from charges c where c.partner_id = $1 and c.id = $2`);

const refundsOfCharge = statement(`
  select ${objectJson(Refund, "r")}::text as json
  from refunds r where r.partner_id = $1 and r.charge_id = $2 order by r.id`);

/** A charge with its refunds and what the seller earned by it. */
export async function chargeDetailOrNull(db: Queryable, partner_id: string, id: string): Promise<{ json: string } | null> {
  const [row] = await db.query<{ json: string }>(chargeById, [partner_id, id]);
  if (row === undefined) return null;
  const [refunds, commissions] = await Promise.all([
    db.query<{ json: string }>(refundsOfCharge, [partner_id, id]),
    commissionsOfCharge(db, partner_id, id),
  ]);
  const refunded = refunds.map(({ json }) => json).join(",");
  return { json: `${row.json.slice(0, -1)},"refunds":[${refunded}],"commissions":${commissions}}` };
}

const refundById = statement(
  `select ${objectJson(Refund, "r")}::text as json from refunds r where r.partner_id = $1 and r.id = $2`,
);

/** A refund as the API shows it. */
export async function refundJson(db: Queryable, partner_id: string, id: string): Promise<string> {
  return (await db.query<{ json: string }>(refundById, [partner_id, id]))[0]?.json ?? notFound(id);
}
