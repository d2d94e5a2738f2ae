import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../platform/record/context.ts";
import type { Failure, Model, ModelAsk } from "../engine/index.ts";
import { completionsUrl, readReply, requestBody } from "./wire.model.ts";

const REPLY_BYTES_MAX = 1024 * 1024;
const CONNECT_MS = 5_000;
const RETRIES = 2;
const FIRST_PAUSE_MS = 250;

/** Which model is asked, where, and with which key; a model of one's own needs none. */
export type ModelAddress = { base_url: string; name: string; temperature?: number | undefined; api_key: string | null };

type Reach = Pick<Context, "outbound" | "settings" | "clock">;
type Exchange = Awaited<ReturnType<Reach["outbound"]["http"]["send"]>>;

/**
 * A model behind any service with the chat completions of OpenAI, reached under the same rules as webhooks. What is overloaded or down is
 * asked again, twice at most and within the deadline.
 */
export function connectModel({ outbound, settings, clock }: Reach, address: ModelAddress): Model {
  const url = completionsUrl(address.base_url);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": settings.brand,
    ...(address.api_key !== null && { authorization: `Bearer ${address.api_key}` }),
  };
  const send = (ask: ModelAsk, limit_name: string, left_ms: number) =>
    outbound.http.send({
      method: "POST",
      url,
      headers,
      body: Buffer.from(JSON.stringify(requestBody(address.name, address.temperature, ask, limit_name))),
      timeout_ms: left_ms,
      connect_timeout_ms: Math.min(left_ms, CONNECT_MS),
      keep_bytes: REPLY_BYTES_MAX,
    });

  return async (ask) => {
    const end_ms = performance.now() + ask.deadline_ms;
    let limit_name = "max_tokens";
    for (let tried = 0; ; ) {
      const left_ms = end_ms - performance.now();
      if (left_ms <= 0) return failure("timeout", "The model took too long.");
      const answer = await send(ask, limit_name, left_ms);
      const reply = answer.status === 200 ? readReply(answer.text ?? "") : null;
      if (reply !== null) return reply;
      // Newer models of OpenAI know the limit under another name only.
      if (answer.status === 400 && limit_name === "max_tokens" && answer.text?.includes("max_completion_tokens")) {
        limit_name = "max_completion_tokens";
        continue;
      }
      const failed = failureOf(answer);
      const wait_ms = pauseBefore(answer, tried, clock.now());
      if (!isPassing(answer) || tried === RETRIES || performance.now() + wait_ms >= end_ms) return failed;
      tried += 1;
      await sleep(wait_ms);
    }
  };
}

const failure = (failed: Failure, detail: string) => ({ failed, detail });

const isPassing = ({ status }: Exchange) => status === 429 || (status !== null && status >= 500);

function pauseBefore({ retry_after }: Exchange, tried: number, now: Date): number {
  if (retry_after === null) return FIRST_PAUSE_MS * 2 ** tried;
  const seconds = /^\d+$/.test(retry_after) ? Number(retry_after) : (Date.parse(retry_after) - now.getTime()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : FIRST_PAUSE_MS * 2 ** tried;
}

function failureOf({ status, timed_out, error }: Exchange) {
  if (timed_out) return failure("timeout", "The model took too long.");
  if (status === null) return failure("down", `The model could not be reached: ${error}.`);
  if (status === 401 || status === 403) return failure("auth", `The model refused the key with ${status}.`);
  if (status === 429) return failure("limit", "The model is asked too often, or its budget is spent.");
  if (status >= 500) return failure("down", `The model answered ${status}.`);
  return failure("malformed", status === 200 ? "The answer of the model cannot be read." : `The model answered ${status}.`);
}
