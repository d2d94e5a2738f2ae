import type { components } from "@tributary/sdk";
import { api, idempotency } from "../../../api/client.ts";
import { PAGE_ROWS, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type SubPartner = Schemas["SubPartner"];
export type SubPartnerBody = Schemas["SubPartnerCreate"];

const PATH = "/v1/partners/sub-partners";
export const LIST_REQUEST = `GET ${PATH}?limit=${PAGE_ROWS}`;
export const EXPORT = `/portal/api${PATH}?format=csv`;

/** What is earned through them changes with commissions, so the key begins with these. */
export function useSubPartners() {
  return useList<SubPartner>(["commissions", "sub-partners"], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

export const useInviteSubPartner = () =>
  useWrite(
    async ({ body, key }: { body: SubPartnerBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    "commissions",
  );
