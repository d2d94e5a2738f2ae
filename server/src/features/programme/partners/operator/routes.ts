import { operatorRoute, type Route } from "../../../../platform/http/route.ts";
import { getPartner, listPartners, reactivatePartner, registerPartner, suspendPartner, updatePartner } from "./commands.ts";
import { Partner, PartnerCreate, PartnerList, PartnerListQuery, PartnerPatch, SuspensionReason } from "./schema.ts";

const one = { params: { id: "partner" } } as const;

export const partnerAdminRoutes: Route[] = [
  operatorRoute({
    operation: "partners.list",
    method: "GET",
    path: "/partners",
    summary: "List partners",
    params: {},
    query: PartnerListQuery,
    reply: { status: 200, schema: PartnerList },
    handle: (ctx, { query }) => listPartners(ctx, query),
  }),
  operatorRoute({
    operation: "partners.create",
    method: "POST",
    path: "/partners",
    summary: "Create a partner",
    description: "Opens its house account and invites its owner.",
    params: {},
    body: PartnerCreate,
    errors: ["duplicate_user"],
    reply: { status: 201, schema: Partner, location: (id) => `/partners/${id}` },
    handle: (ctx, { body }) => registerPartner(ctx, body),
  }),
  operatorRoute({
    operation: "partners.get",
    method: "GET",
    path: "/partners/{id}",
    summary: "Get a partner",
    ...one,
    reply: { status: 200, schema: Partner },
    handle: (ctx, { params }) => getPartner(ctx, params.id),
  }),
  operatorRoute({
    operation: "partners.update",
    method: "PATCH",
    path: "/partners/{id}",
    summary: "Update a partner",
    description:
      "Changes its company, parent, grade, pin or API access. A new grade emits a `tier.changed` event to the partner and is pinned: metrics do not change it until `pinned_until`, or until `pinned` is false.",
    ...one,
    body: PartnerPatch,
    reply: { status: 200, schema: Partner },
    handle: (ctx, { params, body }) => updatePartner(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "partners.suspend",
    method: "POST",
    path: "/partners/{id}/suspend",
    summary: "Suspend a partner",
    description: "Its keys are refused at once.",
    ...one,
    body: SuspensionReason,
    body_optional: true,
    reply: { status: 200, schema: Partner },
    handle: (ctx, { params, body }) => suspendPartner(ctx, params.id, body.reason ?? null),
  }),
  operatorRoute({
    operation: "partners.reactivate",
    method: "POST",
    path: "/partners/{id}/reactivate",
    summary: "Reactivate a partner",
    description: "Ends its suspension.",
    ...one,
    reply: { status: 200, schema: Partner },
    handle: (ctx, { params }) => reactivatePartner(ctx, params.id),
  }),
];
