import type { Memory, Usage } from "../engine/index.ts";

export const SESSION_STATUSES = ["active", "waiting", "handed_off", "completed", "expired", "failed"] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const TURN_STATES = ["queued", "approved", "running", "done", "superseded", "failed"] as const;

/** How long a session waits for the person. */
export const EXPIRES_AFTER_MS = 24 * 3_600_000;

/** How long an agent waits for the next message before it answers: people write in pieces. */
export const DEBOUNCE_MS = 2_000;

/** How long a worker has a turn; a turn itself ends earlier. */
export const CLAIM_MS = 60_000;
export const TURN_MS = 30_000;
/** After how long a turn is begun again that its worker could not end, by how often that has happened. */
export const RETRY_AFTER_MS = [1_000, 5_000, 15_000, 30_000, 60_000] as const;

/** How often a turn is begun before it is given up. */
export const ATTEMPTS_MAX = 5;

export type SessionOutcome = { kind: "handed_off" | "completed" | "expired" | "failed"; reason: string };

/** The row of a session. */
export type Session = {
  id: string;
  account_id: string;
  agent_id: string;
  agent_version: number;
  conversation_id: string;
  status: SessionStatus;
  memory: Memory;
  turns: number;
  last_ordinal: number;
  usage: Usage;
  last_turn_at: Date;
  version: number;
};

/** An answer from outside, kept so that a turn that runs again does not ask twice. Of what a model was asked, `args` is a hash. */
export type JournalEntry = { call: number; tool: string; args: string; value: unknown };

/** The row of a turn. */
export type TurnRow = {
  id: string;
  account_id: string;
  agent_id: string;
  conversation_id: string;
  session_id: string | null;
  state: (typeof TURN_STATES)[number];
  follow_up: string | null;
  /** What somebody has approved, which is all that the turn does. */
  approval_id: string | null;
  run_at: Date;
  upto_ordinal: number | null;
  claimed_by: string | null;
  claimed_until: Date | null;
  attempts: number;
  journal: JournalEntry[];
};

/** Whether a worker may begin a turn: it is due, or whoever ran it is gone. */
export function isClaimable({ state, run_at, claimed_until }: TurnRow, now: Date): boolean {
  if (state === "queued" || state === "approved") return run_at <= now;
  return state === "running" && claimed_until !== null && claimed_until <= now;
}
