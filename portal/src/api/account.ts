import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "./client.ts";
import { type AccountOfSession, useSession } from "./session.ts";

/**
 * The account whose contacts, deals and conversations a page shows: the one in the address (`/crm/<account>/…`), else the house
 * account of a partner, else the first one a person of a client has.
 */
export function useAccount(): AccountOfSession | null {
  const { account } = useParams({ strict: false }) as { account?: string };
  const session = useSession();
  const own = session.accounts === "all" ? [] : session.accounts;
  const known = own.find(({ id }) => id === account) ?? (account === undefined ? own[0] : undefined);
  const house = session.house_account_id;
  const wanted = known === undefined && account !== undefined && account !== house && account !== "house" ? account : null;
  const found = useQuery({
    queryKey: ["clients", "one", wanted],
    queryFn: async () => (await api.GET("/v1/partners/clients/{id}", { params: { path: { id: wanted ?? "" } } })).data,
    enabled: wanted !== null,
    staleTime: 60_000,
  }).data;
  if (known !== undefined) return known;
  if (wanted !== null) return { id: wanted, company: found?.company ?? "", branding: found?.branding ?? null };
  return house === null
    ? null
    : { id: house, company: session.partner?.company ?? "", branding: session.partner?.branding ?? null };
}
