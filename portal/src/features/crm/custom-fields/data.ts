import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import type { CustomField } from "../records/data.ts";

type Schemas = components["schemas"];

export type { CustomField };
export type Type = CustomField["type"];
export type Patch = Schemas["CustomFieldPatch"];

const PATH = "/v1/custom-fields";
/** As many records as one page of a list has. */
export const LOOKED_AT = 100;

function useChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["custom_fields"] });
}

export function useCreateField() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["CustomFieldCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateField() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ field, body }: { field: CustomField; body: Patch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: field.id }, header: ifMatch(field.version) } })).data,
    onSuccess: changed,
  });
}

type Page = { data: { custom: Record<string, unknown> }[]; has_more: boolean };

async function readRecords({ account_id, resource }: CustomField, filter: object, signal: AbortSignal): Promise<Page> {
  const init = { params: { query: { account_id, sort: "-updated_at" as const, limit: LOOKED_AT, ...filter } }, signal };
  if (resource === "contact") return (await api.GET("/v1/contacts", init)).data;
  if (resource === "lead") return (await api.GET("/v1/leads", init)).data;
  return (await api.GET("/v1/deals", init)).data;
}

/** How many of the records that changed last have a value of the field; `all` if there are no others. */
export function useFieldUse(field: CustomField) {
  return useQuery({
    queryKey: [`${field.resource}s`, "use of field", field.id],
    queryFn: async ({ signal }) => {
      const { data, has_more } = await readRecords(field, {}, signal);
      return {
        looked_at: data.length,
        used: data.filter(({ custom }) => custom[field.key] !== undefined).length,
        all: !has_more,
      };
    },
  });
}

/** How many records have each of some options; `more` than could be counted. */
export function useOptionUse(field: CustomField, options: readonly string[]) {
  return useQuery({
    queryKey: [`${field.resource}s`, "use of options", field.id, options],
    queryFn: ({ signal }) =>
      Promise.all(
        options.map(async (option) => {
          const { data, has_more } = await readRecords(field, { [`custom.${field.key}`]: option }, signal);
          return { option, used: data.length, more: has_more };
        }),
      ),
    enabled: options.length > 0,
  });
}
