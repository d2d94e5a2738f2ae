export type { Timelined } from "./commands.ts";
export { feature } from "./feature.ts";
export { eraseNotes, hasNotes, type Noted, nameOfActor } from "./queries.ts";
export { timelineRoutesOf } from "./routes.ts";
