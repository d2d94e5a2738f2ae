export type { Timelined } from "./commands.ts";
export { eraseNotes, type Noted } from "./queries.ts";
export { timelineRoutesOf } from "./routes.ts";
