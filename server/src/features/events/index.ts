export { EVENT_CATALOGUE } from "./catalogue.ts";
export { feedEnd, readFeed } from "./commands.ts";
export { eventRoutes } from "./routes.ts";
export { eventOf } from "./schema.ts";
