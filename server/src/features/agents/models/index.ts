export { connectModel, type ModelAddress } from "./connect.commands.ts";
export { feature } from "./feature.ts";
