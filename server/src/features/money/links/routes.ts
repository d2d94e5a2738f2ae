import { type Route, route } from "../../../platform/http/route.ts";
import { archiveLink, createLink, getLink, listLinks, updateLink } from "./commands.ts";
import {
  AffiliateLink,
  AffiliateLinkCreate,
  AffiliateLinkList,
  AffiliateLinkListQuery,
  AffiliateLinkPatch,
  LinkStats,
  LinkStatsQuery,
} from "./schema.ts";
import { linkStats } from "./stats.commands.ts";

const reads = { method: "GET", scope: "affiliate_links:read", partner_wide: true } as const;
const writes = { scope: "affiliate_links:write", partner_wide: true } as const;
const one = { path: "/affiliate-links/{id}", params: { id: "link" } } as const;

export const linkRoutes: Route[] = [
  route({
    ...reads,
    operation: "affiliate_links.list",
    path: "/affiliate-links",
    summary: "List affiliate links",
    description: "Newest first, archived ones included.",
    params: {},
    query: AffiliateLinkListQuery,
    exportable: true,
    reply: { status: 200, schema: AffiliateLinkList },
    handle: (ctx, { query }) => listLinks(ctx, query),
  }),
  route({
    ...writes,
    operation: "affiliate_links.create",
    method: "POST",
    path: "/affiliate-links",
    summary: "Create an affiliate link",
    description:
      "The link leads from `/r/{code}` to the destination, with `click_id` added. Send that as `source.click_id` of a lead, or as `click_id` of a deal.",
    params: {},
    body: AffiliateLinkCreate,
    errors: ["duplicate_link", "link_limit_reached", "link_destination_refused"],
    reply: { status: 201, schema: AffiliateLink, location: (id) => `/affiliate-links/${id}` },
    handle: (ctx, { body }) => createLink(ctx, body),
  }),
  route({
    ...reads,
    ...one,
    operation: "affiliate_links.get",
    summary: "Get an affiliate link",
    reply: { status: 200, schema: AffiliateLink },
    handle: (ctx, { params }) => getLink(ctx, params.id),
  }),
  route({
    ...writes,
    ...one,
    operation: "affiliate_links.update",
    method: "PATCH",
    summary: "Change an affiliate link",
    description: "Its code stays: it may be printed somewhere. Clicks that were made before a change stay valid.",
    body: AffiliateLinkPatch,
    errors: ["link_limit_reached", "link_destination_refused", "invalid_state_transition"],
    reply: { status: 200, schema: AffiliateLink },
    handle: (ctx, { params, body }) => updateLink(ctx, params.id, body),
  }),
  route({
    ...writes,
    ...one,
    operation: "affiliate_links.archive",
    method: "DELETE",
    summary: "Archive an affiliate link",
    description: "It still leads to its destination, and its clicks no longer count. Its code is not given to another link.",
    errors: ["invalid_state_transition"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await archiveLink(ctx, params.id)),
  }),
  route({
    ...reads,
    operation: "affiliate_links.stats",
    path: "/affiliate-links/{id}/stats",
    params: { id: "link" },
    summary: "Get the statistics of an affiliate link",
    description:
      "By day in UTC: clicks, and the leads, deals, won sales and commissions that came by the link, each on the day it happened. By default the last 30 days; at most 366. Clicks appear within a second.",
    query: LinkStatsQuery,
    exportable: true,
    reply: { status: 200, schema: LinkStats },
    handle: (ctx, { params, query }) => linkStats(ctx, params.id, query),
  }),
];
