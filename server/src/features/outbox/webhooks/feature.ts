import type { Feature } from "../../../platform/feature.ts";
import { webhookRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "outbox/webhooks",
  uses: ["accounts/clients", "outbox/events"],
  reads: [],
  tags: {
    webhooks: "Webhook endpoints: where events are sent, their secrets, and how they do",
    deliveries: "Each event that an endpoint was sent, with its attempts",
    replays: "Past events sent to an endpoint again",
  },
  partner_routes: webhookRoutes,
};
