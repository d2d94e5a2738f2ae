import { useComputedColorScheme } from "@mantine/core";
import { useAccount } from "../../api/account.ts";
import { isPartnerWide, useSession } from "../../api/session.ts";
import { accentOf } from "../../ui/accent.ts";

export type Brand = { name: string; own: boolean; tokens: React.CSSProperties };

/** The name and colour of the side: of a client in its CRM, of the partner or the programme elsewhere. */
export function useBrand(address: string): Brand {
  const session = useSession();
  const account = useAccount();
  const scheme = useComputedColorScheme("light");
  const partner = session.partner?.company ?? session.programme.name;
  const inCrm = address.startsWith("/crm/") || (session.partner !== null && !isPartnerWide(session));
  if (!inCrm || account === null || account.id === session.house_account_id) return { name: partner, own: false, tokens: {} };
  const { product_name, primary_color } = account.branding ?? {};
  return {
    name: product_name ?? account.company,
    own: true,
    tokens: primary_color ? (accentOf(primary_color, scheme) as React.CSSProperties) : {},
  };
}
