export { createDeliveryEngine, type DeliveryEngine, type DeliveryOptions } from "./delivery/index.ts";
export { fanOut } from "./fan-out.queries.ts";
export { feature } from "./feature.ts";
export { endpointUrl } from "./model.ts";
export { type ReplayWorker, runReplays } from "./replay/jobs.ts";
export { sealedSecretOrNull } from "./secrets.queries.ts";
