export { connectModel, type ModelAddress } from "./adapter.ts";
export { feature } from "./feature.ts";
