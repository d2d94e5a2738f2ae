import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../kernel/clock.ts";
import { ALL_EVENT_TYPES } from "../kernel/events.ts";
import { newWebhookSecret, signatureHeaders } from "../platform/crypto/webhook-signature.ts";
import { localAddress } from "./service-address.ts";
import { type Call, command } from "./shell/command.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";
import { cell } from "./shell/table.ts";

const POLL_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 15_000;

type Event = { id: string; type: string; created: number; data: Record<string, unknown> };
type FeedRange = { data: Event[]; has_more: boolean; next_cursor: string };

export const listenForWebhooks = command({
  name: "webhooks listen",
  summary: "Forward events to a receiver on your machine",
  description:
    "For developing a receiver. Events are signed like real deliveries. They are pulled with an API key (scope events:read and the read scopes of the types), so your machine need not be reachable. Refused events are shown and not retried. Ctrl-C ends it.",
  options: {
    "forward-to": { type: "text", value: "URL", required: true, description: "The URL of your receiver." },
    key: {
      type: "text",
      value: "API_KEY",
      description: "The API key. Prefer the variable TRIBUTARY_API_KEY, which no process list shows.",
    },
    service: { type: "text", value: "URL", description: "The URL of the service. Default: this machine." },
    secret: { type: "text", value: "whsec_…", description: "The signing secret. Default: a new one, which is printed." },
    type: { type: "list", value: "TYPE,…", choices: ALL_EVENT_TYPES, description: "Only events of these types." },
    client: { type: "text", value: "CLIENT_ID", description: "Only events of this client." },
    "from-start": { type: "flag", description: "Start with the oldest retained event instead of the next new one." },
    once: { type: "flag", description: "Forward all retained events, then exit." },
  },
  examples: [
    {
      title: "Forward new events",
      run: "tributary webhooks listen --forward-to http://127.0.0.1:3000/hooks",
      on: "service",
      until: "Forwarding",
    },
  ],
  async run(call) {
    const { once, secret = newWebhookSecret() } = call.options;
    const target = targetOf(call.options["forward-to"]);
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
      throw new UsageError("--secret must be whsec_ followed by base64.", "webhooks listen");
    const pull = createPuller(call);
    let page = await pull(once || call.options["from-start"] ? null : "end");
    if (call.out.json) call.out.item({ forward_to: target, secret }, () => "");
    else call.out.note(`Forwarding to ${target}; Ctrl-C ends it.\nSigned with ${secret}`);
    while (!call.signal.aborted) {
      for (const event of page.data) {
        const outcome = await forward(call, event, target, secret);
        if (call.signal.aborted) return;
        call.out.item({ event: event.id, type: event.type, ...outcome }, () => outcomeLine(event, outcome));
      }
      if (once && !page.has_more) return;
      if (!page.has_more) await sleep(POLL_EVERY_MS, undefined, { signal: call.signal }).catch(() => undefined);
      if (!call.signal.aborted) page = await pull(page.next_cursor);
    }
  },
});

function targetOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError("--forward-to must be an http or https URL, such as http://127.0.0.1:3000/hooks.", "webhooks listen");
  }
  return text;
}

type ListenCall = Pick<Call, "signal" | "out" | "config"> & {
  options: {
    key?: string | undefined;
    service?: string | undefined;
    type?: readonly string[] | undefined;
    client?: string | undefined;
  };
};

/** Reads the feed from a cursor, and retries while the service is unreachable: the cursor stays, so no event is lost or repeated. */
function createPuller({ options, signal, out, config }: ListenCall): (after: string | null) => Promise<FeedRange> {
  const key = options.key ?? process.env.TRIBUTARY_API_KEY;
  if (key === undefined) {
    throw new UsageError("The API key is missing: set TRIBUTARY_API_KEY, or use --key.", "webhooks listen");
  }
  const base = (options.service ?? localAddress(config())).replace(/\/+$/, "");
  const filter = [
    ...(options.type ?? []).map((type) => ["type", type]),
    ...(options.client === undefined ? [] : [["client_id", options.client]]),
  ];
  return async (after) => {
    const query = new URLSearchParams([["limit", "100"], ...filter, ...(after === null ? [] : [["after", after]])] as [
      string,
      string,
    ][]);
    for (let noted = false; ; noted = true) {
      const reply = await fetch(`${base}/v1/partners/events?${query}`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      }).catch(() => null);
      const page = reply?.status === 200 ? ((await reply.json().catch(() => null)) as FeedRange | null) : null;
      if (page !== null) return page;
      if (signal.aborted) return { data: [], has_more: false, next_cursor: after ?? "" };
      const problem = (await reply?.json().catch(() => null)) as { code?: string; detail?: string } | null | undefined;
      if (reply !== null && reply.status >= 400 && reply.status < 500 && reply.status !== 429) {
        throw new CommandRefusal(
          problem?.code ?? "refused",
          problem?.detail ?? `The service answered ${reply.status}.`,
          "Check the key and its scopes, and the filters.",
        );
      }
      if (!noted) out.note(`The service at ${base} does not answer; retrying.`);
      await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  };
}

type Outcome = { status: number | null; duration_ms: number; error: string | null };

async function forward({ signal, config }: ListenCall, event: Event, target: string, secret: string): Promise<Outcome> {
  const { brand } = config();
  const body = Buffer.from(JSON.stringify(event));
  const at_seconds = Math.floor(systemClock.now().getTime() / 1000);
  const headers = {
    "content-type": "application/json",
    [`X-${brand}-Event-Type`]: event.type,
    ...signatureHeaders({ brand, event_id: event.id, secrets: [secret], body, at_seconds }),
  };
  const started_ms = performance.now();
  const took = () => Math.round(performance.now() - started_ms);
  try {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const reply = await fetch(target, { method: "POST", headers, body, redirect: "manual", signal: ending });
    await reply.body?.cancel();
    return { status: reply.status, duration_ms: took(), error: null };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } };
    const detail = name === "TimeoutError" ? `no answer within ${ANSWER_WITHIN_MS / 1000} s` : (cause?.code ?? message);
    return { status: null, duration_ms: took(), error: detail };
  }
}

function outcomeLine({ id, type, data }: Event, { status, duration_ms, error }: Outcome): string {
  const answer = status === null ? `no answer: ${error}` : `${status} in ${duration_ms} ms`;
  const company = typeof data.company === "string" ? `  ${cell(data.company)}` : "";
  return `${id}  ${type.padEnd(18)}  ${answer}${company}`;
}
