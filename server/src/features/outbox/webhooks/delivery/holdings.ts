import { randomUUID } from "node:crypto";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Sealer } from "../../../../platform/crypto/seal.ts";
import { headersPurpose, secretPurpose } from "../../../../platform/crypto/webhook-signature.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { chooseWorker } from "../../../../platform/delivery/rendezvous.ts";
import { type Endpoint, Lane } from "./lane.ts";
import {
  announceWorker,
  type DueLane,
  deleteDeadWorkers,
  type EndpointRow,
  endpointsOf,
  heldLanes,
  type LaneRow,
  livingWorkers,
  releaseAllLanes,
  releaseLanes,
  renewWorker,
  takeLanes,
} from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";

/** How long an endpoint that could not be taken is left alone: it is disabled, waits for a probe, or is another's. */
const LEAVE_ALONE_MS = 2_000;
const TAKERS = 3;

export type HoldingRules = { db: Database; clock: Clock; sealer: Sealer; options: DeliveryOptions; tick(): number };

/** The endpoints that this process sends to, and nobody else. */
export class Holdings {
  readonly lanes = new Map<string, Lane>();
  readonly #rules: HoldingRules;
  readonly #partners = new Map<string, Set<Lane>>();
  readonly #left_alone = new Map<string, number>();
  readonly #taking = new Set<string>();
  #worker = randomUUID();
  #announced = false;
  #alive_until = 0;
  #workers: string[] = [];

  constructor(rules: HoldingRules) {
    this.#rules = rules;
  }

  get worker(): string {
    return this.#worker;
  }

  of(partner_id: string): Iterable<Lane> {
    return this.#partners.get(partner_id) ?? [];
  }

  /** Whether nobody can have taken them yet. */
  alive(): boolean {
    return this.#announced && this.#rules.tick() < this.#alive_until;
  }

  /** Says that this worker lives and learns who else does. A worker that comes too late starts anew, with nothing. */
  async beat(): Promise<void> {
    const { db, tick, options } = this.#rules;
    const lease_seconds = options.lease_ms / 1_000;
    const began = tick();
    if (this.#announced && !(await renewWorker(db, this.#worker, lease_seconds))) this.#startAnew();
    if (!this.#announced) await announceWorker(db, this.#worker, lease_seconds);
    this.#announced = true;
    this.#alive_until = began + options.lease_ms;
    this.#workers = await livingWorkers(db);
  }

  /** Takes what is due, free, and ours by lot. Returns the lanes among the due ones that are held. */
  async take(due: readonly DueLane[]): Promise<Lane[]> {
    const now = this.#rules.tick();
    for (const [id, until] of this.#left_alone) if (until <= now) this.#left_alone.delete(id);
    const free = due.filter((lane) => this.#isFree(lane) && this.#isOurs(lane));
    const groups = Map.groupBy(free, (lane) => lane.partner_id).entries();
    const takeOn = async () => {
      for (const [partner_id, group] of groups) {
        // Somebody else may have taken them while others were taken.
        const still = group.filter((lane) => this.#isFree(lane));
        if (still.length > 0) await this.#takeOf(partner_id, [...new Set(still.map(({ endpoint_id }) => endpoint_id))]);
      }
    };
    await Promise.all(Array.from({ length: TAKERS }, takeOn));
    return [...new Set(due.flatMap(({ endpoint_id }) => this.lanes.get(endpoint_id) ?? []))];
  }

  /** Learns of changed, disabled, removed and lost endpoints. */
  async verify(): Promise<void> {
    const { db, sealer } = this.#rules;
    const before = [...this.lanes.values()];
    const held = new Map((await heldLanes(db, this.#worker)).map((row) => [row.endpoint_id, row]));
    const changed: Lane[] = [];
    for (const lane of before) {
      const row = held.get(lane.endpoint_id);
      if (row === undefined || row.epoch !== lane.epoch) this.drop(lane);
      else if (!row.enabled) lane.leaving = true;
      else if (row.version !== lane.endpoint.version || !sameSecrets(lane.endpoint, row.secret_ends_ms)) changed.push(lane);
    }
    for (const [partner_id, group] of Map.groupBy(changed, (lane) => lane.partner_id)) {
      const rows = await endpointsOf(db, partner_id, idsOf(group));
      for (const row of rows) this.lanes.get(row.endpoint_id)?.changeEndpoint(openEndpoint(sealer, row));
    }
  }

  /** Gives back what has no work, and what another worker is to have. */
  async giveBack(): Promise<void> {
    const { db, tick, options } = this.#rules;
    const now = tick();
    for (const lane of this.lanes.values()) {
      if (!this.#isOurs(lane) || (lane.idle && lane.seen_ms + options.linger_ms < now)) lane.leaving = true;
    }
    const free = [...this.lanes.values()].filter((lane) => lane.leaving && lane.in_hand.size === 0 && !lane.reading);
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
    lane.lost = true;
    if (this.lanes.get(lane.endpoint_id) === lane) this.lanes.delete(lane.endpoint_id);
    const others = this.#partners.get(lane.partner_id);
    others?.delete(lane);
    if (others?.size === 0) this.#partners.delete(lane.partner_id);
  }

  #startAnew(): void {
    for (const lane of [...this.lanes.values()]) this.drop(lane);
    this.#worker = randomUUID();
    this.#announced = false;
  }

  #isFree({ endpoint_id }: DueLane): boolean {
    return !this.lanes.has(endpoint_id) && !this.#left_alone.has(endpoint_id) && !this.#taking.has(endpoint_id);
  }

  #isOurs({ endpoint_id }: { endpoint_id: string }): boolean {
    return chooseWorker(endpoint_id, this.#workers) === this.#worker;
  }

  async #takeOf(partner_id: string, endpoint_ids: string[]): Promise<void> {
    const { db, clock, tick } = this.#rules;
    const holder = this.#worker;
    for (const id of endpoint_ids) this.#taking.add(id);
    try {
      const rows = await takeLanes(db, partner_id, holder, endpoint_ids, clock.now());
      if (holder !== this.#worker) return;
      for (const row of rows) this.#keep(partner_id, row);
      for (const id of endpoint_ids) if (!this.lanes.has(id)) this.#left_alone.set(id, tick() + LEAVE_ALONE_MS);
    } finally {
      for (const id of endpoint_ids) this.#taking.delete(id);
    }
  }

  #keep(partner_id: string, row: LaneRow): void {
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

/** One that cannot be read is held all the same, so that its deliveries say what is wrong. */
function openEndpoint(sealer: Sealer, row: EndpointRow): Endpoint {
  const { endpoint_id, ordering, max_in_flight, timeout_ms, rate_limit_per_second, version } = row;
  const rules = { ordering, max_in_flight, timeout_ms, rate_limit_per_second, version };
  try {
    const headers = row.headers === null ? "{}" : sealer.open(row.headers, headersPurpose(endpoint_id));
    const secrets = row.secrets.map((secret, index) => ({
      secret: sealer.open(secret, secretPurpose(endpoint_id)),
      ends_ms: row.secret_ends_ms[index] ?? 0,
    }));
    return { ...rules, target: { url: new URL(row.url), headers: JSON.parse(headers) }, secrets };
  } catch {
    return { ...rules, target: null, secrets: row.secret_ends_ms.map((ends_ms) => ({ secret: "", ends_ms })) };
  }
}

function sameSecrets({ secrets }: Endpoint, ends_ms: readonly number[]): boolean {
  return secrets.length === ends_ms.length && secrets.every((secret, index) => secret.ends_ms === ends_ms[index]);
}
