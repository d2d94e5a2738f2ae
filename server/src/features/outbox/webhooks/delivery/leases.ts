import { randomUUID } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Sealer } from "../../../../platform/crypto/seal.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { chooseWorker } from "../../../../platform/delivery/rendezvous.ts";
import { hasSecretsEndingAt, openEndpoint } from "./endpoint.ts";
import { Lane } from "./lane.ts";
import {
  acquireLanes,
  announceWorker,
  type DueLane,
  deleteDeadWorkers,
  endpointsOf,
  type LaneRow,
  leasedLanes,
  livingWorkers,
  releaseAllLanes,
  releaseLanes,
  renewWorker,
} from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";

/** The pause before a refused endpoint is tried again: it is disabled, waits for a probe, or belongs to another worker. */
const REFUSED_PAUSE_MS = 2_000;
const ACQUIRERS = 3;

export type LeaseRules = { db: Database; clock: Clock; sealer: Sealer; options: DeliveryOptions; tick(): number };

/** The endpoints leased to this process: no other worker sends to them. */
export class Leases {
  readonly lanes = new Map<string, Lane>();
  readonly #rules: LeaseRules;
  readonly #partners = new Map<string, Set<Lane>>();
  readonly #refused = new Map<string, number>();
  readonly #acquiring = new Set<string>();
  #worker = randomUUID();
  #announced = false;
  #alive_until = 0;
  #workers: string[] = [];

  constructor(rules: LeaseRules) {
    this.#rules = rules;
  }

  get worker(): string {
    return this.#worker;
  }

  of(partner_id: string): Iterable<Lane> {
    return this.#partners.get(partner_id) ?? [];
  }

  /** Whether the leases cannot have expired yet. */
  alive(): boolean {
    return this.#announced && this.#rules.tick() < this.#alive_until;
  }

  /** Renews the leases and reads which workers are alive. A worker that is too late starts again, without leases. */
  async renew(): Promise<void> {
    const { db, tick, options } = this.#rules;
    const lease_seconds = options.lease_ms / 1_000;
    const began = tick();
    if (this.#announced && !(await renewWorker(db, this.#worker, lease_seconds))) this.#restart();
    if (!this.#announced) await announceWorker(db, this.#worker, lease_seconds);
    this.#announced = true;
    this.#alive_until = began + options.lease_ms;
    this.#workers = await livingWorkers(db);
  }

  /** Leases endpoints that are due, free, and assigned to us. Returns those of the due lanes that are leased. */
  async acquire(due: readonly DueLane[]): Promise<Lane[]> {
    const now = this.#rules.tick();
    for (const [id, until] of this.#refused) if (until <= now) this.#refused.delete(id);
    const free = due.filter((lane) => this.#isFree(lane) && this.#isOurs(lane));
    const groups = Map.groupBy(free, (lane) => lane.partner_id).entries();
    const acquireNext = async () => {
      for (const [partner_id, group] of groups) {
        // Another call may have leased them meanwhile.
        const still = group.filter((lane) => this.#isFree(lane));
        if (still.length > 0) await this.#acquireOf(partner_id, [...new Set(still.map(({ endpoint_id }) => endpoint_id))]);
      }
    };
    await Promise.all(Array.from({ length: ACQUIRERS }, acquireNext));
    return [...new Set(due.flatMap(({ endpoint_id }) => this.lanes.get(endpoint_id) ?? []))];
  }

  /** Notices changed, disabled, deleted and lost endpoints. */
  async refresh(): Promise<void> {
    const { db, sealer } = this.#rules;
    const before = [...this.lanes.values()];
    const leased = new Map((await leasedLanes(db, this.#worker)).map((row) => [row.endpoint_id, row]));
    const changed: Lane[] = [];
    for (const lane of before) {
      const row = leased.get(lane.endpoint_id);
      if (row === undefined || row.epoch !== lane.epoch) this.drop(lane);
      else if (!row.enabled) lane.drain();
      else if (row.version !== lane.endpoint.version || !hasSecretsEndingAt(lane.endpoint, row.secret_ends_ms))
        changed.push(lane);
    }
    for (const [partner_id, group] of Map.groupBy(changed, (lane) => lane.partner_id)) {
      const rows = await endpointsOf(db, partner_id, idsOf(group));
      for (const row of rows) this.lanes.get(row.endpoint_id)?.refreshEndpoint(openEndpoint(sealer, row));
    }
  }

  /** Releases endpoints without work, and those assigned to another worker. */
  async releaseUnneeded(): Promise<void> {
    const { db, tick, options } = this.#rules;
    const idle_since = tick() - options.linger_ms;
    for (const lane of this.lanes.values()) if (!this.#isOurs(lane) || lane.isIdleSince(idle_since)) lane.drain();
    const free = [...this.lanes.values()].filter(({ releasable }) => releasable);
    for (const [partner_id, group] of Map.groupBy(free, (lane) => lane.partner_id)) {
      await releaseLanes(db, partner_id, this.#worker, idsOf(group));
      for (const lane of group) this.drop(lane);
    }
    await deleteDeadWorkers(db, null);
  }

  async releaseAll(): Promise<void> {
    for (const lane of [...this.lanes.values()]) this.drop(lane);
    await releaseAllLanes(this.#rules.db, this.#worker);
    await deleteDeadWorkers(this.#rules.db, this.#worker);
  }

  drop(lane: Lane): void {
    lane.markLost();
    if (this.lanes.get(lane.endpoint_id) === lane) this.lanes.delete(lane.endpoint_id);
    const others = this.#partners.get(lane.partner_id);
    others?.delete(lane);
    if (others?.size === 0) this.#partners.delete(lane.partner_id);
  }

  #restart(): void {
    for (const lane of [...this.lanes.values()]) this.drop(lane);
    this.#worker = randomUUID();
    this.#announced = false;
  }

  #isFree({ endpoint_id }: DueLane): boolean {
    return !this.lanes.has(endpoint_id) && !this.#refused.has(endpoint_id) && !this.#acquiring.has(endpoint_id);
  }

  #isOurs({ endpoint_id }: { endpoint_id: string }): boolean {
    return chooseWorker(endpoint_id, this.#workers) === this.#worker;
  }

  async #acquireOf(partner_id: string, endpoint_ids: string[]): Promise<void> {
    const { db, clock, tick } = this.#rules;
    const worker = this.#worker;
    for (const id of endpoint_ids) this.#acquiring.add(id);
    try {
      const rows = await acquireLanes(db, partner_id, worker, endpoint_ids, clock.now());
      if (worker !== this.#worker) return;
      for (const row of rows) this.#add(partner_id, row);
      for (const id of endpoint_ids) if (!this.lanes.has(id)) this.#refused.set(id, tick() + REFUSED_PAUSE_MS);
    } finally {
      for (const id of endpoint_ids) this.#acquiring.delete(id);
    }
  }

  #add(partner_id: string, row: LaneRow): void {
    const { sealer, options, tick } = this.#rules;
    const known = this.lanes.get(row.endpoint_id);
    if (known !== undefined) this.drop(known);
    const lane = new Lane(partner_id, row, openEndpoint(sealer, row), options, tick());
    this.lanes.set(lane.endpoint_id, lane);
    const others = this.#partners.get(partner_id) ?? new Set();
    this.#partners.set(partner_id, others.add(lane));
  }
}

function idsOf(lanes: readonly Lane[]): string[] {
  return lanes.map(({ endpoint_id }) => endpoint_id);
}
