import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { createRule, getRule, listRules, listRuleVersions, updateRule } from "./commands.ts";
import {
  CommissionRule,
  CommissionRuleCreate,
  CommissionRuleList,
  CommissionRuleListQuery,
  CommissionRulePatch,
  VersionsQuery,
} from "./schema.ts";

const one = { params: { id: "rule" } } as const;

export const ruleAdminRoutes: Route[] = [
  operatorRoute({
    operation: "rules.list",
    method: "GET",
    path: "/rules",
    summary: "List commission rules",
    description: "The newest version of each rule, ended ones included.",
    params: {},
    query: CommissionRuleListQuery,
    reply: { status: 200, schema: CommissionRuleList },
    handle: (ctx, { query }) => listRules(ctx, query),
  }),
  operatorRoute({
    operation: "rules.create",
    method: "POST",
    path: "/rules",
    summary: "Create a commission rule",
    description:
      "Of the rules that match a sale, one applies: a link's before a partner's before a grade's before the programme's.",
    params: {},
    body: CommissionRuleCreate,
    errors: ["unknown_plan"],
    reply: { status: 201, schema: CommissionRule, location: (id) => `/rules/${id}` },
    handle: (ctx, { body }) => createRule(ctx, body),
  }),
  operatorRoute({
    operation: "rules.get",
    method: "GET",
    path: "/rules/{id}",
    summary: "Get a commission rule",
    ...one,
    reply: { status: 200, schema: CommissionRule },
    handle: (ctx, { params }) => getRule(ctx, params.id),
  }),
  operatorRoute({
    operation: "rules.update",
    method: "PATCH",
    path: "/rules/{id}",
    summary: "Update a commission rule",
    description:
      "Adds a version. `active: false` ends the rule. Sales that were won keep their terms, unless the rule applies to all charges. The scope is fixed: create another rule for another one.",
    ...one,
    if_match_required: true,
    body: CommissionRulePatch,
    errors: ["unknown_plan"],
    reply: { status: 200, schema: CommissionRule },
    handle: (ctx, { params, body }) => updateRule(ctx, params.id, body),
  }),
  operatorRoute({
    operation: "rules.versions",
    method: "GET",
    path: "/rules/{id}/versions",
    summary: "List the versions of a commission rule",
    description: "Newest first.",
    ...one,
    query: VersionsQuery,
    reply: { status: 200, schema: CommissionRuleList },
    handle: (ctx, { params, query }) => listRuleVersions(ctx, params.id, query),
  }),
];
