export { feature } from "./feature.ts";
export { followFeed, type Told } from "./stream.commands.ts";
