import type { Feature } from "../../../platform/feature.ts";
import { snapshotRoutes } from "./routes.ts";
import { versionRoutes } from "./versions/routes.ts";

export const feature: Feature = {
  name: "snapshots/catalogue",
  uses: [
    "accounts/configuring",
    "accounts/custom-fields",
    "accounts/pipelines",
    "accounts/tags",
    "accounts/templates",
    "accounts/views",
    "crm/leads",
    "inbox/channels",
    "agents/knowledge",
    "agents/definitions",
  ],
  reads: ["accounts/clients"],
  tags: { snapshots: "Configuration of accounts, in versions that never change" },
  partner_routes: [...snapshotRoutes, ...versionRoutes],
};
