import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { queryText, useList } from "../../api/lists.ts";

type Schemas = components["schemas"];
export type Rule = Schemas["CommissionRule"];
export type Rate = Rule["first"];
export type RuleBody = Schemas["CommissionRuleCreate"];

const PATH = "/v1/admin/rules";
const keys = {
  all: ["rules"] as const,
  list: (active: boolean) => ["rules", "list", active] as const,
  one: (id: string) => ["rules", "one", id] as const,
  versions: (id: string) => ["rules", "versions", id] as const,
};
const LIMIT = 100;
/** More than anybody can compare. */
const RULES_MAX = 1_000;

export const listRequest = (active: boolean) => `GET ${PATH}${queryText({ active, limit: LIMIT })}`;

const SCOPES: readonly Rule["scope"][] = ["link", "partner", "grade", "programme"];

/** The rule that applies before another: the narrower one, then the one with the higher priority, then the older one. */
const precedence = (one: Rule, other: Rule) =>
  SCOPES.indexOf(one.scope) - SCOPES.indexOf(other.scope) || other.priority - one.priority || (one.id < other.id ? -1 : 1);

/** All rules, in the order in which they are tried. */
export function useRules(active: boolean) {
  return useQuery({
    queryKey: keys.list(active),
    queryFn: async ({ signal }) => {
      const rules: Rule[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null && rules.length < RULES_MAX) {
        const query = { active, limit: LIMIT, ...(cursor ? { cursor } : {}) };
        const { data } = await api.GET(PATH, { params: { query }, signal });
        rules.push(...data.data);
        cursor = data.next_cursor;
      }
      return rules.sort(precedence);
    },
  });
}

export function useRule(id: string) {
  return useQuery({
    queryKey: keys.one(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
  });
}

export function useRuleVersions(id: string) {
  return useList<Rule>(keys.versions(id), async (cursor, signal) => {
    const query = { limit: 20, ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/versions`, { params: { path: { id }, query }, signal })).data;
  });
}

function useChanged() {
  const queries = useQueryClient();
  return async (rule: Rule) => {
    queries.setQueryData(keys.one(rule.id), rule);
    await queries.invalidateQueries({ queryKey: keys.all });
    await queries.invalidateQueries({ queryKey: ["tiers"] });
  };
}

export function useCreateRule() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: RuleBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateRule() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ rule, body }: { rule: Rule; body: Schemas["CommissionRulePatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: rule.id }, header: ifMatch(rule.version) } })).data,
    onSuccess: changed,
  });
}

/** What past charges would have earned by a rule that is not saved, in place of the one that it changes. Nothing is written. */
export function useSimulate() {
  return useMutation({
    mutationFn: async (body: Schemas["RuleSimulation"]) => (await api.POST(`${PATH}/simulate`, { body })).data,
  });
}
