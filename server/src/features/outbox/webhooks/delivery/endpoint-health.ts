import { type Circuit, type CircuitRules, createCircuit } from "../../../../platform/delivery/circuit.ts";
import type { LaneHealth } from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";

type Streak = Pick<LaneHealth, "failing_since" | "failures" | "last_success_at" | "last_failure_at">;

/** How an endpoint has answered, and what its circuit breaker admits. */
export class EndpointHealth {
  readonly #circuit: Circuit;
  #streak: Streak;
  #unsaved = false;

  constructor(row: LaneHealth, rules: CircuitRules) {
    const { degraded_at, probe_at, probes, failing_since, failures, last_success_at, last_failure_at } = row;
    this.#streak = { failing_since, failures, last_success_at, last_failure_at };
    this.#circuit = createCircuit(
      { degraded_at_ms: degraded_at?.getTime() ?? null, probe_at_ms: probe_at?.getTime() ?? 0, probes },
      rules,
    );
  }

  get degraded(): boolean {
    return this.#circuit.state.degraded_at_ms !== null;
  }

  get unsaved(): boolean {
    return this.#unsaved;
  }

  admits(now_ms: number): ReturnType<Circuit["admits"]> {
    return this.#circuit.admits(now_ms);
  }

  note(succeeded: boolean, now: Date): ReturnType<Circuit["note"]> {
    const { failing_since, failures } = this.#streak;
    this.#streak = succeeded
      ? { ...this.#streak, failing_since: null, failures: 0, last_success_at: now }
      : { ...this.#streak, failing_since: failing_since ?? now, failures: failures + 1, last_failure_at: now };
    this.#unsaved = true;
    return this.#circuit.note(succeeded, now.getTime());
  }

  /** Whether it has failed for so long, so often and so steadily that it is to be disabled. */
  shouldDisable(options: DeliveryOptions): boolean {
    const { failing_since, last_failure_at, last_success_at, failures } = this.#streak;
    if (failing_since === null || last_failure_at === null || failures < options.disable_failures) return false;
    const failing_ms = last_failure_at.getTime() - failing_since.getTime();
    const without_success_ms = last_failure_at.getTime() - (last_success_at ?? failing_since).getTime();
    return failing_ms >= options.disable_span_ms && without_success_ms >= options.disable_after_ms;
  }

  closeCircuit(): void {
    this.#circuit.reset();
  }

  /** Forgets all failures: an endpoint that is enabled again starts afresh. */
  reset(): void {
    this.#streak = { ...this.#streak, failing_since: null, failures: 0 };
    this.#circuit.reset();
    this.#unsaved = true;
  }

  markSaved(): void {
    this.#unsaved = false;
  }

  markUnsaved(): void {
    this.#unsaved = true;
  }

  snapshot(): LaneHealth {
    const { degraded_at_ms, probe_at_ms, probes } = this.#circuit.state;
    return {
      ...this.#streak,
      degraded_at: degraded_at_ms === null ? null : new Date(degraded_at_ms),
      probe_at: degraded_at_ms === null ? null : new Date(probe_at_ms),
      probes,
    };
  }
}
