import type { Feature } from "../../../platform/feature.ts";
import { activityRoutes, changeRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "outbox/changes",
  uses: [],
  reads: [],
  tags: {
    changes: "What changes in the accounts, to keep a copy elsewhere",
    activity: "Lead activity and stage changes as one feed, for reports",
  },
  partner_routes: activityRoutes,
  general_routes: changeRoutes,
};
