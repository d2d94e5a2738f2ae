import { listIdentity } from "../../../kernel/page.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { codeKey } from "./model.ts";
import { type AffiliateLinkListQuery, type AffiliateLinkShown, AffiliateLink as LinkSchema } from "./schema.ts";
import { totalsJson } from "./stats.queries.ts";

/** A link as the API shows it, with its JSON. */
export type Link = AffiliateLinkShown & { json: string };

/** The fields that a change can set. */
export const FIELDS = ["destination_url", "campaign", "window_days", "expires_at", "status"] as const;

export const linkMembers = (base_url: string) => ({ url: `${base_url}::text || '/r/' || c.code` });
const linkJson = (base_url: string) => rowJson(LinkSchema, linkMembers(base_url));

const linkById = statement(`select ${linkJson("$3")} as json from affiliate_links c where c.partner_id = $1 and c.id = $2`);
const lockLink = statement(`
  select ${linkJson("$3")} as json from affiliate_links c where c.partner_id = $1 and c.id = $2 for no key update`);

export async function linkOrNull(db: Queryable, { partner_id }: TenantScope, id: string, base_url: string): Promise<Link | null> {
  return parsedRow<AffiliateLinkShown>(await db.query(linkById, [partner_id, id, base_url]));
}

/** A link, locked until the transaction ends. */
export async function linkForUpdateOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  id: string,
  base_url: string,
): Promise<Link | null> {
  return parsedRow<AffiliateLinkShown>(await tx.query(lockLink, [partner_id, id, base_url]));
}

/** The links of a partner, newest first. */
export function linksPage(
  db: Queryable,
  { partner_id }: TenantScope,
  query: AffiliateLinkListQuery,
  base_url: string,
): Promise<{ json: string }> {
  const { limit: _, cursor: __, totals = false, ...filter } = query;
  const json = (place: Place) => {
    const members = linkMembers(place(base_url));
    return totals ? rowJson(WITH_TOTALS, { ...members, totals: totalsJson("c.id") }) : rowJson(LinkSchema, members);
  };
  return keysetPage(
    db,
    partner_id,
    {
      list: listIdentity("affiliate-links", filter),
      table: "affiliate_links",
      json,
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

const WITH_TOTALS = { properties: { ...LinkSchema.properties, totals: {} } };

export function conditionsOf(filter: Omit<AffiliateLinkListQuery, "totals">, place: Place): string[] {
  const { status, campaign, code } = filter;
  const conditions = createdWithin("link", filter, place);
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (campaign !== undefined) conditions.push(`lower(c.campaign) = lower(${place(campaign)})`);
  if (code !== undefined) conditions.push(`c.code_key = ${place(codeKey(code))}`);
  return conditions;
}

const countStatement = statement(`
  select count(*)::int as count from affiliate_links l
  where l.partner_id = $1 and l.status <> 'archived' and not l.archived_before_block`);

/** How many links of a partner are not archived, which a blocked one may be, too. Nobody adds one before the transaction ends. */
export async function countLinks(tx: Tx, { partner_id }: TenantScope): Promise<number> {
  const [, [row]] = await Promise.all([
    takeTurn(tx, `links ${partner_id}`),
    tx.query<{ count: number }>(countStatement, [partner_id]),
  ]);
  return row?.count ?? 0;
}

/** What a redirect needs of a link, beside its code. */
const OF_CODE = ["code_key", "code", "partner_id", "link_id", ...FIELDS] as const;
const takeCodeStatement = statement(`insert into link_codes ${insertValues(OF_CODE)} on conflict do nothing returning link_id`);

const INSERTED = ["partner_id", "id", "code", "code_key", ...FIELDS, "created_by", "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into affiliate_links ${insertValues(INSERTED)} returning *)
  select ${linkJson(`$${INSERTED.length + 1}`)} as json from c`);

export type NewLink = Pick<AffiliateLinkShown, "id" | "code" | "created_by" | (typeof FIELDS)[number]> & { code_key: string };

/** Adds a link; null when its code is taken, by any partner. It waits for another transaction that is taking it. */
export async function insertLink(tx: Tx, { partner_id }: TenantScope, link: NewLink, base_url: string): Promise<Link | null> {
  const taken = await tx.query(takeCodeStatement, valuesOf({ ...link, partner_id, link_id: link.id }, OF_CODE));
  if (taken.length === 0) return null;
  const row = { ...link, partner_id, created_at: tx.now, updated_at: tx.now };
  return parsedRow<AffiliateLinkShown>(await tx.query(insertStatement, [...valuesOf(row, INSERTED), base_url]));
}

const ownerStatement = statement("select c.link_id from link_codes c where c.code_key = $1 and c.partner_id = $2");

/** The partner's own link that has a code. Others' are not told. */
export async function ownLinkWithCode(tx: Queryable, { partner_id }: TenantScope, code_key: string): Promise<string | null> {
  return (await tx.query<{ link_id: string }>(ownerStatement, [code_key, partner_id]))[0]?.link_id ?? null;
}

const STATUS = `$${5 + FIELDS.indexOf("status")}`;
const saveStatement = statement(`
  with c as (
    update affiliate_links c set ${assignments(FIELDS, 5)},
      archived_before_block = ${STATUS} = 'blocked' and (c.status = 'archived' or c.archived_before_block), updated_at = $4, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*
  )
  select ${linkJson("$3")} as json from c`);
const saveCodeStatement = statement(`update link_codes set ${assignments(FIELDS, 2)} where link_id = $1`);

/** Saves a locked link, and what redirects know of it. */
export async function saveLink(tx: Tx, { partner_id }: TenantScope, link: Link, base_url: string): Promise<Link> {
  const fields = valuesOf(link, FIELDS);
  const [rows] = await Promise.all([
    tx.query<{ json: string }>(saveStatement, [partner_id, link.id, base_url, tx.now, ...fields]),
    tx.query(saveCodeStatement, [link.id, ...fields]),
  ]);
  const saved = parsedRow<AffiliateLinkShown>(rows);
  if (saved === null) throw new Error("the link was not saved");
  return saved;
}

const settingsStatement = statement("select g.link_hosts, g.link_window_days from programme g");

export type LinkSettings = { link_hosts: string[]; link_window_days: number };

/** The settings of the programme for links. */
export async function linkSettings(db: Queryable): Promise<LinkSettings> {
  const [settings] = await db.query<LinkSettings>(settingsStatement);
  if (settings === undefined) throw new Error("the first run has not created the programme");
  return settings;
}
