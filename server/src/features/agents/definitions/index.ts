export { createAgent, getAgent } from "./commands.ts";
export { feature } from "./feature.ts";
export { diffValues } from "./model.ts";
export { type Agent as AgentRow, agentsNamed } from "./queries.ts";
export { publishVersion } from "./versions/commands.ts";
export { type Version as VersionRow, versionOrNull } from "./versions/queries.ts";
export type { VersionContent } from "./versions/schema.ts";
export { askModelOf, modelOf } from "./versions/store.commands.ts";
