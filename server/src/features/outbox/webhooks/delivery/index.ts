export { createDeliveryEngine, type DeliveryEngine } from "./engine.ts";
export type { DeliveryOptions } from "./options.ts";
