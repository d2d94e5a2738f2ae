import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForInbound } from "../../accounts/custom-fields/index.ts";
import {
  isOpen,
  type Language,
  leastCents,
  linkOrNull,
  payableCents,
  saveLink,
  seenBy,
  sellerOf,
} from "../payment-links/index.ts";
import { adapterOf, type Collected, openProviderOrNull, providersFor, type UsableProvider } from "../providers/index.ts";
import {
  type Attempt,
  attemptByNonceOrNull,
  attemptForUpdate,
  attemptOrNull,
  attemptsDue,
  insertAttempt,
  lookLater,
  openAttempts,
  type Payer,
  saveAttempt,
} from "./attempts.queries.ts";
import { ABANDONED_AFTER_MS, LOOK_AGAIN_MS, mayStillSucceed } from "./model.ts";
import { lockedLink, settle } from "./settle.commands.ts";

/** What a payer sends. The nonce of the form makes a second click, or the way back, find the same attempt. */
export type Form = { nonce: string; amount_cents: number; tip_cents: number; payer: Payer; language?: Language };

/** Why no attempt begins. */
export type Refused = "closed" | "being_paid" | "amount" | "no_provider";
export type Begun = { attempt: Attempt } | { refused: Refused };

export const netOf = ({ db, clock }: Pick<Context, "db" | "clock">) => ({ db, now: clock.now });

/** Begins to pay a link: the amount is reserved before the provider hears of it. */
export async function beginAttempt(ctx: Context, link_id: string, form: Form): Promise<Begun> {
  const begun = await ctx.tx((tx) => reserve(ctx, tx, link_id, form));
  return "refused" in begun ? begun : { attempt: await started(ctx, begun.attempt) };
}

/** The attempt that a form has made before; null if it has made none. */
export async function attemptOfForm(ctx: Context, nonce: string): Promise<Attempt | null> {
  const attempt = await attemptByNonceOrNull(ctx.db, ctx.scope.partner_id, nonce);
  return attempt === null ? null : started(ctx, attempt);
}

/** An attempt that the provider knows of, unless it could not be reached. */
async function started(ctx: Context, attempt: Attempt): Promise<Attempt> {
  if (attempt.state !== "created") return attempt;
  await start(ctx, attempt);
  return (await attemptOrNull(ctx.db, ctx.scope.partner_id, attempt.id)) ?? attempt;
}

async function reserve(ctx: Context, tx: Tx, link_id: string, form: Form): Promise<Begun> {
  const { partner_id } = ctx.scope;
  const link = await lockedLink(ctx, tx, link_id);
  const first = await attemptByNonceOrNull(tx, partner_id, form.nonce);
  if (first !== null) return { attempt: first };
  await accountForInbound(ctx, tx, link.account_id);
  const seller = await sellerOf(tx, partner_id, link.account_id);
  const payable = payableCents(link);
  if (!isOpen(link.status) || !takesPayments(seller)) return { refused: "closed" };
  const [provider] = await onlineProviders(ctx, tx, link);
  if (provider === undefined) return { refused: "no_provider" };
  if (payable === 0) return { refused: "being_paid" };
  if (form.amount_cents < leastCents(link) || form.amount_cents > payable) return { refused: "amount" };
  const tip_cents = link.tip === null ? 0 : form.tip_cents;
  if (adapterOf(provider.kind).online?.supports(form.amount_cents + tip_cents, link.currency) === false)
    return { refused: "amount" };
  const attempt = await insertAttempt(tx, {
    partner_id,
    id: tx.newId("payment_attempt"),
    account_id: link.account_id,
    link_id,
    provider_id: provider.id,
    provider_kind: provider.kind,
    provider_ref: null,
    redirect: null,
    amount_cents: form.amount_cents,
    tip_cents,
    currency: link.currency,
    state: "created",
    failure: null,
    payer: form.payer,
    language: form.language ?? null,
    form_nonce: form.nonce,
  });
  const reserved_cents = link.reserved_cents + attempt.amount_cents;
  await saveLink(tx, ctx.scope, { ...link, reserved_cents }, ctx.settings.baseUrl());
  return { attempt };
}

/** Suspended and closed accounts, and those of a suspended partner, take no new payments. What has begun still counts. */
export function takesPayments({ status, partner_status }: { status: string; partner_status: string }): boolean {
  return status !== "suspended" && status !== "churned" && partner_status === "active";
}

/** The providers that a link can be paid with online. */
export async function onlineProviders(
  ctx: Pick<Context, "scope">,
  db: Parameters<typeof providersFor>[0],
  link: Collected,
): Promise<UsableProvider[]> {
  const usable = await providersFor(db, ctx.scope, link);
  return usable.filter(({ kind }) => adapterOf(kind).online !== null);
}

/** Tells the provider of an attempt, under its id: told again, it answers the same. */
async function start(ctx: Context, attempt: Attempt): Promise<void> {
  const { partner_id } = ctx.scope;
  const provider = await onlineOf(ctx, attempt.provider_id);
  const link = await linkOrNull(ctx.db, ctx.scope, attempt.link_id, seenBy(ctx));
  if (provider === null || link === null) return;
  const { id, amount_cents, tip_cents, currency, language } = attempt;
  const asked = {
    partner_id,
    id,
    amount_cents: amount_cents + tip_cents,
    currency,
    description: link.description ?? link.reference ?? link.id,
    pay_url: link.url,
    return_url: `${link.url}/return/${id}${language === null ? "" : `?lang=${language}`}`,
    language,
    created_at: attempt.created_at,
  };
  const started = await provider.online.start(provider.open, asked, netOf(ctx));
  if ("redirect" in started) {
    await ctx.tx(async (tx) => {
      const now = await attemptForUpdate(tx, partner_id, id);
      if (now.state === "created") await saveAttempt(tx, { ...now, ...started, state: "pending" });
    });
  } else if (!started.passing) {
    const failed = { state: "failed", failure: started.failure } as const;
    await ctx.tx((tx) => settle(ctx, tx, attempt, failed, provider.open.live));
  }
}

/** The provider of an attempt or a payment, if it is one of online payments. */
export async function onlineOf(ctx: Context, provider_id: string | null) {
  const open = provider_id === null ? null : await openProviderOrNull(ctx, ctx.db, ctx.scope.partner_id, provider_id);
  const online = open === null ? null : adapterOf(open.kind).online;
  return open === null || online === null ? null : { open, online };
}

/**
 * Asks the provider what became of an attempt, and settles it. Null if there is no such attempt. One that has ended is looked at
 * only where the provider has told of it: `closed`.
 */
export async function lookAt(ctx: Context, id: string, { closed = false } = {}): Promise<Attempt | null> {
  const { partner_id } = ctx.scope;
  const attempt = await attemptOrNull(ctx.db, partner_id, id);
  if (attempt === null || attempt.state === "succeeded" || (!closed && !mayStillSucceed(attempt.state))) return attempt;
  const { provider_ref } = attempt;
  if (provider_ref === null) await start(ctx, attempt);
  const provider = provider_ref === null ? null : await onlineOf(ctx, attempt.provider_id);
  if (provider_ref !== null && provider !== null) {
    const abandoned = attempt.created_at.getTime() + ABANDONED_AFTER_MS <= ctx.clock.now().getTime();
    const ends = attempt.state === "expiring" || (attempt.state === "pending" && abandoned);
    const ask = ends ? provider.online.expire : provider.online.look;
    const outcome = await ask(provider.open, { partner_id, id, provider_ref }, netOf(ctx));
    if (outcome !== null) await ctx.tx((tx) => settle(ctx, tx, attempt, outcome, provider.open.live));
  }
  return attemptOrNull(ctx.db, partner_id, id);
}

/** Ends what others have begun and not completed, so that a link can be paid again. What is being processed goes on. */
export async function releaseLink(ctx: Context, link_id: string): Promise<void> {
  const { partner_id } = ctx.scope;
  for (const { id } of await openAttempts(ctx.db, partner_id, link_id)) {
    await ctx.tx(async (tx) => {
      const attempt = await attemptForUpdate(tx, partner_id, id);
      if (attempt.state === "pending") await saveAttempt(tx, { ...attempt, state: "expiring" });
    });
    await lookAt(ctx, id);
  }
}

/** Looks at attempts that nobody has told the end of. Returns how many. */
export async function reconcileAttempts(
  ctx: Pick<Context, "db" | "clock">,
  contextOf: (partner_id: string) => Context,
  limit: number,
): Promise<number> {
  const now = ctx.clock.now();
  const due = await attemptsDue(ctx.db, now, limit);
  for (const attempt of due) {
    await lookLater(ctx.db, attempt, new Date(now.getTime() + LOOK_AGAIN_MS));
    await lookAt(contextOf(attempt.partner_id), attempt.id);
  }
  return due.length;
}
