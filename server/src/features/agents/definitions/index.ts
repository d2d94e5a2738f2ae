export { agentAsset } from "./asset/commands.ts";
export { getAgent } from "./commands.ts";
export { feature } from "./feature.ts";
export type { Agent as AgentRow } from "./queries.ts";
export { type Version as VersionRow, versionOrNull } from "./versions/queries.ts";
export type { VersionContent } from "./versions/schema.ts";
export { askModelOf, modelOf } from "./versions/store.commands.ts";
