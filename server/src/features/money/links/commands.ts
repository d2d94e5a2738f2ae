import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { checkDestination, codeKey, LINKS_MAX, randomCode } from "./model.ts";
import {
  countLinks,
  FIELDS,
  insertLink,
  type Link,
  linkForUpdateOrNull,
  linkOrNull,
  linkSettings,
  linksPage,
  type NewLink,
  ownLinkWithCode,
  saveLink,
} from "./queries.ts";
import type { AffiliateLinkCreate, AffiliateLinkListQuery, AffiliateLinkPatch } from "./schema.ts";

const AUDITED = ["code", ...FIELDS] as const;
/** Random codes meet seldom: 31 to the power of 8. */
const CODES_TRIED = 5;

export function createLink(ctx: Context, input: AffiliateLinkCreate): Promise<Link> {
  const { code, campaign = null, expires_at = null } = input;
  return ctx.tx(async (tx) => {
    const [settings] = await Promise.all([linkSettings(tx), requireRoom(ctx, tx)]);
    const { window_days = settings.link_window_days } = input;
    const destination_url = checked(ctx, settings.link_hosts, input.destination_url);
    const fields = { destination_url, campaign, window_days, expires_at, status: "active" as const };
    const made = { ...fields, id: tx.newId("link"), created_by: actorOf(ctx.principal).id };
    const link = await (code === undefined ? insertWithRandomCode(ctx, tx, made) : insertWithCode(ctx, tx, made, code));
    const changes = changesBetween<Partial<Link>>({}, link, AUDITED);
    record(tx, ctx.scope, [], { action: "affiliate_links.create", target: link.id, client_id: null, changes });
    return link;
  });
}

type Made = Omit<NewLink, "code" | "code_key">;

async function insertWithCode(ctx: Context, tx: Tx, made: Made, code: string): Promise<Link> {
  const code_key = codeKey(code) ?? code;
  const link = await insertLink(tx, ctx.scope, { ...made, code, code_key }, ctx.settings.baseUrl());
  if (link !== null) return link;
  const existing_id = await ownLinkWithCode(tx, ctx.scope, code_key);
  fail("duplicate_link", { detail: `The code ${code} is already in use.`, meta: { existing_id } });
}

async function insertWithRandomCode(ctx: Context, tx: Tx, made: Made): Promise<Link> {
  for (let tried = 0; tried < CODES_TRIED; tried += 1) {
    const code = randomCode();
    const link = await insertLink(tx, ctx.scope, { ...made, code, code_key: code }, ctx.settings.baseUrl());
    if (link !== null) return link;
  }
  throw new Error("every random code was taken");
}

export async function getLink(ctx: Context, id: string): Promise<Link> {
  return (await linkOrNull(ctx.db.byKey, ctx.scope, id, ctx.settings.baseUrl())) ?? notFound(id);
}

export function listLinks(ctx: Context, query: AffiliateLinkListQuery): Promise<{ json: string }> {
  return linksPage(ctx.db, ctx.scope, query, ctx.settings.baseUrl());
}

export function updateLink(ctx: Context, id: string, patch: AffiliateLinkPatch): Promise<Link> {
  return ctx.tx(async (tx) => {
    const before = await lockLink(ctx, tx, id);
    const { destination_url } = patch;
    const moved =
      destination_url === undefined
        ? {}
        : { destination_url: checked(ctx, (await linkSettings(tx)).link_hosts, destination_url) };
    const after: Link = { ...before, ...patch, ...moved };
    if (before.status === "archived" && after.status !== "archived") await requireRoom(ctx, tx);
    return change(ctx, tx, before, after, "affiliate_links.update");
  });
}

/** Archives a link: it still leads to its destination, and its code stays taken. */
export function archiveLink(ctx: Context, id: string): Promise<Link> {
  return ctx.tx(async (tx) => {
    const before = await lockLink(ctx, tx, id);
    return change(ctx, tx, before, { ...before, status: "archived" }, "affiliate_links.archive");
  });
}

async function change(ctx: Context, tx: Tx, before: Link, after: Link, action: string): Promise<Link> {
  const changes = changesBetween(before, after, AUDITED);
  if (Object.keys(changes).length === 0) return before;
  record(tx, ctx.scope, [], { action, target: before.id, client_id: null, changes });
  return saveLink(tx, ctx.scope, after, ctx.settings.baseUrl());
}

async function lockLink(ctx: Context, tx: Tx, id: string): Promise<Link> {
  const link = (await linkForUpdateOrNull(tx, ctx.scope, id, ctx.settings.baseUrl())) ?? notFound(id);
  requireVersion(ctx, link);
  if (link.status === "blocked")
    fail("invalid_state_transition", { detail: "The operator has blocked this link.", meta: { from: "blocked", allowed: [] } });
  return link;
}

async function requireRoom(ctx: Context, tx: Tx): Promise<void> {
  if ((await countLinks(tx, ctx.scope)) < LINKS_MAX) return;
  fail("link_limit_reached", {
    detail: `The partner has ${LINKS_MAX} links that are not archived, which is the limit.`,
    meta: { limit: LINKS_MAX },
  });
}

function checked({ settings }: Context, hosts: readonly string[], url: string): string {
  return checkDestination(url, { hosts, local_http: settings.egress === "development", base_url: settings.baseUrl() });
}
