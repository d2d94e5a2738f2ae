export { createRule, getRule, listRules, listRuleVersions, updateRule } from "./commands.ts";
export { feature } from "./feature.ts";
export { type Rate, type Rule, ruleFor, type Sale } from "./model.ts";
export { currentRules } from "./queries.ts";
export { CommissionRuleCreate, CommissionRuleListQuery } from "./schema.ts";
