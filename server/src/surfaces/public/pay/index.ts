import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { languageOf, linkByToken, type PaymentLink, qrCode, sellerOf } from "../../../features/billing/payment-links/index.ts";
import {
  type Attempt,
  attemptOfForm,
  attemptOrNull,
  beginAttempt,
  fileOf,
  heardOf,
  lookAt,
  netOf,
  paymentByReceiptToken,
  paymentOfAttemptOrNull,
  receiptToken,
  releaseLink,
  takesPayments,
} from "../../../features/billing/payments/index.ts";
import {
  adapterOf,
  confirmTestCard,
  decideTestDispute,
  providersFor,
  takeTestCard,
  testSession,
} from "../../../features/billing/providers/index.ts";
import { isId } from "../../../kernel/ids.ts";
import { networkOf } from "../../../platform/http/cidr.ts";
import { isKnown } from "../../../platform/http/known.ts";
import { refuseOtherMethods } from "../../../platform/http/mount.ts";
import { type RequestLimits, requireAdmitted } from "../../../platform/http/request-limits.ts";
import { clientAddress } from "../../../platform/http/server.ts";
import type { Limit } from "../../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../../platform/limits/local.ts";
import { imageHeaders } from "../../../platform/net/image-type.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { withRawBodies } from "../raw-bodies.ts";
import { newNonce, readForm, readNonce } from "./form.ts";
import { mountPaymentHooks } from "./hooks.ts";
import { type Page, sendPage, type View, viewOf } from "./layout.ts";
import { notFoundPage, payPage, receiptPage, returnPage, type Sent, type Ways } from "./pages.ts";
import { testProviderPage } from "./test-provider.ts";

const PREFIX = "/pay/:token";
const NETWORK_LIMIT: Limit = { per_minute: 600, burst: 200 };
/** Each attempt may be a call of a provider. */
const WRITE_LIMIT: Limit = { per_minute: 60, burst: 30 };
const FORM_BYTES_MAX = 64 * 1024;

export type PayOptions = { services: Services; limits: RequestLimits | undefined };

/** Somebody who has opened the page of a link. */
type Visit = { ctx: Context; link: PaymentLink; view: View; request: FastifyRequest; reply: FastifyReply };
type Handle = (visit: Visit) => Promise<FastifyReply>;

/**
 * Pay pages, without credentials and without script. Opening the page of a link writes nothing, since scanners and previews open
 * it, too: paying takes a POST. The address that payers come back to settles their attempt, which is true whoever opens it.
 */
export function mountPay(app: FastifyInstance, options: PayOptions): void {
  mountPaymentHooks(app, options);
  const open = createOpener(options);
  withRawBodies(app, (scope) => {
    const answer = (method: "GET" | "POST", path: string, operation: string, handle: Handle) =>
      scope.route({
        method,
        url: PREFIX + path,
        bodyLimit: FORM_BYTES_MAX,
        async handler(request, reply) {
          request.operation = operation;
          const visit = await open(request, reply);
          return visit === null ? notFound(request, reply) : handle(visit);
        },
      });
    answer("GET", "", "pay.show", showPage);
    answer("POST", "/attempts", "pay.begin", begin);
    answer("POST", "/release", "pay.release", release);
    answer("GET", "/return/:attempt", "pay.return", comeBack);
    answer("GET", "/test/:attempt", "pay.test", (visit) => showTest(visit, false));
    answer("POST", "/test/:attempt", "pay.test", takeTest);
    answer("GET", "/receipt/:receipt", "pay.receipt", showReceipt);
    answer("GET", "/qr.svg", "pay.qr", showCode);
    answer("GET", "/logo", "pay.logo", showLogo);
    for (const path of ["", "/return/:attempt", "/receipt/:receipt", "/qr.svg", "/logo"])
      refuseOtherMethods(scope, PREFIX + path, ["GET"]);
    for (const path of ["/attempts", "/release"]) refuseOtherMethods(scope, PREFIX + path, ["POST"]);
    refuseOtherMethods(scope, `${PREFIX}/test/:attempt`, ["GET", "POST"]);
  });
}

/** Finds the link of a request, with who sells and the payer's language; null if there is none. */
function createOpener({ services, limits }: PayOptions) {
  const flood = createLocalLimiter();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Visit | null> => {
    const ip = clientAddress(request);
    if (limits !== undefined) requireAdmitted(NETWORK_LIMIT, flood.take(networkOf(ip), NETWORK_LIMIT));
    const { token } = request.params as { token: string };
    const { db, clock, settings } = services;
    const found = await linkByToken(db.byKey, token, { now: clock.now(), base_url: settings.baseUrl() });
    if (found === null) {
      await limits?.limitAddress(ip, reply);
      return null;
    }
    const { partner_id, ...link } = found;
    if (request.method === "POST") await limits?.limitVisitor(`pay ${link.id}`, ip, WRITE_LIMIT, reply);
    const seller = await sellerOf(db.byKey, partner_id, link.account_id);
    const ctx = createContext(services, {
      principal: { type: "system", partner_id, as: { type: "payer", id: link.id } },
      origin: { request_id: request.id, ip },
    });
    return { ctx, link, view: viewOf(languageOfRequest(request), seller, link), request, reply };
  };
}

function languageOfRequest({ query, headers }: FastifyRequest) {
  return languageOf((query as { lang?: unknown }).lang, headers["accept-language"]);
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const view = viewOf(languageOfRequest(request), null, null);
  return sendPage(reply, 404, view, notFoundPage(view));
}

const formOf = ({ body }: FastifyRequest) =>
  Object.fromEntries(new URLSearchParams((body as Buffer | undefined)?.toString("utf8") ?? ""));

function seeOther({ reply, view }: Visit, url: string): FastifyReply {
  const address = url.includes("?") || /^https?:/.test(url) ? url : `${url}?lang=${view.language}`;
  return reply.code(303).header("location", address).header("cache-control", "no-store").send();
}

async function waysOf({ ctx, link, view }: Visit): Promise<Ways> {
  const providers = await providersFor(ctx.db.byKey, ctx.scope, link);
  const online = providers.find(({ kind }) => adapterOf(kind).online !== null);
  const instructions = providers.flatMap(({ config }) => ("instructions" in config ? [String(config.instructions)] : []));
  return {
    online: online === undefined ? null : online.live ? "live" : "test",
    instructions,
    open: view.seller !== null && takesPayments(view.seller),
  };
}

async function showPage(visit: Visit, status = 200, sent: Sent | null = null): Promise<FastifyReply> {
  const { ctx, link, view, reply } = visit;
  return sendPage(reply, status, view, payPage(view, link, await waysOf(visit), newNonce(ctx, link), sent));
}

/** Begins to pay, and leads to the page of the provider. The same form, sent again, leads to the same attempt. */
async function begin(visit: Visit): Promise<FastifyReply> {
  const { ctx, link, view, request } = visit;
  const values = formOf(request);
  const again = (status: number, errors: string[]) => showPage(visit, status, { values, errors });
  const nonce = readNonce(ctx, link, values.nonce ?? "");
  if (nonce === null) return again(422, [view.say("error_form")]);
  const known = await attemptOfForm(ctx, nonce);
  if (known !== null) return leadOn(visit, known, values);
  const read = readForm(view, link, nonce, values);
  if ("errors" in read) return again(422, read.errors);
  const begun = await beginAttempt(ctx, link.id, read.form);
  if ("attempt" in begun) return leadOn(visit, begun.attempt, values);
  const errors = begun.refused === "amount" ? [view.say("error_changed")] : [];
  return showPage({ ...visit, link: await linkNow(visit) }, 409, { values, errors });
}

/** Leads to where an attempt goes on. */
async function leadOn(visit: Visit, { state, redirect, id }: Attempt, values: Sent["values"]): Promise<FastifyReply> {
  if (state === "created") return showPage(visit, 503, { values, errors: [visit.view.say("error_provider")] });
  const { token, url } = visit.link;
  if (state !== "pending" || redirect === null) return seeOther(visit, `/pay/${token}/return/${id}`);
  // A page of ours stays in the language that the payer has chosen.
  return seeOther(visit, redirect.startsWith(url) ? `/pay/${token}${redirect.slice(url.length)}` : redirect);
}

/** The link of a visit, after it was changed. */
async function linkNow({ ctx, link }: Visit): Promise<PaymentLink> {
  return (await linkByToken(ctx.db, link.token, { now: ctx.clock.now(), base_url: ctx.settings.baseUrl() })) ?? link;
}

async function release(visit: Visit): Promise<FastifyReply> {
  await releaseLink(visit.ctx, visit.link.id);
  return seeOther(visit, `/pay/${visit.link.token}`);
}

/** The attempt of a path, if it is one of the link's. */
async function attemptOf({ ctx, link, request }: Visit): Promise<Attempt | null> {
  const { attempt: id } = request.params as { attempt: string };
  const attempt = isId("payment_attempt", id) ? await attemptOrNull(ctx.db, ctx.scope.partner_id, id) : null;
  return attempt?.link_id === link.id ? attempt : null;
}

async function comeBack(visit: Visit): Promise<FastifyReply> {
  const { ctx, link, view, request, reply } = visit;
  const begun = await attemptOf(visit);
  const attempt = begun === null ? null : await lookAt(ctx, begun.id);
  if (attempt === null) return notFound(request, reply);
  const payment = attempt.state === "succeeded" ? await paymentOfAttemptOrNull(ctx.db, ctx.scope.partner_id, attempt.id) : null;
  const receipt = payment === null ? null : `/pay/${link.token}/receipt/${receiptToken(ctx, payment.id)}?lang=${view.language}`;
  return sendPage(reply, 200, view, returnPage(view, await linkNow(visit), attempt, receipt));
}

async function showReceipt({ ctx, link, view, request, reply }: Visit): Promise<FastifyReply> {
  const { receipt } = request.params as { receipt: string };
  const payment = await paymentByReceiptToken(ctx, receipt);
  if (payment?.payment_link_id !== link.id) return notFound(request, reply);
  if (!receipt.endsWith(".pdf")) {
    const pdf = `/pay/${link.token}/receipt/${receipt}.pdf?lang=${view.language}`;
    return sendPage(reply, 200, view, receiptPage(view, link, payment, pdf));
  }
  const { pieces, headers } = await fileOf(ctx, link, payment, view.language);
  const safe = { "cache-control": "no-store", "x-content-type-options": "nosniff", "x-robots-tag": "noindex" };
  return reply
    .headers({ ...headers, ...safe })
    .type("application/pdf")
    .send(Readable.from(pieces()));
}

/** The address of the page as a QR code, for somebody who would rather pay on the phone. */
async function showCode({ link, reply }: Visit): Promise<FastifyReply> {
  const policy = "default-src 'none'";
  return reply
    .headers({ "content-security-policy": policy, "cache-control": "no-store", "x-content-type-options": "nosniff" })
    .type("image/svg+xml")
    .send(qrCode(link));
}

/** The logo of the seller through us, so that its server does not learn who pays. */
async function showLogo({ ctx, view, request, reply }: Visit): Promise<FastifyReply> {
  const image = await ctx.outbound.image(view.seller?.branding.logo_url ?? "");
  if (typeof image === "string") return notFound(request, reply);
  reply.headers(imageHeaders(image));
  return isKnown(request, image.etag) ? reply.removeHeader("content-length").code(304).send() : reply.send(image.bytes);
}

async function showTest(visit: Visit, unknown: boolean): Promise<FastifyReply> {
  const { ctx, link, view, request, reply } = visit;
  const attempt = await attemptOf(visit);
  const session = attempt?.provider_kind === "test" ? await testSession(attempt, netOf(ctx)) : null;
  if (attempt === null || session === null) return notFound(request, reply);
  if (session.state !== "open" && session.state !== "confirming" && session.dispute !== "open")
    return seeOther(visit, `/pay/${link.token}/return/${attempt.id}`);
  const page: Page = testProviderPage(
    session,
    view.amount(attempt.amount_cents + attempt.tip_cents),
    `/pay/${link.token}/return/${attempt.id}`,
    unknown,
  );
  return sendPage(reply, unknown ? 422 : 200, { ...view, language: "en" }, page);
}

async function takeTest(visit: Visit): Promise<FastifyReply> {
  const { ctx, request, reply } = visit;
  const attempt = await attemptOf(visit);
  if (attempt?.provider_kind !== "test") return notFound(request, reply);
  const { card = "", confirm, dispute } = formOf(request);
  if (confirm !== undefined) await confirmTestCard(attempt, confirm === "yes", netOf(ctx));
  else if (dispute !== undefined) await decideTestDispute(attempt, dispute === "won", netOf(ctx));
  else if (!(await takeTestCard(attempt, card, netOf(ctx)))) return showTest(visit, true);
  // Of a dispute, a provider tells by itself.
  if ((await testSession(attempt, netOf(ctx)))?.dispute != null) await heardOf(ctx, attempt.id, "dispute");
  return seeOther(visit, `/pay/${visit.link.token}/test/${attempt.id}`);
}
