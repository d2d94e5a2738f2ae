import { createSnapshot, createVersion } from "../snapshots/catalogue/index.ts";
import { approveListing, buySnapshot, setListing } from "../snapshots/marketplace/index.ts";
import type { Step } from "./demo.ts";
import { DEMO_OFFERS, type DemoOffer } from "./marketplace.demo.ts";

/** Approved on the day after. */
const REVIEWED_DAYS_AFTER = 1;

/** What the demo partners sell to each other. */
export function marketplaceSteps(): Step[] {
  return DEMO_OFFERS.flatMap(offerSteps);
}

function offerSteps(offer: DemoOffer): Step[] {
  const { by, name, description, manifest, days_ago, price_cents, currency, bought_days_ago, next } = offer;
  const terms = { visibility: "marketplace", price_cents, currency } as const;
  let id = "";
  return [
    {
      by,
      days_ago,
      async act(ctx) {
        ({ id } = await createSnapshot(ctx, { name, description, manifest }));
        await setListing(ctx, id, terms);
      },
    },
    { by: "operator", days_ago: days_ago - REVIEWED_DAYS_AFTER, act: (ctx) => approveListing(ctx, id) },
    ...(bought_days_ago === undefined
      ? []
      : [
          {
            by: by === "partner" ? "sub_partner" : "partner",
            days_ago: bought_days_ago,
            act: (ctx) => buySnapshot(ctx, id, { price_cents, currency }),
          } satisfies Step,
        ]),
    ...(next === undefined
      ? []
      : [
          {
            by,
            days_ago: next.days_ago,
            async act(ctx) {
              await createVersion(ctx, id, { manifest: next.manifest, changelog: next.changelog });
              await setListing(ctx, id, terms);
            },
          } satisfies Step,
        ]),
  ];
}
