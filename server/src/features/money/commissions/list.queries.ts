import { firstIdAtTime } from "../../../kernel/ids.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage, type Paging, type Place } from "../../../platform/db/keyset.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import type { AllCommissionsQuery, CommissionListQuery } from "./list.schema.ts";
import { Commission, OperatorCommission } from "./schema.ts";

/** Who a commission is shown to. */
export type Audience = "partner" | "operator";

const companyOf = (partner_id: string) => `(select p.company from partners p where p.id = ${partner_id})`;
const clientCompany = (partner_id: string) =>
  `(select k.company from clients k where k.partner_id = ${partner_id} and k.id = c.client_id)`;

/** An override tells a partner nothing about the sale of another: no deal, client, charge or commission of it, and no rule. */
const OF_SELLER = ["deal_id", "client_id", "charge_id", "refund_id", "source_commission_id", "rule"];
const ofOwnSale = (expression: string) => `case when c.level = 0 then ${expression} end`;

const OF_PARTNER = {
  ...Object.fromEntries(OF_SELLER.map((name) => [name, ofOwnSale(`c.${name}`)])),
  client_company: ofOwnSale(clientCompany("$1")),
  source_company: companyOf("c.source_partner_id"),
};
const ofOperator = (client_company: string) => ({
  client_company: ofOwnSale(client_company),
  source_company: companyOf("c.source_partner_id"),
  partner_company: companyOf("c.partner_id"),
});

/** What an instant changes about a row: its status by the ledger; the rest is shown only where the status is still the same. */
function asOfMembers(at: string): Record<string, string> {
  const status = statusAsOf(at);
  const kept = (expression: string) => `case when c.status = ${status} then ${expression} end`;
  return {
    status,
    hold_until: kept("wire_time(c.hold_until)"),
    hold_reason: kept("c.hold_reason"),
    payout_id: kept("c.payout_id"),
  };
}

/** The payouts that have claimed a row. */
const CLAIMS = "(select i.payout_id from payout_items i where i.partner_id = $1 and i.commission_id = c.id)";

/**
 * The status of a row at an instant: void while the rows of its root summed to zero, unless a payout has claimed one; else the account
 * that it was last moved to, by itself or with a payout.
 */
function statusAsOf(at: string): string {
  const sum = (column: "id" | "root_id") => `coalesce((select sum(r.amount_cents) from commissions r
      where r.partner_id = $1 and r.${column} = coalesce(c.root_id, c.id) and r.accrued_at <= ${at}), 0)`;
  const claimed = `exists (select from payout_items i join commissions r on r.partner_id = $1 and r.id = i.commission_id
      where i.partner_id = $1 and (r.id = coalesce(c.root_id, c.id) or r.root_id = coalesce(c.root_id, c.id)))`;
  const own = "case when c.amount_cents > 0 then t.credit else t.debit end";
  const moves = (account: string, of: string, condition: string) =>
    `select t.seq, ${account} as account from ledger_transfers t where t.partner_id = $1 and ${of} and ${condition}`;
  const account = (condition: string, order: string) => `(
    select case x.account when 'cash' then 'paid' else x.account end from (
      ${moves(own, "t.commission_id = c.id", condition)}
      union all
      ${moves("t.credit", `t.payout_id in ${CLAIMS}`, condition)}
    ) x order by x.seq ${order} limit 1)`;
  // The time of a transfer is later than that of its commission where a book was ahead of the clock.
  return `(case when ${sum("id")} + ${sum("root_id")} = 0 and (c.status = 'void' or not ${claimed}) then 'void'
    else coalesce(${account(`t.at <= ${at}`, "desc")}, ${account("true", "asc")}) end)`;
}

/** A commission `c` of the partner $1, as JSON for its reader. */
export function commissionJson(audience: Audience, at?: string): string {
  const members = at === undefined ? {} : asOfMembers(at);
  return audience === "partner"
    ? rowJson(Commission, { ...OF_PARTNER, ...members })
    : rowJson(OperatorCommission, { ...ofOperator(clientCompany("$1")), ...members });
}

/** A page of the commissions of a partner, newest first; at an instant, those recorded by then. */
export function commissionsPage(
  db: Queryable,
  partner_id: string,
  audience: Audience,
  query: CommissionListQuery,
  as_of: Date | null,
): Promise<{ json: string }> {
  const { limit: _, cursor: __, summary: ___, ...filter } = query;
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("commissions", { partner_id, ...filter }),
      table: "commissions",
      json: (place) => commissionJson(audience, as_of === null ? undefined : `${place(as_of)}::timestamptz`),
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, audience, as_of, place),
    },
    query,
  );
}

const EQUAL = ["deal_id", "client_id", "charge_id", "level", "payout_id", "currency", "source_partner_id"] as const;

function conditionsOf(filter: CommissionListQuery, audience: Audience, as_of: Date | null, place: Place): string[] {
  const { status, kind, deal_id, client_id, charge_id, link_id } = filter;
  const conditions = accruedWithin(filter, place);
  if (as_of !== null)
    conditions.push(`c.id < ${place(firstIdAtTime("commission", new Date(as_of.getTime() + 1).toISOString()))}`);
  for (const name of EQUAL) if (filter[name] !== undefined) conditions.push(`c.${name} = ${place(filter[name])}`);
  // A partner must not find an override by what it is not shown of it.
  if (audience === "partner" && [deal_id, client_id, charge_id].some((id) => id !== undefined)) conditions.push("c.level = 0");
  if (link_id !== undefined) conditions.push(cameBy(place(link_id)));
  if (kind !== undefined) conditions.push(anyOf("c.kind", kind, place));
  if (status !== undefined)
    conditions.push(anyOf(as_of === null ? "c.status" : statusAsOf(`${place(as_of)}::timestamptz`), status, place));
  return conditions;
}

/** Of the sales of the partner $1 that came by a link: each round of a deal has its own link. */
const cameBy = (link_id: string) =>
  `(c.deal_id, c.round) in (select e.deal_id, e.round from earnings e where e.partner_id = $1 and e.link_id = ${link_id})`;

/** Ids begin with the time of accrual. */
function accruedWithin({ accrued_after, accrued_before }: CommissionListQuery, place: Place): string[] {
  return createdWithin(
    "commission",
    {
      ...(accrued_after === undefined ? {} : { created_after: accrued_after }),
      ...(accrued_before === undefined ? {} : { created_before: accrued_before }),
    },
    place,
  );
}

/** A page of the commissions that a payout has claimed, newest first; also of a cancelled payout. */
export function payoutCommissions(db: Queryable, partner_id: string, audience: Audience, payout_id: string, paging: Paging) {
  const shown = { table: "commissions", json: commissionJson(audience), sort: byCreation(true) };
  const claimed = (place: Place) =>
    `c.id in (select i.commission_id from payout_items i where i.partner_id = $1 and i.payout_id = ${place(payout_id)})`;
  const list = listIdentity("payout-commissions", { payout_id });
  return keysetPage(db, partner_id, { ...shown, list, conditions: (place) => [claimed(place)] }, paging);
}

/** All partners: the operator's list; once per page that a person opens. */
export function allCommissionsPage(db: Queryable, query: AllCommissionsQuery): Promise<{ json: string }> {
  const { partner_id, ...paged } = query;
  if (partner_id !== undefined) return commissionsPage(db, partner_id, "operator", paged, null);
  const { limit: _, cursor: __, ...filter } = paged;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("all-commissions", filter),
      table: "commissions",
      all_partners: true,
      columns: [`${clientCompany("c.partner_id")} as client_company`],
      json: rowJson(OperatorCommission, ofOperator("c.client_company")),
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, "operator", null, place),
    },
    query,
  );
}
