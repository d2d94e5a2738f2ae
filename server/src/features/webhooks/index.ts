export { createDeliveryEngine, type DeliveryEngine, type DeliveryOptions } from "./delivery/index.ts";
export { fanOut } from "./fan-out/queries.ts";
export { type ReplayWorker, runReplays } from "./replay/jobs.ts";
export { webhookRoutes } from "./routes.ts";
export { sealedSecretOrNull } from "./secrets/queries.ts";
