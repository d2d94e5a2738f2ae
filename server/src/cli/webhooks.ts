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
  summary: "Forward events to a server on your own machine, signed like real deliveries",
  description:
    "For developing a receiver: nothing has to reach your machine from outside, because the events are pulled with an API key (scopes events:read and those of the types) and sent on from here. What your server refuses is shown and not sent again. Ctrl-C ends it.",
  options: {
    "forward-to": { type: "text", value: "URL", required: true, description: "Where your receiver listens." },
    key: {
      type: "text",
      value: "API_KEY",
      description: "The key to pull with. Better given as TRIBUTARY_API_KEY, which no process list shows.",
    },
    service: { type: "text", value: "URL", description: "Where the service is; by default on this machine." },
    secret: { type: "text", value: "whsec_…", description: "What to sign with; by default a new one, which is shown." },
    type: { type: "list", value: "TYPE,…", choices: ALL_EVENT_TYPES, description: "Only these types." },
    client: { type: "text", value: "CLIENT_ID", description: "Only those of this client." },
    "from-start": { type: "flag", description: "Begin with the oldest event that is kept, not with what comes next." },
    once: { type: "flag", description: "Forward what is there, from the start, and end." },
  },
  examples: [
    {
      says: "Forward what comes next",
      run: "tributary webhooks listen --forward-to http://127.0.0.1:3000/hooks",
      on: "service",
      until: "Forwarding",
    },
  ],
  async run(call) {
    const { once, secret = newWebhookSecret() } = call.options;
    const target = targetOf(call.options["forward-to"]);
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
      throw new UsageError("--secret is whsec_ and base64.", "webhooks listen");
    const pull = createPuller(call);
    let stretch = await pull(once || call.options["from-start"] ? null : "end");
    if (call.out.json) call.out.item({ forward_to: target, secret }, () => "");
    else call.out.note(`Forwarding to ${target}; Ctrl-C ends it.\nSigned with ${secret}`);
    while (!call.signal.aborted) {
      for (const event of stretch.data) {
        const outcome = await forward(call, event, target, secret);
        if (call.signal.aborted) return;
        call.out.item({ event: event.id, type: event.type, ...outcome }, () => outcomeLine(event, outcome));
      }
      if (once && !stretch.has_more) return;
      if (!stretch.has_more) await sleep(POLL_EVERY_MS, undefined, { signal: call.signal }).catch(() => undefined);
      if (!call.signal.aborted) stretch = await pull(stretch.next_cursor);
    }
  },
});

function targetOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError("--forward-to is an http or https address, such as http://127.0.0.1:3000/hooks.", "webhooks listen");
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

/** Reads on from a cursor, and waits for a service that is away: the cursor stays, so nothing is left out or doubled. */
function createPuller({ options, signal, out, config }: ListenCall): (after: string | null) => Promise<FeedRange> {
  const key = options.key ?? process.env.TRIBUTARY_API_KEY;
  if (key === undefined) {
    throw new UsageError("There is no API key: set TRIBUTARY_API_KEY, or give --key.", "webhooks listen");
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
    for (let told = false; ; told = true) {
      const reply = await fetch(`${base}/v1/partners/events?${query}`, {
        headers: { authorization: `Bearer ${key}` },
        signal,
      }).catch(() => null);
      const stretch = reply?.status === 200 ? ((await reply.json().catch(() => null)) as FeedRange | null) : null;
      if (stretch !== null) return stretch;
      if (signal.aborted) return { data: [], has_more: false, next_cursor: after ?? "" };
      const problem = (await reply?.json().catch(() => null)) as { code?: string; detail?: string } | null | undefined;
      if (reply !== null && reply.status >= 400 && reply.status < 500 && reply.status !== 429) {
        throw new CommandRefusal(
          problem?.code ?? "refused",
          problem?.detail ?? `The service answered ${reply.status}.`,
          "Check the key and its scopes, and the filters.",
        );
      }
      if (!told) out.note(`The service at ${base} does not answer; waiting for it.`);
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
