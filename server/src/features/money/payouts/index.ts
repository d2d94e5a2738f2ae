export { feature } from "./feature.ts";
export { createPayoutWorker } from "./jobs.ts";
export { setPayoutMethod } from "./methods/commands.ts";
export { currentMethod, openDetails } from "./methods/queries.ts";
export { nextSlot } from "./schedule.model.ts";
export { payoutSettings } from "./settings.queries.ts";
