import type { Feature } from "../../../platform/feature.ts";
import { channelRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "inbox/channels",
  uses: ["accounts/configuring", "accounts/custom-fields", "outbox/webhooks"],
  reads: [],
  tags: { channels: "Where an account exchanges messages with people" },
  general_routes: channelRoutes,
};
