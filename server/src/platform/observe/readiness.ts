/** Whether the process takes requests: an orchestrator sends them only while it is ready. */
export type Readiness = "starting" | "ready" | "draining";
