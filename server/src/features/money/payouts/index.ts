export { feature } from "./feature.ts";
export { type Minimums, minimumFor, nextSlot } from "./schedule.model.ts";
export { type Debtor, type PayoutSettings, payoutSettings } from "./settings.queries.ts";
