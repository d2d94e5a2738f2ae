import type { Feature } from "../../../platform/feature.ts";

export const feature: Feature = {
  name: "inbox/conversations",
  uses: ["inbox/channels"],
  reads: [],
};
