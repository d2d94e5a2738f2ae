import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../api/lists.ts";
import { useWrite } from "../../api/writes.ts";

type Schemas = components["schemas"];
export type Provider = Schemas["ProgrammeProvider"];
export type ProviderTest = Schemas["PaymentProviderTest"];

const PATH = "/v1/admin/providers";
const KEY = "programme_providers";

export const listRequest = (archived: boolean) => `GET ${PATH}${queryText({ archived, limit: PAGE_ROWS })}`;

export function useProviders(archived: boolean) {
  return useList<Provider>([KEY, archived], async (cursor, signal) => {
    const query = { archived, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export const useCreateProvider = () =>
  useWrite(
    async ({ body, key }: { body: Schemas["ProgrammeProviderCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );

export const useUpdateProvider = () =>
  useWrite(
    async ({ provider, body }: { provider: Provider; body: Schemas["ProgrammeProviderPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: provider.id }, header: ifMatch(provider.version) } })).data,
    KEY,
  );

export const useArchiveProvider = () =>
  useWrite(async (provider: Provider) => {
    await api.DELETE(`${PATH}/{id}`, { params: { path: { id: provider.id }, header: ifMatch(provider.version) } });
  }, KEY);

export const useTestProvider = () =>
  useWrite(async (id: string) => (await api.POST(`${PATH}/{id}/test`, { params: { path: { id } } })).data, KEY);
