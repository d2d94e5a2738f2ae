/** When the circuit opens for a receiver, and when it is probed. */
export type CircuitRules = {
  window_ms: number;
  attempts_min: number;
  failed_share: number;
  probe_first_ms: number;
  probe_max_ms: number;
};

export const CIRCUIT_RULES: CircuitRules = {
  window_ms: 300_000,
  attempts_min: 10,
  failed_share: 0.7,
  probe_first_ms: 30_000,
  probe_max_ms: 600_000,
};

/** The state that outlives the process: since when the circuit is open, and the next probe. */
export type CircuitState = { degraded_at_ms: number | null; probe_at_ms: number; probes: number };

export type Circuit = {
  readonly state: Readonly<CircuitState>;
  /** Everything, one probe, or nothing for now. */
  admits(now_ms: number): "all" | "probe" | "nothing";
  /** Records an attempt. Returns the change of state, if any. */
  note(succeeded: boolean, now_ms: number): "degraded" | "recovered" | null;
  /** Forgets all failures. */
  reset(): void;
};

type Slice = { number: number; attempts: number; failures: number };

const SLICES = 10;

/**
 * A circuit breaker over a sliding window: when most attempts fail, only probes are sent, at growing intervals, and the first
 * success closes the circuit. Attempts in flight when it opened count as probes.
 */
export function createCircuit(saved: CircuitState, rules: CircuitRules): Circuit {
  const state = { ...saved };
  const slice_ms = rules.window_ms / SLICES;
  let slices: Slice[] = [];

  function count(succeeded: boolean, now_ms: number): { attempts: number; failures: number } {
    const number = Math.floor(now_ms / slice_ms);
    slices = slices.filter((slice) => slice.number > number - SLICES);
    const last = slices.at(-1);
    const current = last?.number === number ? last : { number, attempts: 0, failures: 0 };
    if (current !== last) slices.push(current);
    current.attempts += 1;
    if (!succeeded) current.failures += 1;
    const sum = (part: "attempts" | "failures") => slices.reduce((total, slice) => total + slice[part], 0);
    return { attempts: sum("attempts"), failures: sum("failures") };
  }

  function probeLater(now_ms: number): void {
    const delay_ms = Math.min(rules.probe_first_ms * 2 ** state.probes, rules.probe_max_ms);
    state.probe_at_ms = now_ms + delay_ms;
  }

  function reset(): void {
    Object.assign(state, { degraded_at_ms: null, probe_at_ms: 0, probes: 0 });
    slices = [];
  }

  return {
    state,
    reset,
    admits(now_ms) {
      if (state.degraded_at_ms === null) return "all";
      return now_ms >= state.probe_at_ms ? "probe" : "nothing";
    },
    note(succeeded, now_ms) {
      if (state.degraded_at_ms !== null) {
        if (!succeeded) {
          if (now_ms < state.probe_at_ms) return null;
          state.probes += 1;
          probeLater(now_ms);
          return null;
        }
        reset();
        return "recovered";
      }
      const { attempts, failures } = count(succeeded, now_ms);
      if (succeeded || attempts < rules.attempts_min || failures < attempts * rules.failed_share) return null;
      Object.assign(state, { degraded_at_ms: now_ms, probes: 0 });
      probeLater(now_ms);
      return "degraded";
    },
  };
}
