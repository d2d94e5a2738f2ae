import { Switch } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { PercentInput } from "../../ui/amount.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "../operator.module.css";
import type { Programme } from "./data.ts";

/** The settings of the marketplace, as the form shows them. */
export const marketplaceValuesOf = ({ marketplace_review, marketplace_share_bps }: Programme) => ({
  marketplace_review,
  marketplace_share_bps: (marketplace_share_bps / 100) as number | string,
});

export type MarketplaceValues = ReturnType<typeof marketplaceValuesOf>;

/** As the API wants it. */
export const marketplaceBodyOf = ({ marketplace_review, marketplace_share_bps }: MarketplaceValues) => ({
  marketplace_review,
  marketplace_share_bps: Math.round(Number(marketplace_share_bps) * 100),
});

/** What sellers of snapshots get, and whether you see their versions first. */
// biome-ignore lint/suspicious/noExplicitAny: any form that has these fields
export function Marketplace({ form }: { form: UseFormReturnType<any> }) {
  const { marketplace_review: reviewed } = form.values as MarketplaceValues;
  return (
    <Section title="Marketplace">
      <div className={classes.fields}>
        <PercentInput
          label="Share of the seller"
          description="Of the price of a snapshot, rounded down; the rest is yours"
          {...form.getInputProps("marketplace_share_bps")}
        />
        <Switch
          label="You review what partners list"
          description={reviewed ? "Each version waits for you before others see it." : "Each version is listed at once."}
          {...form.getInputProps("marketplace_review", { type: "checkbox" })}
        />
        <p className="muted">The share is for purchases from now on.</p>
      </div>
    </Section>
  );
}
