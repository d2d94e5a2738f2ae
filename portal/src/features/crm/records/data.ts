import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { components } from "@tributary/sdk";
import { api, ifMatch } from "../../../api/client.ts";
import { PAGE_ROWS, useList } from "../../../api/lists.ts";
import { isPartnerWide, useMay, useSession } from "../../../api/session.ts";

type Schemas = components["schemas"];
export type Note = Schemas["Note"];
export type TimelineEntry = Schemas["TimelineEntry"];
export type CustomField = Schemas["CustomField"];
export type Custom = Schemas["Contact"]["custom"];
export type Resource = CustomField["resource"];

/** The account whose records are shown. Records of a client that is not active cannot be changed. */
export type Account = { id: string; company: string; currency: string; house: boolean; readOnly: string | null };

/** The account of an address: found, not there (null), or not known yet (undefined). */
export function useAccountOf(id: string): { account: Account | null | undefined; error: Error | null; retry(): void } {
  const session = useSession();
  const house = session.house_account_id;
  const ofPartner = isPartnerWide(session);
  const isHouse = house !== null && (id === "house" || id === house);
  const allowed = isHouse || ofPartner || (session.accounts !== "all" && session.accounts.some((own) => own.id === id));
  const query = useQuery({
    queryKey: ["clients", "one", id],
    queryFn: async () => (await api.GET("/v1/partners/clients/{id}", { params: { path: { id } } })).data,
    enabled: allowed && !isHouse,
    staleTime: 60_000,
  });
  const retry = () => void query.refetch();
  if (!allowed) return { account: null, error: null, retry };
  if (isHouse) {
    const { company = "", currency = "usd" } = session.partner ?? {};
    return { account: { id: house, company, currency, house: true, readOnly: null }, error: null, retry };
  }
  if (query.data === undefined) return { account: undefined, error: query.error, retry };
  const { company, currency, status } = query.data;
  const readOnly = status === "suspended" || status === "churned" ? status : null;
  return { account: { id, company, currency, house: false, readOnly }, error: null, retry };
}

/** The names of the team by id, as far as the person may see them; always their own. */
export function usePeople(): { id: string; name: string }[] {
  const session = useSession();
  const may = useMay();
  const people = useQuery({
    queryKey: ["users", "names"],
    queryFn: async ({ signal }) => (await api.GET("/v1/partners/users", { params: { query: { limit: 100 } }, signal })).data.data,
    enabled: may("account:read") && isPartnerWide(session),
    staleTime: 60_000,
  });
  const { id, name } = session.user;
  return people.data?.map((person) => ({ id: person.id, name: person.name })) ?? [{ id, name }];
}

/** The custom fields of an account and a kind of record, those in use first. */
export function useCustomFields(account: string, resource?: Resource) {
  return useQuery({
    queryKey: ["custom_fields", account, resource ?? "all"],
    queryFn: async ({ signal }) => {
      const query = { account_id: account, limit: 100, ...(resource ? { resource } : {}) };
      const fields: CustomField[] = [];
      for await (const field of api.list("/v1/custom-fields", { params: { query }, signal })) fields.push(field);
      return fields.toSorted((a, b) => Number(a.archived) - Number(b.archived));
    },
    staleTime: 60_000,
  });
}

/** Records that have notes and a timeline. */
export type Kind = "contacts" | "leads";

export function useTimeline(kind: Kind, id: string) {
  return useList<TimelineEntry>(
    [kind, "timeline", id],
    async (cursor, signal) => {
      const init = { params: { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } }, signal };
      return kind === "contacts"
        ? (await api.GET("/v1/contacts/{id}/timeline", init)).data
        : (await api.GET("/v1/leads/{id}/timeline", init)).data;
    },
    true,
    undefined,
    ["messages", "payments"],
  );
}

export function useNotes(kind: Kind, id: string) {
  return useList<Note>([kind, "notes", id], async (cursor, signal) => {
    const init = { params: { path: { id }, query: { limit: PAGE_ROWS, ...(cursor ? { cursor } : {}) } }, signal };
    return kind === "contacts"
      ? (await api.GET("/v1/contacts/{id}/notes", init)).data
      : (await api.GET("/v1/leads/{id}/notes", init)).data;
  });
}

/** What can be done with the notes of a record. */
export function useNoteActs(kind: Kind, id: string) {
  const queries = useQueryClient();
  const onSuccess = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [kind, "notes", id] }),
      queries.invalidateQueries({ queryKey: [kind, "timeline", id] }),
    ]);
  const add = useMutation({
    mutationFn: async (body: string) => {
      const init = { body: { body }, params: { path: { id } } };
      return kind === "contacts"
        ? (await api.POST("/v1/contacts/{id}/notes", init)).data
        : (await api.POST("/v1/leads/{id}/notes", init)).data;
    },
    onSuccess,
  });
  const change = useMutation({
    mutationFn: async ({ note, body }: { note: Note; body: string }) => {
      const params = { path: { id: note.record_id, note_id: note.id }, header: ifMatch(note.version) };
      return note.record_id.startsWith("con_")
        ? (await api.PATCH("/v1/contacts/{id}/notes/{note_id}", { body: { body }, params })).data
        : (await api.PATCH("/v1/leads/{id}/notes/{note_id}", { body: { body }, params })).data;
    },
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: async (note: Note) => {
      const params = { path: { id: note.record_id, note_id: note.id }, header: ifMatch(note.version) };
      if (note.record_id.startsWith("con_")) await api.DELETE("/v1/contacts/{id}/notes/{note_id}", { params });
      else await api.DELETE("/v1/leads/{id}/notes/{note_id}", { params });
    },
    onSuccess,
  });
  return { add, change, remove };
}
