import type { Queryable } from "../../../../platform/db/statement.ts";
import { createContext, type Services } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import type { Lane } from "./lane.ts";
import { disableEndpoint, saveHealth } from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";

/** Takes note of how an endpoint answered. */
export function noteAttempt(lane: Lane, succeeded: boolean, now: Date): void {
  const { health } = lane;
  if (succeeded) Object.assign(health, { failing_since: null, failures: 0, last_success_at: now });
  else Object.assign(health, { failing_since: health.failing_since ?? now, failures: health.failures + 1, last_failure_at: now });
  lane.health_changed = true;
  const change = lane.circuit.note(succeeded, now.getTime());
  // What is parked is read anew when it is its turn: by then it may have been cancelled.
  if (change === "degraded") lane.forgetQueue();
  if (change === "recovered") lane.flow.restart();
}

/** Whether an endpoint has failed for so long, so often and so steadily that it is of no use to go on. */
export function shouldDisable({ health }: Lane, options: DeliveryOptions): boolean {
  const { failing_since, last_failure_at, last_success_at, failures } = health;
  if (failing_since === null || last_failure_at === null || failures < options.disable_failures) return false;
  const failing_ms = last_failure_at.getTime() - failing_since.getTime();
  const without_success_ms = last_failure_at.getTime() - (last_success_at ?? failing_since).getTime();
  return failing_ms >= options.disable_span_ms && without_success_ms >= options.disable_after_ms;
}

/** Stops all deliveries to an endpoint, if it is as we know it; those that wait stay parked. The audit log tells the partner. */
export async function disableWithNotice(services: Services, lane: Lane, reason: "gone" | "failing"): Promise<void> {
  const { partner_id, endpoint_id, endpoint } = lane;
  lane.leaving = true;
  // Whoever enables it again starts with a clean slate.
  Object.assign(lane.health, { failing_since: null, failures: 0 });
  lane.circuit.reset();
  lane.health_changed = true;
  await createContext(services, { principal: { type: "system", partner_id } }).tx(async (tx) => {
    if (!(await disableEndpoint(tx, partner_id, { id: endpoint_id, version: endpoint.version }, reason, tx.now))) return;
    const changes = { enabled: { from: true, to: false }, disabled_reason: { from: null, to: reason } };
    record(tx, lane, [], { action: "webhooks.disable", target: endpoint_id, client_id: null, changes });
  });
}

/** Writes how endpoints have answered, of those where that changed. */
export async function writeHealth(db: Queryable, worker: string, lanes: Iterable<Lane>): Promise<void> {
  const changed = [...lanes].filter(({ health_changed }) => health_changed);
  for (const [partner_id, group] of Map.groupBy(changed, (lane) => lane.partner_id)) {
    for (const lane of group) lane.health_changed = false;
    await saveHealth(db, partner_id, worker, group.map(healthOf)).catch((error: unknown) => {
      for (const lane of group) lane.health_changed = true;
      throw error;
    });
  }
}

function healthOf({ endpoint_id, epoch, health, circuit }: Lane) {
  const { degraded_at_ms, probe_at_ms, probes } = circuit.state;
  const degraded = degraded_at_ms !== null;
  return {
    endpoint_id,
    epoch,
    ...health,
    degraded_at: degraded ? new Date(degraded_at_ms) : null,
    probe_at: degraded ? new Date(probe_at_ms) : null,
    probes,
  };
}
