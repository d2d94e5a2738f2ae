import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, idempotency, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, queryText, useList } from "../../../api/lists.ts";

type Schemas = components["schemas"];
export type Contact = Schemas["Contact"];
export type ContactPatch = Schemas["ContactPatch"];
export type Consents = Schemas["Consents"];
export type Pair = Schemas["DuplicatePair"];
export type Channel = "sms" | "email" | "whatsapp" | "calls";
export type Taken = NonNullable<Schemas["MergeRequest"]["take"]>[number];
type Deal = Schemas["Deal"];
type Lead = Schemas["Lead"];

export const CHANNELS: readonly Channel[] = ["sms", "email", "whatsapp", "calls"];
export const SORTS = ["-updated_at", "-created_at", "created_at", "name"] as const;
export type Sort = (typeof SORTS)[number];

/** What the list is narrowed to, as the API names it. */
export type ContactFilter = { account_id: string; sort: Sort } & Record<string, string | string[]>;

const PATH = "/v1/contacts";
const keys = {
  all: ["contacts"] as const,
  list: (filter: ContactFilter) => ["contacts", "list", filter] as const,
  one: (id: string) => ["contacts", "one", id] as const,
  consent: (id: string) => ["contacts", "consent", id] as const,
};

export const listRequest = (filter: ContactFilter) => `GET ${PATH}${queryText({ ...filter, limit: PAGE_ROWS })}`;
export const exportAddress = (filter: ContactFilter) => `/portal/api${PATH}${queryText({ ...filter, format: "csv" })}`;

export function useContacts(filter: ContactFilter) {
  return useList<Contact>(keys.list(filter), async (cursor, signal) => {
    const query = { ...filter, limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) };
    return (await api.GET(PATH, { params: { query }, signal })).data;
  });
}

const readContact = async (id: string, signal?: AbortSignal) =>
  (await api.GET(`${PATH}/{id}`, { params: { path: { id } }, ...(signal ? { signal } : {}) })).data;

export function useContact(id: string, enabled = true) {
  return useQuery({ queryKey: keys.one(id), queryFn: ({ signal }) => readContact(id, signal), enabled: enabled && id !== "" });
}

/** The contact as it is now, whatever is shown. */
export function useReadContact() {
  const queries = useQueryClient();
  return (id: string) => queries.fetchQuery({ queryKey: keys.one(id), queryFn: () => readContact(id), staleTime: 0 });
}

/** A few contacts of an account, for choices and for the palette. */
export function useContactsLike(account: string | undefined, text: string, enabled = true) {
  return useQuery({
    queryKey: ["contacts", "like", account, text],
    queryFn: async ({ signal }) => {
      const query = { q: text, limit: 6, ...(account ? { account_id: account } : {}) };
      return (await api.GET(PATH, { params: { query }, signal })).data.data;
    },
    enabled: enabled && text.trim() !== "",
    placeholderData: (before) => before,
  });
}

/** Pairs of an account that are likely the same person. */
export function useDuplicates(account: string, enabled: boolean) {
  return useList<Pair>(
    ["contacts", "duplicates", account],
    async (cursor, signal) => {
      const query = { account_id: account, limit: 100, ...(cursor ? { cursor } : {}) };
      return (await api.GET(`${PATH}/duplicates`, { params: { query }, signal })).data;
    },
    enabled,
  );
}

/** The deals of a person, also those of contacts merged into it. */
export function useDealsOf(contact: string, enabled: boolean) {
  return useQuery({
    queryKey: ["deals", "of contact", contact],
    queryFn: async ({ signal }): Promise<Deal[]> =>
      (await api.GET("/v1/deals", { params: { query: { contact_id: contact, limit: 20 } }, signal })).data.data,
    enabled,
  });
}

/** The leads that became this contact. */
export function useLeadsOf(contact: string, enabled: boolean) {
  return useQuery({
    queryKey: ["leads", "of contact", contact],
    queryFn: async ({ signal }): Promise<Lead[]> =>
      (await api.GET("/v1/leads", { params: { query: { contact_id: contact, limit: 20 } }, signal })).data.data,
    enabled,
  });
}

/** After a write: the record is known, everything else about contacts is read again. */
function useChanged() {
  const queries = useQueryClient();
  return async (contact?: Contact) => {
    if (contact) queries.setQueryData(keys.one(contact.id), contact);
    await queries.invalidateQueries({ queryKey: keys.all });
  };
}

export function useCreateContact() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ body, key }: { body: Schemas["ContactCreate"]; key: string }) =>
      (await api.POST(PATH, { body, params: { header: idempotency(key) } })).data,
    onSuccess: changed,
  });
}

export function useUpdateContact() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ contact, body }: { contact: Contact; body: ContactPatch }) =>
      (await api.PATCH(`${PATH}/{id}`, { body, params: { path: { id: contact.id }, header: ifMatch(contact.version) } })).data,
    onSuccess: changed,
  });
}

export function useDeleteContact() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ contact, erase }: { contact: Contact; erase: boolean }) => {
      const params = { path: { id: contact.id } };
      if (erase) await api.POST(`${PATH}/{id}/erase`, { params });
      else await api.DELETE(`${PATH}/{id}`, { params: { ...params, header: ifMatch(contact.version) } });
    },
    onSuccess: (_, { contact }) => {
      queries.removeQueries({ queryKey: keys.one(contact.id) });
      return queries.invalidateQueries({ queryKey: ["contacts", "list"] });
    },
  });
}

/** Changes many at once; each has its own result. */
export function useBulkContacts() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (body: Schemas["ContactBulk"]) => (await api.POST(`${PATH}/bulk`, { body })).data,
    onSuccess: () => changed(),
  });
}

export function useConsents(id: string) {
  return useQuery({
    queryKey: keys.consent(id),
    queryFn: async ({ signal }) => (await api.GET(`${PATH}/{id}/consent`, { params: { path: { id } }, signal })).data,
  });
}

export function useSetConsents() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ id, body }: { id: string; body: Schemas["ConsentPut"] }) =>
      (await api.PUT(`${PATH}/{id}/consent`, { body, params: { path: { id } } })).data,
    onSuccess: () => changed(),
  });
}

export function useMerge() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async ({ into, from, take }: { into: Contact; from: Contact; take: Taken[] }) => {
      const params = { path: { id: into.id }, header: ifMatch(into.version) };
      return (await api.POST(`${PATH}/{id}/merge`, { body: { from_id: from.id, take }, params })).data;
    },
    onSuccess: ({ contact }) => changed(contact),
  });
}

export function useUndoMerge() {
  const changed = useChanged();
  return useMutation({
    mutationFn: async (id: string) => (await api.POST(`${PATH}/merges/{id}/undo`, { params: { path: { id } } })).data,
    onSuccess: ({ contact }) => changed(contact),
  });
}
