import { money } from "../../../ui/money.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import type { AffiliateLink, LinkTotals } from "./data.ts";

const TONES: Record<AffiliateLink["status"], Tone> = { active: "live", paused: "wait", archived: "ended" };

export const isExpired = ({ expires_at }: Pick<AffiliateLink, "expires_at">) =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

export function LinkState({ link }: { link: Pick<AffiliateLink, "status" | "expires_at"> }) {
  if (link.status === "active" && isExpired(link)) return <State tone="ended">expired</State>;
  return <State tone={TONES[link.status]}>{link.status}</State>;
}

/** An address without what is the same in all: "shop.example/pricing". */
export const short = (url: string) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

export const hostOf = (url: string) => new URL(url).host;

const counted = (count: number, one: string) => `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;

/** "359 clicks, 1 deal": what is not nothing, clicks always. */
export function broughtText({ clicks, leads, deals, won, commissions }: LinkTotals): string {
  return [
    counted(clicks, "click"),
    leads > 0 && counted(leads, "lead"),
    deals > 0 && counted(deals, "deal"),
    won > 0 && `${won} won`,
    earnedText(commissions) && `${earnedText(commissions)} earned`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** "$74.85 and €12.00"; empty where nothing was earned. */
export const earnedText = (commissions: LinkTotals["commissions"]) =>
  commissions.map(({ amount_cents, currency }) => money(amount_cents, currency)).join(" and ");
