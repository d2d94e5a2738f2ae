import { setTimeout as sleep } from "node:timers/promises";
import { createRoundRobin } from "../../../../platform/delivery/round-robin.ts";
import type { Services } from "../../../../platform/record/context.ts";
import { dueChannels } from "./claim.queries.ts";
import { createLane, type Lane, type Tenant } from "./lane.ts";
import { SENDING_OPTIONS, type SendingOptions } from "./options.ts";
import { createSender, type SenderRules } from "./sender.ts";

export type SendingEngine = {
  start(): void;
  /** A channel has a new message: it need not wait for the next poll. */
  wake(partner_id: string, channel_id: string): void;
  /** Waits a while for calls under way. What does not end is taken for lost once its claim has run out. */
  stop(): Promise<void>;
};

export type SendingRules = SenderRules & { options?: Partial<SendingOptions> };

/**
 * Sends messages through the adapters of their channels, in any number of processes. Partners take turns, and the channels of a
 * partner do. All state that matters is in the database: a message is claimed and marked there before its provider is called.
 */
export function createSendingEngine(services: Services, rules: SendingRules): SendingEngine {
  const options = { ...SENDING_OPTIONS, ...rules.options };
  const { db, clock } = services;
  const { delayed } = rules;
  const stopping = new AbortController();
  const stopped = new AbortController();
  const tenants = new Map<string, Tenant>();
  const sendNext = createSender(services, rules, options, { stopping: stopping.signal, stopped: stopped.signal });
  const { slots, slow_slots } = options;
  const turns = createRoundRobin<Tenant>({ slots, slow_slots, isSlow, send: giveTurn });
  let looking: Promise<void> = Promise.resolve();

  function noteDue(partner_id: string, channel_id: string, due: number): void {
    const tenant = tenants.get(partner_id) ?? new Map<string, Lane>();
    const lane = tenant.get(channel_id) ?? createLane(partner_id, channel_id, options);
    tenants.set(partner_id, tenant.set(channel_id, lane));
    lane.due = Math.max(lane.due, due);
    turns.add(tenant);
  }

  /** The channel of a partner that has waited longest goes first. */
  function giveTurn(tenant: Tenant): boolean {
    const now_ms = clock.now().getTime();
    const ready = [...tenant.values()].find((lane) => lane.isReady(performance.now(), now_ms));
    if (ready === undefined || stopping.signal.aborted) return false;
    tenant.delete(ready.channel_id);
    tenant.set(ready.channel_id, ready);
    ready.due -= 1;
    void takeTurn(tenant, ready);
    return true;
  }

  async function takeTurn(tenant: Tenant, lane: Lane): Promise<void> {
    const ticket = lane.flow.begin(performance.now());
    const outcome = await sendNext(lane).catch((error: unknown) => {
      delayed(error);
      lane.due = 0;
      return "failure" as const;
    });
    lane.flow.end(ticket, outcome, performance.now());
    turns.free(tenant);
    turns.add(tenant);
    turns.run();
  }

  async function look(): Promise<void> {
    for (const { partner_id, channel_id, due } of await dueChannels(db, clock.now())) noteDue(partner_id, channel_id, due);
    forgetIdle(tenants);
    turns.run();
  }

  return {
    start() {
      looking = repeat(() => look().catch(delayed), options.poll_ms, stopping.signal);
    },
    wake(partner_id, channel_id) {
      if (stopping.signal.aborted) return;
      noteDue(partner_id, channel_id, 1);
      turns.run();
    },
    async stop() {
      stopping.abort();
      await looking;
      const until_ms = performance.now() + options.stop_within_ms;
      while (turns.in_flight > 0 && performance.now() < until_ms) await sleep(10);
      stopped.abort();
    },
  };
}

async function repeat(act: () => Promise<void>, every_ms: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await act();
    await sleep(every_ms, undefined, { signal }).catch(() => undefined);
  }
}

const isSlow = (tenant: Tenant) => [...tenant.values()].some((lane) => lane.flow.isSlow(performance.now()));

/** Drops what is remembered of channels that have had nothing to send for a while. */
function forgetIdle(tenants: Map<string, Tenant>): void {
  for (const [partner_id, tenant] of tenants) {
    for (const [channel_id, lane] of tenant) if (lane.isIdle(performance.now())) tenant.delete(channel_id);
    if (tenant.size === 0) tenants.delete(partner_id);
  }
}
