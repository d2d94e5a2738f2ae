import type { SandboxRunShown } from "../sandbox/index.ts";

/** How many tests an agent has. */
export const TESTS_MAX = 100;

export const TEST_RUN_STATUSES = ["queued", "running", "passed", "failed"] as const;

/** What a test has shown. */
export type Told = Pick<SandboxRunShown, "status" | "error" | "slots"> & {
  /** Its run of the sandbox; null where it could not begin. */
  run_id: string | null;
  said: string[];
  tools: { name: string; args: object }[];
  effects: { kind: string; after: unknown }[];
  /** The assertions that did not hold. */
  failures: object[];
};

export type Difference = { path: string; from: unknown; to: unknown };

export type Result = Told & {
  test_id: string;
  name: string;
  passed: boolean;
  duration_ms: number;
  /** The same on the version that is compared with; null without one. */
  compared: (Pick<Told, "run_id" | "status"> & { differences: Difference[] }) | null;
};

/** What of a run of the sandbox matters for a test. */
export function toldBy({ id, status, error, slots, transcript, tool_calls, effects, assertions }: SandboxRunShown): Told {
  return {
    run_id: id,
    status,
    error,
    slots,
    said: transcript.flatMap(({ role, text }) => (role === "contact" ? [] : [text])),
    tools: tool_calls.map(({ name, args }) => ({ name, args })),
    effects: effects.map(({ kind, after }) => ({ kind, after })),
    failures: assertions.filter(({ passed }) => !passed).map(({ assertion }) => assertion),
  };
}

/** Whether a test has passed: its assertions hold, or it has none and came to its end. */
export const hasPassed = ({ status }: Pick<Told, "status">) => status === "passed" || status === "completed";

/** What is compared between two versions: what they said and did, not which run it was. */
export const comparable = ({ status, said, tools, effects, slots }: Told) => ({ status, said, tools, effects, slots });
