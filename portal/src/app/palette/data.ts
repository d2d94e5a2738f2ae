import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** A record that was found: what it is called, what it is, and its page. */
export type Found = { id: string; kind: "client" | "deal" | "contact" | "lead"; name: string; more: string; to: string };

const LIMIT = 4;
const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(", ");

/** Of each kind that the person may read, the first few that match what was typed; contacts and leads of the open account. */
export function useRecords(text: string, account: string | undefined, may: (scope: string) => boolean) {
  return useQuery({
    queryKey: ["palette", text, account],
    queryFn: async ({ signal }): Promise<Found[]> => {
      const init = { params: { query: { q: text, limit: LIMIT } }, signal };
      const query = { ...init.params.query, ...(account === undefined ? {} : { account_id: account }) };
      const inAccount = { ...init, params: { query } };
      const searches: Promise<Found[]>[] = [
        may("clients:read") ? clients(init) : Promise.resolve([]),
        may("deals:read") ? deals(init) : Promise.resolve([]),
        may("contacts:read") ? contacts(inAccount) : Promise.resolve([]),
        may("leads:read") ? leads(inAccount) : Promise.resolve([]),
      ];
      // A kind that fails is left out: the others are still worth showing.
      const found = await Promise.allSettled(searches);
      return found.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
    },
    enabled: text.length > 1,
    placeholderData: (before) => before,
    staleTime: 30_000,
  });
}

type Init = { params: { query: { q: string; limit: number; account_id?: string } }; signal: AbortSignal };

const clients = async (init: Init) =>
  (await api.GET("/v1/partners/clients", init)).data.data.map(
    ({ id, company, status, plan }): Found => ({
      id,
      kind: "client",
      name: company,
      more: words("client", status, plan),
      to: `/clients/${id}`,
    }),
  );
const deals = async (init: Init) =>
  (await api.GET("/v1/deals", init)).data.data.map(
    ({ id, name, stage, account_id, sale }): Found => ({
      id,
      kind: "deal",
      name,
      more: words("deal", stage),
      to: sale ? `/deals/${id}` : `/crm/${account_id}/deals/${id}`,
    }),
  );
const contacts = async (init: Init) =>
  (await api.GET("/v1/contacts", init)).data.data.map(
    ({ id, name, company, account_id, email, phone }): Found => ({
      id,
      kind: "contact",
      name: name ?? email ?? phone ?? id,
      more: words("contact", company),
      to: `/crm/${account_id}/contacts/${id}`,
    }),
  );
const leads = async (init: Init) =>
  (await api.GET("/v1/leads", init)).data.data.map(
    ({ id, name, company, account_id, email, phone }): Found => ({
      id,
      kind: "lead",
      name: name ?? email ?? phone ?? id,
      more: words("lead", company),
      to: `/crm/${account_id}/leads/${id}`,
    }),
  );
