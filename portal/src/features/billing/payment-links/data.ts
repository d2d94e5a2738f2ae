import { useQuery } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";
import { useWrite } from "../../../api/writes.ts";

type Schemas = components["schemas"];
export type PaymentLink = Schemas["PaymentLink"];
export type LinkStatus = PaymentLink["status"];
export type LinkBody = Schemas["PaymentLinkCreate"];
export type LinkPatch = Schemas["PaymentLinkPatch"];
export type LineItem = Schemas["PaymentLineItem"];
export type Attempt = Schemas["PaymentAttempt"];
export type RecordBody = Schemas["PaymentRecord"];
export type Conversation = Schemas["Conversation"];
export type Deal = Schemas["Deal"];
export type Channel = Schemas["PaymentLinkSend"]["channels"][number];
export type LinkAction = "cancel" | "close" | "disable" | "enable";

/** What the list is narrowed to, as the API names it. */
export type LinkFilter = {
  account_id: string;
  status?: LinkStatus;
  contact_id?: string;
  deal_id?: string;
  created_after?: string;
  created_before?: string;
};

const PATH = "/v1/billing/payment-links";
const KEY = "payment_links";
/** What an act on a link changes besides the link. */
const CHANGED = [KEY, "payments", "contacts"] as const;

export const listRequest = (filter: LinkFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: LinkFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function usePaymentLinks(filter: LinkFilter, enabled = true) {
  return useList<PaymentLink>(
    [KEY, "list", filter],
    async (cursor, signal) => {
      const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data;
    },
    enabled,
  );
}

export function usePaymentLink(id: string) {
  return useQuery({
    queryKey: [KEY, "one", id],
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, signal })).data,
    // What becomes of its messages is shown, too.
    meta: { live: ["messages", "payments"] },
  });
}

/** Who has tried to pay a link, newest first. */
export function useAttempts(id: string) {
  return useList<Attempt>([KEY, "attempts", id], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(`${PATH}/{id}/attempts`, { params: { path: { id }, query }, signal })).data;
  });
}

export function useCreateLink() {
  return useWrite(
    async ({ body, key }: { body: LinkBody; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    ...CHANGED,
  );
}

export function useUpdateLink() {
  return useWrite(
    async ({ link, body }: { link: PaymentLink; body: LinkPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: link.id }, header: ifMatch(link.version) } })).data,
    KEY,
  );
}

/** Cancels, closes, disables or enables a link. */
export function useMoveLink() {
  return useWrite(async ({ link, action }: { link: PaymentLink; action: LinkAction }) => {
    const init = { params: { path: { id: link.id }, header: ifMatch(link.version) } };
    return (await api.POST(`${PATH}/{id}/${action}`, init)).data;
  }, KEY);
}

/** Money that came another way. */
export function useRecordPayment() {
  return useWrite(
    async ({ id, body, key }: { id: string; body: RecordBody; key: string }) =>
      (await api.POST(`${PATH}/{id}/record-payment`, { body, params: { path: { id }, header: idempotency(key) } })).data,
    ...CHANGED,
  );
}

/** Sends a link, or reminds of it, by messages on these channels. */
export function useSendLink(how: "send" | "remind") {
  return useWrite(
    async ({ link, channels }: { link: PaymentLink; channels: Channel[] }) =>
      (await api.POST(`${PATH}/{id}/${how}`, { body: { channels }, params: { path: { id: link.id } } })).data,
    KEY,
    "conversations",
    "messages",
  );
}

/** Open deals that a link may be about: those of the contact, or while something is typed those of the account that are like it. */
export function useDealsFor(account_id: string, contact_id: string | null, text: string, enabled: boolean) {
  return useQuery({
    queryKey: ["deals", "for link", account_id, contact_id, text],
    queryFn: async ({ signal }): Promise<Deal[]> => {
      const like = text.trim() === "" ? (contact_id === null ? {} : { contact_id }) : { q: text };
      const query = { account_id, status: ["open" as const], limit: 6, ...like };
      return (await api.GET("/v1/deals", { params: { query }, signal })).data.data;
    },
    enabled,
    placeholderData: (before) => before,
  });
}

/** The deal that a link is about. */
export function useDealOf(id: string | null, enabled: boolean) {
  return useQuery({
    queryKey: ["deals", "of link", id],
    queryFn: async ({ signal }): Promise<Deal> =>
      (await api.GET("/v1/deals/{id}", { params: { path: { id: id ?? "" } }, signal })).data,
    enabled: enabled && id !== null,
  });
}

/** The latest conversation with a contact; null if there is none. */
export function useConversationWith(contact_id: string | null, enabled: boolean) {
  return useQuery({
    queryKey: ["conversations", "with", contact_id],
    queryFn: async ({ signal }): Promise<Conversation | null> => {
      const query = { contact_id: contact_id ?? "", limit: 1 };
      return (await api.GET("/v1/conversations", { params: { query }, signal })).data.data[0] ?? null;
    },
    enabled: enabled && contact_id !== null,
  });
}
