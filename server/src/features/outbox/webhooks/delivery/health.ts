import type { Queryable } from "../../../../platform/db/statement.ts";
import { createContext, type Services } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import type { Lane } from "./lane.ts";
import { disableEndpoint, saveHealth } from "./lanes.queries.ts";

/** Disables an endpoint, if its version is still the known one; pending deliveries stay parked. The audit log notifies the partner. */
export async function disableWithNotice(services: Services, lane: Lane, reason: "gone" | "failing"): Promise<void> {
  const { partner_id, endpoint_id, endpoint } = lane;
  lane.drain();
  lane.health.reset();
  await createContext(services, { principal: { type: "system", partner_id } }).tx(async (tx) => {
    if (!(await disableEndpoint(tx, partner_id, { id: endpoint_id, version: endpoint.version }, reason, tx.now))) return;
    const changes = { enabled: { from: true, to: false }, disabled_reason: { from: null, to: reason } };
    record(tx, lane, [], { action: "webhooks.disable", target: endpoint_id, client_id: null, changes });
  });
}

/** Saves the health of endpoints where it changed. */
export async function writeHealth(db: Queryable, worker: string, lanes: Iterable<Lane>): Promise<void> {
  const unsaved = [...lanes].filter(({ health }) => health.unsaved);
  for (const [partner_id, group] of Map.groupBy(unsaved, (lane) => lane.partner_id)) {
    for (const { health } of group) health.markSaved();
    const rows = group.map(({ endpoint_id, epoch, health }) => ({ endpoint_id, epoch, ...health.snapshot() }));
    await saveHealth(db, partner_id, worker, rows).catch((error: unknown) => {
      for (const { health } of group) health.markUnsaved();
      throw error;
    });
  }
}
