import { money } from "../../../ui/money.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import type { AffiliateLink, LinkTotals } from "./data.ts";

const TONES: Record<AffiliateLink["status"], Tone> = { active: "live", paused: "wait", archived: "ended", blocked: "bad" };

export const isExpired = ({ expires_at }: Pick<AffiliateLink, "expires_at">) =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

export function LinkState({ link }: { link: Pick<AffiliateLink, "status" | "expires_at"> }) {
  if (link.status === "active" && isExpired(link)) return <State tone="ended">expired</State>;
  return <State tone={TONES[link.status]}>{link.status}</State>;
}

/** An address without what is the same in all: "shop.example/pricing". */
export const short = (url: string) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");

export const hostOf = (url: string) => new URL(url).host;

type Part = readonly [figure: string, word: string];

const counted = (count: number, one: string): Part => [count.toLocaleString("en-US"), `${one}${count === 1 ? "" : "s"}`];

/** What is not nothing, and clicks always. */
function partsOf({ clicks, leads, deals, won, commissions }: LinkTotals): readonly Part[] {
  return [
    counted(clicks, "click"),
    ...(leads > 0 ? [counted(leads, "lead")] : []),
    ...(deals > 0 ? [counted(deals, "deal")] : []),
    ...(won > 0 ? [[String(won), "won"] as const] : []),
    ...(commissions.length > 0 ? [[earnedText(commissions), "earned"] as const] : []),
  ];
}

/** "359 clicks, 1 deal". */
export const broughtText = (totals: LinkTotals) =>
  partsOf(totals)
    .map((part) => part.join(" "))
    .join(", ");

/** The same in an answer, where figures stand. */
export function Brought({ totals }: { totals: LinkTotals }) {
  return partsOf(totals).map(([figure, word], index) => (
    <span key={word}>
      {index > 0 && ", "}
      <b>{figure}</b> {word}
    </span>
  ));
}

/** "$74.85 and €12.00"; empty where nothing was earned. */
export const earnedText = (commissions: LinkTotals["commissions"]) =>
  commissions.map(({ amount_cents, currency }) => money(amount_cents, currency)).join(" and ");
