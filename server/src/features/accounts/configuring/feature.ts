import type { Feature } from "../../../platform/feature.ts";

/** The contract of what snapshots carry from account to account. */
export const feature: Feature = { name: "accounts/configuring", uses: [], reads: [] };
