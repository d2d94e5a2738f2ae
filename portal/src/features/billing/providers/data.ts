import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Provider = Schemas["PaymentProvider"];
export type ProviderKind = Provider["kind"];
export type ProviderBody = Schemas["PaymentProviderCreate"];
export type ProviderTest = Schemas["PaymentProviderTest"];
export type ProviderPatch = Schemas["PaymentProviderPatch"];

const PATH = "/v1/billing/providers";
const KEY = "payment_providers";

export const listRequest = (archived = false) => `GET ${PATH}${archived ? "?archived=true" : ""}`;

/** The providers of an account, and those of all accounts of the partner: an account's own come first. */
export function useProviders(account_id: string, archived = false) {
  return useQuery({
    queryKey: [KEY, account_id, archived],
    queryFn: async ({ signal }) => {
      const providers: Provider[] = [];
      const query = { archived, limit: 100 };
      for await (const provider of api.list(PATH, { params: { query }, signal })) providers.push(provider);
      return providers
        .filter((provider) => provider.account_id === null || provider.account_id === account_id)
        .toSorted((one, other) => Number(one.account_id === null) - Number(other.account_id === null));
    },
  });
}

export function useCreateProvider() {
  return useWrite(
    async ({ body, key }: { body: ProviderBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

export function useUpdateProvider() {
  return useWrite(
    async ({ provider, body }: { provider: Provider; body: ProviderPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: provider.id }, header: ifMatch(provider.version) } })).data,
    KEY,
  );
}

export function useArchiveProvider() {
  return useWrite(async (provider: Provider) => {
    await api.DELETE(`${PATH}/{id}`, { params: { path: { id: provider.id }, header: ifMatch(provider.version) } });
  }, KEY);
}

/** Asks the provider whether it accepts the secrets. */
export function useTestProvider() {
  return useWrite(async (id: string) => (await api.POST(`${PATH}/{id}/test`, { params: { path: { id } } })).data, KEY);
}
