import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { useMay } from "../../../api/session.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Tag = Schemas["Tag"];

const PATH = "/v1/tags";
const KEY = "tags";

/** The tags that an account offers, by name. */
export function useTags(account_id: string | null) {
  const may = useMay();
  return useQuery({
    queryKey: [KEY, account_id],
    queryFn: async ({ signal }) => {
      const tags: Tag[] = [];
      const query = { account_id: account_id ?? "", limit: 100 };
      for await (const tag of api.list(PATH, { params: { query }, signal })) tags.push(tag);
      return tags;
    },
    enabled: account_id !== null && may("contacts:read"),
    staleTime: 60_000,
  });
}

/** Their names, to choose from. */
export function useTagNames(account_id: string | null): string[] {
  return useTags(account_id).data?.map(({ name }) => name) ?? [];
}

export function useCreateTag() {
  return useWrite(
    async ({ body, key }: { body: Schemas["TagCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

export function useUpdateTag() {
  return useWrite(
    async ({ tag, body }: { tag: Tag; body: Schemas["TagPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: tag.id }, header: ifMatch(tag.version) } })).data,
    KEY,
  );
}

export function useDeleteTag() {
  return useWrite(
    async ({ id, version }: Tag) =>
      (await api.DELETE(`${PATH}/{id}`, { params: { path: { id }, header: ifMatch(version) } })).data,
    KEY,
  );
}
