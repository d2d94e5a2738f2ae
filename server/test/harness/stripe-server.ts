import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import type { Json } from "./world.ts";

export const SECRET_KEY = "sk_test_of_the_local_server";
export const WEBHOOK_SECRET = "whsec_of_the_local_server";

type Answer = { status: number; body: Json };

/** What Stripe knows, and what payers, banks and the dashboard do there. */
class Books {
  readonly sessions: Json[] = [];
  readonly refunds: Json[] = [];
  private readonly intents = new Map<string, Json>();
  private readonly disputes: Json[] = [];
  private made = 0;
  private readonly now: () => Date;

  /** `now` is the time by which sessions must end. */
  constructor(now: () => Date) {
    this.now = now;
  }

  newId = (prefix: string) => `${prefix}_${++this.made}`;
  private sessionOf = (id: string): Json => this.sessions.find((session) => session.id === id) ?? null;
  private intentOf = (session_id: string): Json => this.intents.get(this.sessionOf(session_id).payment_intent);

  /** The payer pays on the page of a session. */
  pay(session_id: string, method: "card" | "sepa_debit" = "card"): void {
    const session = this.sessionOf(session_id);
    if (session.status !== "open") throw new Error(`the session is ${session.status}`);
    const details = method === "card" ? { type: "card", card: { last4: "4242" } } : { type: method };
    const intent = {
      id: this.newId("pi"),
      object: "payment_intent",
      amount: session.amount_total,
      currency: session.currency,
      status: method === "card" ? "succeeded" : "processing",
      metadata: session.metadata,
      latest_charge: { id: this.newId("ch"), object: "charge", payment_method_details: details },
      last_payment_error: null,
    };
    this.intents.set(intent.id, intent);
    const payment_status = method === "card" ? "paid" : "unpaid";
    Object.assign(session, { status: "complete", payment_status, payment_intent: intent.id });
  }

  /** Decides a payment that takes days. */
  decide(session_id: string, succeeded: boolean): void {
    const failed = { status: "requires_payment_method", last_payment_error: { message: "The debit was returned." } };
    Object.assign(this.intentOf(session_id), succeeded ? { status: "succeeded" } : failed);
    if (succeeded) this.sessionOf(session_id).payment_status = "paid";
  }

  /** Money that goes back by the dashboard. */
  refundByHand(session_id: string, amount: number): Json {
    return this.addRefund(this.intentOf(session_id), amount, {});
  }

  /** A bank sends the money of a refund back, days after it succeeded. */
  failRefund(refund: Json): void {
    Object.assign(refund, { status: "failed", failure_reason: "lost_or_stolen_card" });
  }

  dispute(session_id: string, amount: number): Json {
    const { id: payment_intent, currency } = this.intentOf(session_id);
    const facts = { amount, currency, reason: "fraudulent", status: "needs_response" };
    const dispute = { id: this.newId("dp"), object: "dispute", payment_intent, ...facts };
    this.disputes.push(dispute);
    return dispute;
  }

  closeDispute(dispute: Json, status: "won" | "lost"): void {
    dispute.status = status;
  }

  private addRefund(intent: Json, amount: number, metadata: object): Json {
    const facts = { payment_intent: intent.id, amount, status: "succeeded", metadata };
    const refund = { id: this.newId("re"), object: "refund", ...facts };
    this.refunds.push(refund);
    return refund;
  }

  private createSession(form: URLSearchParams): Answer {
    const seconds = Number(form.get("expires_at")) - this.now().getTime() / 1_000;
    if (seconds < 30 * 60 || seconds > 86_400) return refusal(400, "parameter_invalid", "expires_at is out of range");
    const id = this.newId("cs_test");
    const session = {
      id,
      object: "checkout.session",
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      url: `https://checkout.stripe.com/c/pay/${id}`,
      locale: form.get("locale"),
      success_url: form.get("success_url"),
      cancel_url: form.get("cancel_url"),
      client_reference_id: form.get("client_reference_id"),
      currency: form.get("line_items[0][price_data][currency]"),
      amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
      metadata: { reference: form.get("payment_intent_data[metadata][reference]") },
    };
    this.sessions.push(session);
    return { status: 200, body: session };
  }

  private expireSession(session: Json): Answer {
    if (session.status !== "open") return refusal(400, "resource_unexpected_state", "Only open sessions can be expired");
    session.status = "expired";
    return { status: 200, body: session };
  }

  private createRefund(form: URLSearchParams): Answer {
    const intent = this.intents.get(form.get("payment_intent") ?? "");
    const amount = Number(form.get("amount"));
    if (intent === undefined) return refusal(404, "resource_missing", "No such payment_intent");
    const returned = this.refunds.filter((made) => made.payment_intent === intent.id && made.status === "succeeded");
    if (returned.reduce((sum, refund) => sum + refund.amount, amount) > intent.amount)
      return refusal(400, "amount_too_large", "Refund amount is greater than unrefunded amount");
    return { status: 200, body: this.addRefund(intent, amount, { refund: form.get("metadata[refund]") }) };
  }

  /** What a call is answered with. */
  answer(method: string, url: URL, form: URLSearchParams): Answer {
    const [, , ...path] = url.pathname.split("/");
    const id = path.find((part) => /_\d+$/.test(part)) ?? "";
    const query = url.searchParams;
    switch (`${method} ${path.join("/").replace(id || "/none", "{id}")}`) {
      case "POST checkout/sessions":
        return this.createSession(form);
      case "POST checkout/sessions/{id}/expire":
        return this.expireSession(this.sessionOf(id));
      case "GET checkout/sessions/{id}":
        return { status: 200, body: { ...this.sessionOf(id), payment_intent: this.intentOf(id) ?? null } };
      case "GET checkout/sessions":
        return listOf(this.sessions, query);
      case "POST refunds":
        return this.createRefund(form);
      case "GET refunds":
        return listOf(this.refunds, query);
      case "GET disputes":
        return listOf(this.disputes, query);
      case "GET payment_intents/{id}":
        return { status: 200, body: this.intents.get(id) };
    }
    return refusal(404, "resource_missing", `No such object: ${url.pathname}`);
  }
}

function listOf(data: Json[], query: URLSearchParams): Answer {
  const payment_intent = query.get("payment_intent");
  const found = payment_intent === null ? data : data.filter((one) => one.payment_intent === payment_intent);
  return { status: 200, body: { object: "list", data: found, has_more: false, url: "" } };
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { error: { type: "invalid_request_error", code, message } } };
}

/** The next calls of a path do their work, and their answers are lost. */
type Losing = { path: string; times: number };

/** A server that speaks Stripe's wire, as far as we use it: the official library is its client, and signs its events. */
export class StripeServer extends Books {
  /** The calls in their order, by method and path. */
  readonly calls: string[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly library = new Stripe(SECRET_KEY);
  private readonly server: Server;
  private readonly time: () => Date;
  private losing: Losing = { path: "", times: 0 };

  constructor(now: () => Date) {
    super(now);
    this.time = now;
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => this.respond(request, response, Buffer.concat(chunks).toString("utf8")));
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A provider at this server, as the API takes it. */
  provider(fields: object = {}) {
    const secrets = { secret_key: SECRET_KEY, webhook_secret: WEBHOOK_SECRET };
    return { kind: "stripe", config: { base_url: this.origin }, secrets, ...fields };
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  loseAnswers(path: string, times: number): void {
    this.losing = { path, times };
  }

  /** An event, signed as Stripe signs it. */
  event(type: string, object: Json): { body: string; headers: Record<string, string> } {
    const payload = JSON.stringify({ id: this.newId("evt"), object: "event", type, data: { object } });
    const timestamp = Math.floor(this.time().getTime() / 1_000);
    const signature = this.library.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, timestamp });
    return { body: payload, headers: { "stripe-signature": signature } };
  }

  /** The same key is answered the same. */
  private take({ method = "GET", url = "", headers }: IncomingMessage, text: string): Answer {
    if (headers.authorization !== `Bearer ${SECRET_KEY}`) return refusal(401, "api_key_invalid", "Invalid API Key provided");
    const key = method === "POST" ? headers["idempotency-key"] : undefined;
    const known = this.answers.get(String(key));
    if (known !== undefined) return known;
    const given = this.answer(method, new URL(url, "http://stripe"), new URLSearchParams(text));
    if (key !== undefined) this.answers.set(String(key), structuredClone(given));
    return given;
  }

  private respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const path = `${request.method} ${new URL(request.url ?? "", "http://stripe").pathname}`;
    this.calls.push(path);
    const { status, body } = this.take(request, text);
    if (this.losing.path === path && this.losing.times > 0) {
      this.losing.times -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json", "request-id": `req_${this.calls.length}` });
    response.end(JSON.stringify(body));
  }
}
