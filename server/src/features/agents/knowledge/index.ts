export { knowledgeSourceAsset } from "./asset/commands.ts";
export { createSource } from "./commands.ts";
export { feature } from "./feature.ts";
export { fetchDuePages } from "./jobs.ts";
export { keysOf } from "./queries.ts";
export { Hit, Key as SourceKey } from "./schema.ts";
export { answerSearch, searchKnowledge } from "./search/commands.ts";
