export { startExport, workExport } from "./export.commands.ts";
export { feature } from "./feature.ts";
export { createPayoutWorker } from "./jobs.ts";
export { setPayoutMethod } from "./methods/commands.ts";
export { currentMethod, openDetails } from "./methods/queries.ts";

export { markFailed, markPaid, retryPayout } from "./outcome.commands.ts";
export { type Payout, payoutsOfRun } from "./queries.ts";
export { openRun, workRun } from "./run.commands.ts";

export { nextSlot } from "./schedule.model.ts";
export { payoutSettings } from "./settings.queries.ts";
