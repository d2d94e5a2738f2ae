export type { Timelined } from "./commands.ts";
export { dropImages, keepImages, type RecordImage, takeImages, takeImagesOf } from "./images/queries.ts";
export { eraseNotes, hasNotes, type Noted } from "./queries.ts";
export { timelineRoutesOf } from "./routes.ts";
