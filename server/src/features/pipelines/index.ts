export { addPipeline, openFirstPipeline, pipelineFor } from "./commands.ts";
export { type Pipeline, REQUIRABLE, type Stage, stageNamed } from "./model.ts";
export { pipelineRoutes } from "./routes.ts";
export { PipelineCreate, StageType } from "./schema.ts";
