import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Outcome } from "../../../../platform/delivery/flow.ts";
import type { Limiter } from "../../../../platform/limits/limiter.ts";
import type { Services } from "../../../../platform/record/context.ts";
import type { Net } from "../../channels/index.ts";
import { type Attempted, attemptSend } from "./attempt.ts";
import { type Claimed, claimNext } from "./claim.commands.ts";
import type { Lane } from "./lane.ts";
import type { SendingOptions } from "./options.ts";
import { finishAttempt } from "./outcome.commands.ts";

const WRITE_AGAIN_MS = 200;

export type SenderRules = {
  /** On connections of its own: it is asked inside of transactions, which would wait for each other's connections. */
  limiter: Limiter;
  /** Made anew for each call: the address of the service is known only once it listens. */
  net(): Net;
  /** Told of an error after which it goes on. */
  delayed(error: unknown): void;
};

/** Claims the next message of a channel and sends it. Gives what flow control has to know. */
export type Sender = (lane: Lane) => Promise<Outcome>;

export type StopSignals = {
  /** No message is claimed any more; calls under way go on. */
  stopping: AbortSignal;
  /** Nobody waits for calls any more. */
  stopped: AbortSignal;
};

export function createSender(services: Services, rules: SenderRules, options: SendingOptions, signals: StopSignals): Sender {
  const { limiter, net, delayed } = rules;
  const { db, clock, signer } = services;
  const { stopping, stopped } = signals;
  const worker = randomBytes(6).toString("hex");
  let claims = 0;

  /** Until the claim has run out an outcome is kept in memory, while the database cannot be reached: it is lost only with the process. */
  async function write(claimed: Claimed, attempted: Attempted): Promise<void> {
    const until_ms = performance.now() + options.claim_ms;
    for (;;) {
      try {
        return await finishAttempt(services, options, claimed, attempted);
      } catch (error) {
        if (stopped.aborted || performance.now() > until_ms) throw error;
        delayed(error);
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  return async (lane) => {
    claims += 1;
    const turn = await claimNext({ services, limiter, options, stopping }, lane, `${worker}.${claims}`);
    if (turn.found !== "message") {
      lane.noteNone(turn, performance.now(), options.parked_ms);
      return "failure";
    }
    const attempted = await attemptSend({ db, signer, net: net(), call_ms: options.call_ms }, turn.claimed);
    await write(turn.claimed, attempted);
    // The next message of the conversation may have waited for this one.
    lane.due = Math.max(lane.due, 1);
    const { result } = attempted.result;
    lane.circuit.note(result !== "passing" && result !== "unknown", clock.now().getTime());
    return result === "passing" ? "overload" : result === "accepted" ? "success" : "failure";
  };
}
