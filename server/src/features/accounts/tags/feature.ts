import type { Feature } from "../../../platform/feature.ts";
import { tagRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/tags",
  uses: ["accounts/clients", "accounts/configuring", "accounts/custom-fields"],
  reads: [],
  tags: { tags: "Tags that an account offers for its records" },
  general_routes: tagRoutes,
};
