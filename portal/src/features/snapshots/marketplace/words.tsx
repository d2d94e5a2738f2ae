import { money } from "../../../ui/money.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import type { Column } from "../../../ui/table.tsx";
import type { Listing, Offer, Purchase, PurchaseStatus } from "./data.ts";

type Priced = { price_cents: number; currency: string };

export const priceText = ({ price_cents, currency }: Priced) => (price_cents === 0 ? "Free" : money(price_cents, currency));

/** What was bought, in a list of purchases: of a partner, or of all. */
export const snapshotColumn: Column<Pick<Purchase, "snapshot_name" | "snapshot_version">> = {
  key: "snapshot",
  head: "Snapshot",
  width: "minmax(170px, 1.2fr)",
  cell: ({ snapshot_name, snapshot_version }) => (
    <span className="cut">
      <b className="strong">{snapshot_name}</b> <span className="muted">v{snapshot_version}</span>
    </span>
  ),
};

/** What an offer is to this partner. */
export function OfferState({ offer: { own, purchase_status } }: { offer: Pick<Offer, "own" | "purchase_status"> }) {
  if (own) return <State tone="ended">yours</State>;
  if (purchase_status === "due") return <State tone="wait">payment due</State>;
  if (purchase_status === "completed") return <State tone="live">bought</State>;
  return null;
}

const STATUS: Record<PurchaseStatus, Tone> = { due: "wait", completed: "live", cancelled: "ended" };

export function PurchaseState({ purchase: { status } }: { purchase: Pick<Purchase, "status"> }) {
  return <State tone={STATUS[status]}>{status}</State>;
}

const VISIBLE = { private: "Withdrawn", unlisted: "Those who know its id", marketplace: "Everybody" } as const;
export const visibleText = ({ visibility }: Pick<Listing, "visibility">) => VISIBLE[visibility];

const REVIEW: Record<Listing["review"], readonly [Tone, string]> = {
  pending: ["wait", "waits for review"],
  approved: ["live", "listed"],
  rejected: ["bad", "refused"],
};

/** How the offer of a snapshot stands. */
export function ListingState({ listing }: { listing: Pick<Listing, "review" | "visibility" | "submitted_version"> }) {
  if (listing.visibility === "private") return <State tone="ended">withdrawn</State>;
  const [tone, word] = REVIEW[listing.review];
  return (
    <State tone={tone}>
      v{listing.submitted_version} {word}
    </State>
  );
}
