import { fail } from "../../../kernel/errors.ts";

/** Longer than any transaction runs, so that nothing is recorded afterwards with a time before it. */
const SETTLED_AFTER_MS = 60_000;

/** The instant that a reader asks about, or null for now; 400 where what happened by then may not be recorded yet. */
export function asOfTime(as_of: string | undefined, now: Date): Date | null {
  if (as_of === undefined) return null;
  const at = new Date(as_of);
  if (now.getTime() - at.getTime() >= SETTLED_AFTER_MS) return at;
  const detail = "as_of must be at least 60 seconds ago. Leave it out for the current state.";
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/as_of", code: "too_recent", detail }] });
}
