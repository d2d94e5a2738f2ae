import type { Surface } from "../platform/http/openapi.ts";
import { FEATURES } from "./features.ts";

/** The partner API, under bearer keys. */
export const partnerV1: Surface = {
  prefix: "/v1/partners",
  stability: "preview",
  security: "key",
  routes: FEATURES.flatMap(({ partner_routes = [] }) => partner_routes),
};
