export { EVENT_CATALOGUE } from "./catalogue.ts";
export { feedEnd, readFeed } from "./commands.ts";
export { feature } from "./feature.ts";
export { eventOf } from "./schema.ts";
