export { notesOf, type Timelined } from "./commands.ts";
export { feature } from "./feature.ts";
export { eraseNotes, hasNotes, type Noted } from "./queries.ts";
export { timelineRoutesOf } from "./routes.ts";
