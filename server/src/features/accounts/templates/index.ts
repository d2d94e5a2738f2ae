export { messageTemplateAsset } from "./asset/commands.ts";
export { createTemplate, updateTemplate } from "./commands.ts";
export { feature } from "./feature.ts";
