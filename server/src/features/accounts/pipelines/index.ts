export { pipelineAsset } from "./asset/commands.ts";
export { addPipeline, getPipeline, pipelineFor, updatePipeline } from "./commands.ts";
export { feature } from "./feature.ts";
export { type Pipeline, REQUIRABLE, type Stage, stageNamed } from "./model.ts";
export { insertDue } from "./queries.ts";
export { PipelineCreate, StageType, TargetDays } from "./schema.ts";
