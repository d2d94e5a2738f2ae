export { attribute, clickedLink, clickedLinks, copyAttribution, insertAttributions } from "./attribution.commands.ts";
export { type Clicks, createClicks } from "./clicks.commands.ts";
export { createLink } from "./commands.ts";
export { feature } from "./feature.ts";
export { followLink } from "./redirect.commands.ts";
