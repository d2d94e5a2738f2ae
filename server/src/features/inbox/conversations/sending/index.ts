export { cancelSend, enqueue, settleStatus } from "./commands.ts";
export { createSendingEngine, type SendingEngine } from "./engine.ts";
export { sendingJobs } from "./jobs.ts";
export { forward, RANK } from "./model.ts";
export type { SendingOptions } from "./options.ts";
