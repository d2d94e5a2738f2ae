import type { Surface } from "../platform/http/openapi.ts";
import { FEATURES } from "./features.ts";

/** The operator API, under operator keys. */
export const adminV1: Surface = {
  prefix: "/v1/admin",
  stability: "preview",
  security: "operator_key",
  routes: FEATURES.flatMap(({ operator_routes = [] }) => operator_routes),
};
