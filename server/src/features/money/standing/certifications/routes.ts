import { operatorRoute, type Route, route } from "../../../../platform/http/route.ts";
import { grantCertification, listGrants, listOwnGrants, revokeCertification } from "./commands.ts";
import { CertificationGrant, CertificationGrantCreate, CertificationGrantList, CertificationGrantListQuery } from "./schema.ts";

const list = {
  method: "GET",
  query: CertificationGrantListQuery,
  reply: { status: 200, schema: CertificationGrantList },
} as const;

export const certificationRoutes: Route[] = [
  route({
    ...list,
    operation: "certification_grants.list_own",
    path: "/account/certifications",
    summary: "List the partner's certifications",
    description: "Newest first, with those that have ended.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    handle: (ctx, { query }) => listOwnGrants(ctx, query),
  }),
];

/** For the operator. */
export const certificationAdminRoutes: Route[] = [
  operatorRoute({
    ...list,
    operation: "certification_grants.list",
    path: "/partners/{id}/certifications",
    summary: "List a partner's certifications",
    description: "Newest first, with those that have ended.",
    params: { id: "partner" },
    handle: (ctx, { params, query }) => listGrants(ctx, params.id, query),
  }),
  operatorRoute({
    operation: "certification_grants.create",
    method: "POST",
    path: "/partners/{id}/certifications",
    summary: "Grant a certification",
    description: "Emits a `tier.changed` event to the partner, whose grade it may lift.",
    params: { id: "partner" },
    body: CertificationGrantCreate,
    unversioned: true,
    errors: ["duplicate_certification"],
    reply: { status: 201, schema: CertificationGrant },
    handle: (ctx, { params, body }) => grantCertification(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "certification_grants.revoke",
    method: "DELETE",
    path: "/partners/{id}/certifications/{grant_id}",
    summary: "Revoke a certification",
    description:
      "Emits a `tier.changed` event to the partner. Its grade stays until the next review, and then for the days of grace.",
    params: { id: "partner", grant_id: "certification_grant" },
    unversioned: true,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await revokeCertification(ctx, params.id, params.grant_id)),
  }),
];
