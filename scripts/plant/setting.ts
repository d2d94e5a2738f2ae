import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Everything that is made here. */
export const PLANT_DIR = join(ROOT, ".plant");
export const COVERAGE_DIR = join(PLANT_DIR, "coverage");
/** A clone of the last commit, in which the bugs are planted: one that is never taken out again does no harm there. */
export const COPY = join(PLANT_DIR, "copy");

/** What a test file takes, and which functions of which files it calls. */
export type Coverage = { file: string; ms: number; calls: Record<string, string[]> };
