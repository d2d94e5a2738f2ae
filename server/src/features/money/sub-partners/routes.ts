import { type Route, route } from "../../../platform/http/route.ts";
import { getSubPartner, inviteSubPartner, listSubPartners } from "./commands.ts";
import { SubPartner, SubPartnerCreate, SubPartnerList, SubPartnerListQuery } from "./schema.ts";

export const subPartnerRoutes: Route[] = [
  route({
    operation: "sub_partners.list",
    method: "GET",
    path: "/sub-partners",
    summary: "List sub-partners",
    description: "The partners directly below the caller, newest first, in totals. Nothing else of them can be read.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    query: SubPartnerListQuery,
    exportable: true,
    reply: { status: 200, schema: SubPartnerList },
    handle: (ctx, { query }) => listSubPartners(ctx, query),
  }),
  route({
    operation: "sub_partners.create",
    method: "POST",
    path: "/sub-partners",
    summary: "Invite a sub-partner",
    description:
      "Admits a partner below the caller with the lowest grade and without API access, and invites its owner by e-mail. Where the service sends no e-mail, the operator passes the invitation on.",
    scope: "account:write",
    partner_wide: true,
    unversioned: true,
    params: {},
    body: SubPartnerCreate,
    errors: ["sub_partners_off", "tree_too_deep", "duplicate_user"],
    reply: { status: 201, schema: SubPartner, location: (id) => `/sub-partners/${id}` },
    handle: (ctx, { body }) => inviteSubPartner(ctx, body),
  }),
  route({
    operation: "sub_partners.get",
    method: "GET",
    path: "/sub-partners/{id}",
    summary: "Get a sub-partner",
    scope: "account:read",
    partner_wide: true,
    params: { id: "partner" },
    reply: { status: 200, schema: SubPartner },
    handle: (ctx, { params }) => getSubPartner(ctx, params.id),
  }),
];
