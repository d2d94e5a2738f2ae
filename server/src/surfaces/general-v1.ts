import type { Surface } from "../platform/http/openapi.ts";
import { FEATURES } from "./features.ts";

/** The general API, under the same keys as the partner API. The private beta does not concern it. */
export const generalV1: Surface = {
  prefix: "/v1",
  stability: "stable",
  security: "key",
  routes: FEATURES.flatMap(({ general_routes = [] }) => general_routes).map((route) => ({ ...route, beta_exempt: true })),
};
