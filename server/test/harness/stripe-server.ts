import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import type { Json } from "./world.ts";

export const SECRET_KEY = "sk_test_of_the_local_server";
export const WEBHOOK_SECRET = "whsec_of_the_local_server";

type Answer = { status: number; body: Json };

/** A server that speaks Stripe's wire, as far as we use it: the official library is its client, and signs its events. */
export type StripeServer = {
  origin: string;
  sessions: Json[];
  refunds: Json[];
  /** How often each path was called, by method and path. */
  calls: string[];
  /** The payer pays on the page of a session. */
  pay(session_id: string, method?: "card" | "sepa_debit"): void;
  /** Decides a payment that takes days. */
  decide(session_id: string, succeeded: boolean): void;
  /** Money that goes back by the dashboard. */
  refundByHand(session_id: string, amount: number): Json;
  dispute(session_id: string, amount: number): Json;
  closeDispute(dispute: Json, status: "won" | "lost"): void;
  /** The next calls of a path do their work, and their answers are lost. */
  loseAnswers(path: string, times: number): void;
  /** An event, signed as Stripe signs it. */
  event(type: string, object: Json, id?: string): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
};

/** `now` is the time by which sessions must end, and events are signed. */
export async function startStripe(now: () => Date): Promise<StripeServer> {
  const sessions: Json[] = [];
  const intents = new Map<string, Json>();
  const refunds: Json[] = [];
  const disputes: Json[] = [];
  const answers = new Map<string, Answer>();
  const calls: string[] = [];
  const lost = new Map<string, number>();
  let made = 0;

  const sessionOf = (id: string): Json => sessions.find((session) => session.id === id) ?? null;
  const intentOf = (session_id: string): Json => intents.get(sessionOf(session_id).payment_intent);

  function createSession(form: URLSearchParams): Answer {
    const seconds = Number(form.get("expires_at")) - now().getTime() / 1_000;
    if (seconds < 30 * 60 || seconds > 86_400) return refusal(400, "parameter_invalid", "expires_at is out of range");
    const id = `cs_test_${++made}`;
    const session = {
      id,
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      client_reference_id: form.get("client_reference_id"),
      currency: form.get("line_items[0][price_data][currency]"),
      amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
      metadata: { reference: form.get("payment_intent_data[metadata][reference]") },
    };
    sessions.push(session);
    return { status: 200, body: session };
  }

  function createRefund(form: URLSearchParams): Answer {
    const intent = intents.get(form.get("payment_intent") ?? "");
    const amount = Number(form.get("amount"));
    if (intent === undefined) return refusal(404, "resource_missing", "No such payment_intent");
    if (amount > leftOf(intent)) return refusal(400, "amount_too_large", "Refund amount is greater than unrefunded amount");
    return { status: 200, body: addRefund(intent, amount, { refund: form.get("metadata[refund]") }) };
  }

  const leftOf = (intent: Json) =>
    refunds
      .filter(({ payment_intent }) => payment_intent === intent.id)
      .reduce((left, { amount }) => left - amount, intent.amount);

  function addRefund(intent: Json, amount: number, metadata: object): Json {
    const refund = { id: `re_${++made}`, object: "refund", payment_intent: intent.id, amount, status: "succeeded", metadata };
    refunds.push(refund);
    return refund;
  }

  function expireSession(session: Json): Answer {
    if (session.status !== "open") return refusal(400, "resource_unexpected_state", "Only open sessions can be expired");
    session.status = "expired";
    return { status: 200, body: session };
  }

  const listOf = (data: Json[], query: URLSearchParams): Answer => {
    const payment_intent = query.get("payment_intent");
    const found = payment_intent === null ? data : data.filter((one) => one.payment_intent === payment_intent);
    return { status: 200, body: { object: "list", data: found, has_more: false, url: "" } };
  };

  function answer(method: string, url: URL, form: URLSearchParams): Answer {
    const [, , ...path] = url.pathname.split("/");
    const where = `${method} ${path.map((part) => (/_\d+$/.test(part) ? "{id}" : part)).join("/")}`;
    const id = path.find((part) => /_\d+$/.test(part)) ?? "";
    switch (where) {
      case "POST checkout/sessions":
        return createSession(form);
      case "GET checkout/sessions":
        return listOf(sessions, url.searchParams);
      case "POST refunds":
        return createRefund(form);
      case "GET refunds":
        return listOf(refunds, url.searchParams);
      case "GET disputes":
        return listOf(disputes, url.searchParams);
      case "GET payment_intents/{id}":
        return intents.has(id)
          ? { status: 200, body: intents.get(id) }
          : refusal(404, "resource_missing", "No such payment_intent");
    }
    const session = sessionOf(id);
    if (session === null) return refusal(404, "resource_missing", "No such checkout.session");
    if (where === "POST checkout/sessions/{id}/expire") return expireSession(session);
    return { status: 200, body: { ...session, payment_intent: intents.get(session.payment_intent) ?? null } };
  }

  function take(request: IncomingMessage, text: string): Answer {
    const { method = "GET", headers } = request;
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) return refusal(401, "api_key_invalid", "Invalid API Key provided");
    const key = method === "POST" ? headers["idempotency-key"] : undefined;
    const known = answers.get(String(key));
    if (known !== undefined) return known;
    const given = answer(method, new URL(request.url ?? "", "http://stripe"), new URLSearchParams(text));
    if (key !== undefined) answers.set(String(key), structuredClone(given));
    return given;
  }

  function respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const path = `${request.method} ${new URL(request.url ?? "", "http://stripe").pathname}`;
    calls.push(path);
    const { status, body } = take(request, text);
    const losing = lost.get(path) ?? 0;
    if (losing > 0) {
      lost.set(path, losing - 1);
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json", "request-id": `req_${calls.length}` });
    response.end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => respond(request, response, Buffer.concat(chunks).toString("utf8")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const library = new Stripe(SECRET_KEY);

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    refunds,
    calls,
    pay(session_id, method = "card") {
      const session = sessionOf(session_id);
      if (session.status !== "open") throw new Error(`the session is ${session.status}`);
      const details = method === "card" ? { type: "card", card: { last4: "4242" } } : { type: method };
      const intent = {
        id: `pi_${++made}`,
        object: "payment_intent",
        amount: session.amount_total,
        currency: session.currency,
        status: method === "card" ? "succeeded" : "processing",
        metadata: session.metadata,
        latest_charge: { id: `ch_${made}`, object: "charge", payment_method_details: details },
        last_payment_error: null,
      };
      intents.set(intent.id, intent);
      const payment_status = method === "card" ? "paid" : "unpaid";
      Object.assign(session, { status: "complete", payment_status, payment_intent: intent.id });
    },
    decide(session_id, succeeded) {
      const failed = { status: "requires_payment_method", last_payment_error: { message: "The debit was returned." } };
      Object.assign(intentOf(session_id), succeeded ? { status: "succeeded" } : failed);
      if (succeeded) sessionOf(session_id).payment_status = "paid";
    },
    refundByHand: (session_id, amount) => addRefund(intentOf(session_id), amount, {}),
    dispute(session_id, amount) {
      const { id: payment_intent, currency } = intentOf(session_id);
      const facts = { amount, currency, reason: "fraudulent", status: "needs_response" };
      const dispute = { id: `dp_${++made}`, object: "dispute", payment_intent, ...facts };
      disputes.push(dispute);
      return dispute;
    },
    closeDispute: (dispute, status) => void Object.assign(dispute, { status }),
    loseAnswers: (path, times) => void lost.set(path, times),
    event(type, object, id = `evt_${++made}`) {
      const payload = JSON.stringify({ id, object: "event", type, data: { object } });
      const timestamp = Math.floor(now().getTime() / 1_000);
      const signature = library.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp });
      return { body: payload, headers: { "stripe-signature": signature } };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { type: "invalid_request_error", code, message } } };
}
