/** How many requests to one receiver may be under way, and whether it is a slow one. */
export type FlowRules = { start: number; slow_ms: number; samples: number };

export const FLOW_RULES: FlowRules = { start: 4, slow_ms: 3_000, samples: 40 };

export type Outcome = "success" | "failure" | "overload";

export type Flow = {
  readonly in_flight: number;
  hasRoom(max: number): boolean;
  begin(now_ms: number): number;
  end(ticket: number, outcome: Outcome, now_ms: number): void;
  isSlow(now_ms: number): boolean;
  /** Begins anew with one at a time: each success allows one more, so it doubles with every round trip. */
  restart(): void;
};

/**
 * One more with each success, half as many with each sign of overload. A receiver is slow when one in twenty of its
 * answers takes long, or when one that is under way has taken long already.
 */
export function createFlow(rules: FlowRules): Flow {
  const under_way = new Map<number, number>();
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
      return under_way.size;
    },
    hasRoom: (max) => under_way.size < Math.min(max, limit),
    begin(now_ms) {
      tickets += 1;
      under_way.set(tickets, now_ms);
      return tickets;
    },
    end(ticket, outcome, now_ms) {
      remember(now_ms - (under_way.get(ticket) ?? now_ms));
      under_way.delete(ticket);
      if (outcome === "success") limit = Math.min(limit + 1, 1_000);
      if (outcome === "overload") limit = Math.max(1, Math.floor(limit / 2));
    },
    isSlow(now_ms) {
      if (slow) return true;
      // Insertion order is the order of their beginning: the first is the oldest.
      for (const began_ms of under_way.values()) return now_ms - began_ms > rules.slow_ms;
      return false;
    },
    restart() {
      limit = 1;
    },
  };
}
