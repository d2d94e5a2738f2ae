import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRoundRobin } from "../../../../platform/delivery/round-robin.ts";
import type { Limiter } from "../../../../platform/limits/limiter.ts";
import type { Services } from "../../../../platform/record/context.ts";
import type { Net } from "../../channels/index.ts";
import { type Attempted, attemptSend } from "./attempt.ts";
import { type Claimed, type Claiming, claimNext } from "./claim.commands.ts";
import { dueChannels } from "./claim.queries.ts";
import { createLane, type Lane, type Tenant } from "./lane.ts";
import { SENDING_OPTIONS, type SendingOptions } from "./options.ts";
import { finishAttempt } from "./outcome.commands.ts";

const WRITE_AGAIN_MS = 200;

export type SendingEngine = {
  start(): void;
  /** A channel has a new message: it need not wait for the next poll. */
  wake(partner_id: string, channel_id: string): void;
  readonly in_flight: number;
  /** Waits a while for calls under way. What does not end is taken for lost once its claim has run out. */
  stop(): Promise<void>;
};

export type SendingRules = {
  /** On connections of its own: it is asked inside of transactions, which would wait for each other's connections. */
  limiter: Limiter;
  /** Made anew for each call: the address of the service is known only once it listens. */
  net(): Net;
  /** Told of an error after which it goes on. */
  delayed(error: unknown): void;
  options?: Partial<SendingOptions>;
};

/**
 * Sends messages through the adapters of their channels, in any number of processes. Partners take turns, and the channels of a
 * partner do. All state that matters is in the database: a message is claimed and marked there before its provider is called.
 */
export function createSendingEngine(services: Services, rules: SendingRules): SendingEngine {
  const { limiter, net, delayed } = rules;
  const options = { ...SENDING_OPTIONS, ...rules.options };
  const { db, clock } = services;
  const claiming: Claiming = { services, limiter, options };
  const worker = randomBytes(6).toString("hex");
  const tenants = new Map<string, Tenant>();
  const stopping = new AbortController();
  const stopped = new AbortController();
  const turns = createRoundRobin<Tenant>({
    slots: options.slots,
    slow_slots: options.slow_slots,
    isSlow: (tenant) => [...tenant.values()].some((lane) => lane.flow.isSlow(performance.now())),
    send: giveTurn,
  });
  let claims = 0;
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
    const answer = await sendNext(lane).catch((error: unknown) => {
      delayed(error);
      lane.due = 0;
      return "failure" as const;
    });
    lane.flow.end(ticket, answer, performance.now());
    turns.free(tenant);
    turns.add(tenant);
    turns.run();
  }

  /** Claims the next message of a channel and sends it. Gives what flow control has to know. */
  async function sendNext(lane: Lane): Promise<"success" | "failure" | "overload"> {
    claims += 1;
    const turn = await claimNext(claiming, lane, `${worker}.${claims}`);
    if (turn.found === "nothing" || turn.found === "parked") lane.due = 0;
    if (turn.found === "parked") lane.rest(performance.now() + options.parked_ms);
    if (turn.found === "limited") lane.rest(performance.now() + turn.wait_ms);
    if (turn.found === "settled") lane.due = Math.max(lane.due, 1);
    if (turn.found !== "message") return "failure";
    const attempted = await attemptSend({ db, net: net(), call_ms: options.call_ms }, turn.claimed);
    await write(turn.claimed, attempted);
    // The next message of the conversation may have waited for this one.
    lane.due = Math.max(lane.due, 1);
    const { result } = attempted.result;
    lane.circuit.note(result !== "passing" && result !== "unknown", clock.now().getTime());
    return result === "passing" ? "overload" : result === "accepted" ? "success" : "failure";
  }

  /** Until the claim has run out an outcome is kept in memory, while the database cannot be reached: it is lost only with the process. */
  async function write(claimed: Claimed, attempted: Attempted): Promise<void> {
    const until_ms = performance.now() + options.claim_ms;
    for (;;) {
      try {
        return await finishAttempt(services, options, claimed, attempted);
      } catch (error) {
        if (stopped.signal.aborted || performance.now() > until_ms) throw error;
        delayed(error);
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  async function look(): Promise<void> {
    for (const { partner_id, channel_id, due } of await dueChannels(db, clock.now())) noteDue(partner_id, channel_id, due);
    forgetIdle(tenants);
    turns.run();
  }

  async function lookOnAndOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(delayed);
      await sleep(options.poll_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      looking = lookOnAndOn();
    },
    wake(partner_id, channel_id) {
      if (stopping.signal.aborted) return;
      noteDue(partner_id, channel_id, 1);
      turns.run();
    },
    get in_flight() {
      return turns.in_flight;
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

/** What is remembered of channels that have nothing to send. */
function forgetIdle(tenants: Map<string, Tenant>): void {
  for (const [partner_id, tenant] of tenants) {
    for (const [channel_id, lane] of tenant) if (lane.isIdle(performance.now())) tenant.delete(channel_id);
    if (tenant.size === 0) tenants.delete(partner_id);
  }
}
