import { operatorRoute, type Route } from "../../../../platform/http/route.ts";
import { createCertification, getCertification, listCertifications, updateCertification } from "./commands.ts";
import { Certification, CertificationCreate, CertificationList, CertificationListQuery, CertificationPatch } from "./schema.ts";

const one = { path: "/certifications/{id}", params: { id: "certification" } } as const;

export const certificationAdminRoutes: Route[] = [
  operatorRoute({
    operation: "certifications.list",
    method: "GET",
    path: "/certifications",
    summary: "List certifications",
    description: "By name, archived ones included.",
    params: {},
    query: CertificationListQuery,
    reply: { status: 200, schema: CertificationList },
    handle: (ctx, { query }) => listCertifications(ctx, query),
  }),
  operatorRoute({
    operation: "certifications.create",
    method: "POST",
    path: "/certifications",
    summary: "Create a certification",
    params: {},
    body: CertificationCreate,
    errors: ["duplicate_certification"],
    reply: { status: 201, schema: Certification, location: (id) => `/certifications/${id}` },
    handle: (ctx, { body }) => createCertification(ctx, body),
  }),
  operatorRoute({
    operation: "certifications.get",
    method: "GET",
    ...one,
    summary: "Get a certification",
    reply: { status: 200, schema: Certification },
    handle: (ctx, { params }) => getCertification(ctx, params.id),
  }),
  operatorRoute({
    operation: "certifications.update",
    method: "PATCH",
    ...one,
    summary: "Update a certification",
    description: "Partners that hold it keep it until it ends for them.",
    if_match_required: true,
    body: CertificationPatch,
    errors: ["duplicate_certification"],
    reply: { status: 200, schema: Certification },
    handle: (ctx, { params, body }) => updateCertification(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "certifications.archive",
    method: "DELETE",
    ...one,
    summary: "Archive a certification",
    description: "It is no longer granted. Partners that hold it keep it.",
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await updateCertification(ctx, params.id, { archived: true })),
  }),
];
