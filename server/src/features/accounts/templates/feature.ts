import type { Feature } from "../../../platform/feature.ts";
import { templateRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/templates",
  uses: ["accounts/configuring", "accounts/custom-fields"],
  reads: [],
  tags: { message_templates: "Texts with placeholders that an account sends again and again" },
  general_routes: templateRoutes,
};
