/** The number of concurrent requests to one receiver, and when it counts as slow. */
export type FlowRules = { start: number; slow_ms: number; samples: number };

export const FLOW_RULES: FlowRules = { start: 4, slow_ms: 3_000, samples: 40 };

export type Outcome = "success" | "failure" | "overload";

export type Flow = {
  readonly in_flight: number;
  hasRoom(max: number): boolean;
  begin(now_ms: number): number;
  end(ticket: number, outcome: Outcome, now_ms: number): void;
  isSlow(now_ms: number): boolean;
  /** Slow start from one at a time: each success allows one more, so the limit doubles with every round trip. */
  restart(): void;
};

/**
 * Additive increase with each success, multiplicative decrease with each sign of overload. A receiver is slow when one in
 * twenty of its answers takes long, or when a request in flight has taken long already.
 */
export function createFlow(rules: FlowRules): Flow {
  const in_flight_since = new Map<number, number>();
  const durations_ms: number[] = [];
  let limit = rules.start;
  let tickets = 0;
  let slow = false;

  function remember(duration_ms: number): void {
    durations_ms.push(duration_ms);
    if (durations_ms.length > rules.samples) durations_ms.shift();
    const long = durations_ms.filter((one) => one > rules.slow_ms).length;
    slow = long > 0 && long >= durations_ms.length * 0.05;
  }

  return {
    get in_flight() {
      return in_flight_since.size;
    },
    hasRoom: (max) => in_flight_since.size < Math.min(max, limit),
    begin(now_ms) {
      tickets += 1;
      in_flight_since.set(tickets, now_ms);
      return tickets;
    },
    end(ticket, outcome, now_ms) {
      remember(now_ms - (in_flight_since.get(ticket) ?? now_ms));
      in_flight_since.delete(ticket);
      if (outcome === "success") limit = Math.min(limit + 1, 1_000);
      if (outcome === "overload") limit = Math.max(1, Math.floor(limit / 2));
    },
    isSlow(now_ms) {
      if (slow) return true;
      // Insertion order is the order of their beginning: the first is the oldest.
      for (const began_ms of in_flight_since.values()) return now_ms - began_ms > rules.slow_ms;
      return false;
    },
    restart() {
      limit = 1;
    },
  };
}
