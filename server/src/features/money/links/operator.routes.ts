import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { blockLink, getAnyLink, unblockLink } from "./operator.commands.ts";
import { allLinksPage } from "./operator.queries.ts";
import {
  AffiliateLinkBlock,
  OperatorAffiliateLink,
  OperatorAffiliateLinkList,
  OperatorAffiliateLinkListQuery,
} from "./schema.ts";

const change = { method: "POST", params: { id: "link" }, reply: { status: 200, schema: OperatorAffiliateLink } } as const;

export const linkAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_affiliate_links.list",
    method: "GET",
    path: "/affiliate-links",
    summary: "List affiliate links of all partners",
    description: "Newest first, archived and blocked ones included.",
    params: {},
    query: OperatorAffiliateLinkListQuery,
    exportable: true,
    reply: { status: 200, schema: OperatorAffiliateLinkList },
    handle: (ctx, { query }) => allLinksPage(ctx.db, query, ctx.settings.baseUrl()),
  }),
  operatorRoute({
    operation: "operator_affiliate_links.get",
    method: "GET",
    path: "/affiliate-links/{id}",
    summary: "Get an affiliate link of any partner",
    params: { id: "link" },
    reply: { status: 200, schema: OperatorAffiliateLink },
    handle: (ctx, { params }) => getAnyLink(ctx, params.id),
  }),
  operatorRoute({
    ...change,
    operation: "operator_affiliate_links.block",
    path: "/affiliate-links/{id}/block",
    summary: "Block an affiliate link",
    description:
      "It leads nowhere at once, its clicks no longer count, and the partner cannot change it. What came by it before stays attributed. Repeating it changes nothing.",
    body: AffiliateLinkBlock,
    handle: (ctx, { params, body }) => blockLink(ctx, params.id, body.reason),
  }),
  operatorRoute({
    ...change,
    operation: "operator_affiliate_links.unblock",
    path: "/affiliate-links/{id}/unblock",
    summary: "Unblock an affiliate link",
    description: "It is paused, or archived if it was before, and the partner can activate it. Repeating it changes nothing.",
    handle: (ctx, { params }) => unblockLink(ctx, params.id),
  }),
];
