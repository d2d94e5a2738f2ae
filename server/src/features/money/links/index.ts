export { attribute, clickedLink, clickedLinks, copyAttribution, insertAttributions } from "./attribution.commands.ts";
export { type Clicks, createClicks, recordClicks } from "./clicks.commands.ts";
export type { NotedClick } from "./clicks.model.ts";
export { createLink, updateLink } from "./commands.ts";
export { feature } from "./feature.ts";
export { followLink } from "./redirect.commands.ts";
export { clickToken } from "./redirect.model.ts";
