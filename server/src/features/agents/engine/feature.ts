import type { Feature } from "../../../platform/feature.ts";

/** The playbook language and its interpreter: pure, so that live conversations and the sandbox run the same code. */
export const feature: Feature = { name: "agents/engine", uses: [], reads: [] };
