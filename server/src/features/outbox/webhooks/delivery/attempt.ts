import { signatureHeaders } from "../../../../platform/crypto/webhook-signature.ts";
import { readRetryAfterMs, retryDelayMs } from "../../../../platform/delivery/backoff.ts";
import type { Outcome as FlowOutcome } from "../../../../platform/delivery/flow.ts";
import type { Exchange, HttpSender } from "../../../../platform/net/http-sender.ts";
import { SERVICE_VERSION } from "../../../../platform/observe/version.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import type { Outcome } from "./queries.ts";
import type { Delivery } from "./queue.ts";

const GONE = 410;

/** The result of an attempt: the row to write, the signal for flow control, and whether this version of the endpoint is gone. */
export type Attempt = { outcome: Outcome; flow: FlowOutcome; gone: boolean; version: number };

export type Attempting = { sender: HttpSender; brand: string; options: DeliveryOptions; now(): Date };

/** Sends a delivery once. It never throws: an error is an outcome, too. */
export async function attemptDelivery(attempting: Attempting, lane: Lane, delivery: Delivery): Promise<Attempt> {
  const { options, now } = attempting;
  const started_at = now();
  const { version } = lane.endpoint;
  const exchange = await exchangeOf(attempting, lane.endpoint, delivery, started_at).catch((error: Error) => ({
    ...NOTHING_SENT,
    error: `the request could not be made: ${error.message}`,
  }));
  const { status, timed_out } = exchange;
  const requested_ms = readRetryAfterMs(exchange.retry_after, now().getTime());
  const delay_ms = delivery.body === null ? null : retryDelayMs(delivery.attempts + 1, options.retry_delays_ms, requested_ms);
  const outcome = outcomeOf(lane, delivery, started_at, exchange, delay_ms);
  const overloaded = timed_out || status === 429 || (status !== null && status > 499);
  const flow = outcome.status === "succeeded" ? "success" : overloaded ? "overload" : "failure";
  return { outcome, flow, gone: status === GONE, version };
}

async function exchangeOf(
  { sender, brand, options }: Attempting,
  endpoint: Endpoint,
  delivery: Delivery,
  at: Date,
): Promise<Sent> {
  const { target, timeout_ms } = endpoint;
  const { body } = delivery;
  if (body === null) return { ...NOTHING_SENT, error: "the event is no longer kept" };
  if (target === null) return { ...NOTHING_SENT, error: "the secrets of the endpoint cannot be opened: SECRET_KEY has changed" };
  const ours = headersOf(brand, endpoint, delivery, body, at);
  // Ours come last, so that the endpoint's own cannot replace them.
  const headers = { ...target.headers, ...ours };
  const { connect_timeout_ms } = options;
  const exchange = await sender.post({ url: target.url, headers, body, timeout_ms, connect_timeout_ms });
  return { ...exchange, headers: { ...target.redacted_headers, ...ours } };
}

/** An exchange with the headers of the request, as they may be shown. */
type Sent = Exchange & { headers: Record<string, string> | null };

const NOTHING_SENT: Sent = {
  status: null,
  error: null,
  timed_out: false,
  retry_after: null,
  text: null,
  duration_ms: 0,
  headers: null,
};

function headersOf(brand: string, { secrets }: Endpoint, delivery: Delivery, body: Buffer, at: Date): Record<string, string> {
  const { id, event_id, event_type, attempts, replay_id, test } = delivery;
  const live = secrets.filter(({ ends_ms }) => ends_ms > at.getTime()).map(({ secret }) => secret);
  return {
    "Content-Type": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": `Tributary/${SERVICE_VERSION}`,
    [`X-${brand}-Event-Type`]: event_type,
    [`X-${brand}-Delivery-Id`]: id,
    [`X-${brand}-Attempt`]: String(attempts + 1),
    ...(replay_id === null ? {} : { [`X-${brand}-Replay`]: "true" }),
    ...(test ? { [`X-${brand}-Test`]: "true" } : {}),
    ...signatureHeaders({ brand, event_id, secrets: live, body, at_seconds: Math.floor(at.getTime() / 1000) }),
  };
}

/** A delay of null means that there is no next attempt. */
function outcomeOf(lane: Lane, { id }: Delivery, started_at: Date, exchange: Sent, delay_ms: number | null): Outcome {
  const { status, duration_ms, text, headers } = exchange;
  const succeeded = status !== null && status >= 200 && status < 300;
  const ended_ms = started_at.getTime() + duration_ms;
  return {
    endpoint_id: lane.endpoint_id,
    epoch: lane.epoch,
    id,
    status: succeeded ? "succeeded" : delay_ms === null ? "failed" : "pending",
    next_at: new Date(ended_ms + (succeeded ? 0 : (delay_ms ?? 0))),
    started_at,
    duration_ms,
    response_status: status,
    error: exchange.error ?? (succeeded ? null : `the endpoint answered ${status}`),
    response: text,
    request_headers: headers === null ? null : JSON.stringify(headers),
  };
}
