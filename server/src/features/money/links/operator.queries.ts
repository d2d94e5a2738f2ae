import { listIdentity } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { conditionsOf, linkMembers } from "./queries.ts";
import { OperatorAffiliateLink, type OperatorAffiliateLinkListQuery } from "./schema.ts";

const operatorJson = (base_url: string) =>
  rowJson(OperatorAffiliateLink, {
    ...linkMembers(base_url),
    partner_company: "(select p.company from partners p where p.id = c.partner_id)",
  });

/** All partners: the operator's list; once per page that a person opens. */
export function allLinksPage(db: Queryable, query: OperatorAffiliateLinkListQuery, base_url: string): Promise<{ json: string }> {
  const { limit: _, cursor: __, partner_id = null, ...filter } = query;
  const listing = {
    list: listIdentity("all-affiliate-links", { ...filter, partner_id }),
    table: "affiliate_links",
    json: (place: Place) => operatorJson(place(base_url)),
    sort: byCreation(true),
    conditions: (place: Place) => conditionsOf(filter, place),
  };
  return keysetPage(db, partner_id, partner_id === null ? { ...listing, all_partners: true } : listing, query);
}

const ownerStatement = statement("select c.partner_id from link_codes c where c.link_id = $1");

/** The partner that a link belongs to. */
export async function ownerOrNull(db: Queryable, id: string): Promise<string | null> {
  return (await db.query<{ partner_id: string }>(ownerStatement, [id]))[0]?.partner_id ?? null;
}

const archivedStatement = statement(`
  select c.archived_before_block as archived from affiliate_links c where c.partner_id = $1 and c.id = $2`);

/** Whether a blocked link was archived before. */
export async function wasArchived(tx: Queryable, partner_id: string, id: string): Promise<boolean> {
  return (await tx.query<{ archived: boolean }>(archivedStatement, [partner_id, id]))[0]?.archived === true;
}

const byIdStatement = statement(`
  select c.version, ${operatorJson("$3")} as json from affiliate_links c where c.partner_id = $1 and c.id = $2`);

/** A link as the operator sees it. */
export async function operatorLinkOrNull(db: Queryable, partner_id: string, id: string, base_url: string) {
  return (await db.query<{ version: number; json: string }>(byIdStatement, [partner_id, id, base_url]))[0] ?? null;
}
