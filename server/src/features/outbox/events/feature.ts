import type { Feature } from "../../../platform/feature.ts";
import { eventRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "outbox/events",
  uses: [],
  reads: [],
  tags: { events: "What happened, in order: the feed, its types, and the webhooks that push them" },
  partner_routes: eventRoutes,
};
