/** Readiness of the process: an orchestrator sends requests only while it is ready. */
export type Readiness = "starting" | "ready" | "draining";
