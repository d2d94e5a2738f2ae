import { BASE } from "./base.ts";
import { type Branding, useSession } from "./session.ts";

type Branded = { id: string; branding: Branding | null };

/** Where the logo of an account is, at our own origin; null without one. Its address changes with the logo. */
export function logoOf({ id, branding }: Branded): string | null {
  const url = branding?.logo_url;
  return url === undefined ? null : `${BASE}/logo/${id}?of=${encodeURIComponent(url)}`;
}

/** The logo of a client among others: only its own, since the partner's would tell none of them from the others. */
export function useOwnLogo(): (client: Branded) => string | null {
  const partner = useSession().partner?.branding?.logo_url;
  return (client) => (client.branding?.logo_url === partner ? null : logoOf(client));
}

/** The partner's logo, for those who have its own account. */
export function usePartnerLogo(): string | null {
  const { house_account_id, partner } = useSession();
  return house_account_id === null || partner === null ? null : logoOf({ id: house_account_id, branding: partner.branding });
}
