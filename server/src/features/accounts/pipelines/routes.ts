import { type Route, route } from "../../../platform/http/route.ts";
import { createPipeline, getPipeline, listPipelines, updatePipeline } from "./commands.ts";
import { Pipeline, PipelineCreate, PipelineList, PipelineListQuery, PipelinePatch } from "./schema.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "pipeline" } } as const;

export const pipelineRoutes: Route[] = [
  route({
    operation: "pipelines.list",
    method: "GET",
    path: "/pipelines",
    summary: "List pipelines",
    scope: "deals:read",
    ...none,
    query: PipelineListQuery,
    reply: { status: 200, schema: PipelineList },
    handle: (ctx, { query }) => listPipelines(ctx, query),
  }),
  route({
    operation: "pipelines.create",
    method: "POST",
    path: "/pipelines",
    summary: "Create a pipeline",
    description: "The default for `stages` is the stages of a new account.",
    scope: "deals:write",
    ...none,
    body: PipelineCreate,
    errors: ["duplicate_pipeline", "client_inactive", "account_required"],
    reply: { status: 201, schema: Pipeline, location: (id) => `/pipelines/${id}` },
    handle: (ctx, { body }) => createPipeline(ctx, body),
  }),
  route({
    operation: "pipelines.get",
    method: "GET",
    path: "/pipelines/{id}",
    summary: "Get a pipeline",
    scope: "deals:read",
    ...one,
    reply: { status: 200, schema: Pipeline },
    handle: (ctx, { params }) => getPipeline(ctx, params.id),
  }),
  route({
    operation: "pipelines.update",
    method: "PATCH",
    path: "/pipelines/{id}",
    summary: "Update a pipeline",
    description:
      "`stages` replaces the list: a stage with its `id` is kept, one without an `id` is created, one that is left out is archived.",
    scope: "deals:write",
    ...one,
    if_match_required: true,
    body: PipelinePatch,
    errors: ["duplicate_pipeline", "resource_in_use", "client_inactive"],
    reply: { status: 200, schema: Pipeline },
    handle: (ctx, { params, body }) => updatePipeline(ctx, params.id, body),
  }),
  route({
    operation: "pipelines.delete",
    method: "DELETE",
    path: "/pipelines/{id}",
    summary: "Archive a pipeline",
    description: "It keeps its won and lost deals, and can be restored.",
    scope: "deals:write",
    ...one,
    errors: ["resource_in_use", "client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await updatePipeline(ctx, params.id, { archived: true })),
  }),
];
