export type { Timelined } from "./commands.ts";
export { eraseNotes, hasNotes, type Noted } from "./queries.ts";
export { timelineRoutesOf } from "./routes.ts";
