import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type Channel = Schemas["Channel"];
export type ChannelKind = Channel["kind"];
export type ChannelTest = Schemas["ChannelTest"];

const PATH = "/v1/channels";
const KEY = "channels";
/** Their state changes without a hint: a provider begins to refuse one. */
const REFRESH_MS = 15_000;

export const listRequest = (account_id: string, archived = false) =>
  `GET ${PATH}?account_id=${account_id}${archived ? "&archived=true" : ""}`;

/** The channels of an account in use, or its archived ones. */
export function useChannels(account_id: string, archived = false, enabled = true) {
  return useQuery({
    queryKey: [KEY, account_id, archived],
    queryFn: async ({ signal }) => {
      const channels: Channel[] = [];
      const query = { account_id, archived, limit: 100 };
      for await (const channel of api.list(PATH, { params: { query }, signal })) channels.push(channel);
      return channels;
    },
    refetchInterval: REFRESH_MS,
    enabled,
  });
}

export function useChannel(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    enabled: id !== "",
  });
}

export function useCreateChannel() {
  return useWrite(
    async ({ body, key }: { body: Schemas["ChannelCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    KEY,
  );
}

export function useUpdateChannel() {
  return useWrite(
    async ({ channel, body }: { channel: Channel; body: Schemas["ChannelPatch"] }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: channel.id }, header: ifMatch(channel.version) } })).data,
    KEY,
  );
}

export function useArchiveChannel() {
  return useWrite(async (channel: Channel) => {
    await api.DELETE(`${PATH}/{id}`, { params: { path: { id: channel.id }, header: ifMatch(channel.version) } });
  }, KEY);
}

/** Asks the provider whether it accepts the channel. */
export function useTestChannel() {
  return useWrite(async (id: string) => (await api.POST(`${PATH}/{id}/test`, { params: { path: { id } } })).data, KEY);
}
