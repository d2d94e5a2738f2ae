import { useComputedColorScheme } from "@mantine/core";
import { useAccount } from "../../api/account.ts";
import { logoOf, usePartnerLogo } from "../../api/logo.ts";
import { isPartnerWide, useSession } from "../../api/session.ts";
import { accentOf } from "../../ui/accent.ts";

export type Brand = { name: string; own: boolean; logo: string | null; tokens: React.CSSProperties };

/** The name, logo and colour of the side: of a client in its CRM, of the partner or the programme elsewhere. */
export function useBrand(address: string): Brand {
  const session = useSession();
  const account = useAccount();
  const partnerLogo = usePartnerLogo();
  const scheme = useComputedColorScheme("light");
  const partner = session.partner?.company ?? session.programme.name;
  const inCrm = address.startsWith("/crm/") || (session.partner !== null && !isPartnerWide(session));
  if (!inCrm || account === null || account.id === session.house_account_id)
    return { name: partner, own: false, logo: partnerLogo, tokens: {} };
  const { product_name, primary_color } = account.branding ?? {};
  return {
    name: product_name ?? account.company,
    own: true,
    logo: logoOf(account),
    tokens: primary_color ? (accentOf(primary_color, scheme) as React.CSSProperties) : {},
  };
}
