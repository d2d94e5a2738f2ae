export { messageTemplateAsset } from "./asset/commands.ts";
export { createTemplate, updateTemplate } from "./commands.ts";
export { feature } from "./feature.ts";
export { mentions, renderText, type Values } from "./model.ts";
export { type MessageTemplate, templateOrNull } from "./queries.ts";
