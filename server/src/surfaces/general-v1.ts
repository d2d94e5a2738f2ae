import { customFieldRoutes } from "../features/accounts/index.ts";
import { changeRoutes } from "../features/changes/index.ts";
import { contactRoutes } from "../features/contacts/index.ts";
import { dealRoutes } from "../features/deals/index.ts";
import { importRoutes } from "../features/imports/index.ts";
import { leadRoutes } from "../features/leads/index.ts";
import { pipelineRoutes } from "../features/pipelines/index.ts";
import type { Surface } from "../platform/http/openapi.ts";

/** The general API, under the same keys as the partner API. The private beta does not concern it. */
export const generalV1: Surface = {
  prefix: "/v1",
  stability: "stable",
  security: "key",
  routes: [
    ...contactRoutes,
    ...leadRoutes,
    ...dealRoutes,
    ...pipelineRoutes,
    ...customFieldRoutes,
    ...importRoutes,
    ...changeRoutes,
  ].map((route) => ({
    ...route,
    beta_exempt: true,
  })),
};
