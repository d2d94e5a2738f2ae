export { feature } from "./feature.ts";
export { createTurnWorker } from "./jobs.ts";
export { eraseSessions } from "./queries.ts";
export { type PlayedSession, playedSessionOrNull } from "./replay.queries.ts";
export { Usage } from "./schema.ts";
export { received } from "./turns/received.commands.ts";
export { runDueTurns } from "./turns/run.commands.ts";
export { walkLead } from "./turns/tools.commands.ts";
export { worldOf } from "./world.queries.ts";
