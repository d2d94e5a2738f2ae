import type { Feature } from "../../../platform/feature.ts";

/** How models are asked: any service with the chat completions of OpenAI. */
export const feature: Feature = { name: "agents/models", uses: ["agents/engine"], reads: [] };
