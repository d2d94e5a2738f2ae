import { fail } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { adapterOf, type OpenProvider, type ProviderEvent, type RawRequest } from "../providers/index.ts";
import { lookAt } from "./attempts.commands.ts";
import { attemptOrNull } from "./attempts.queries.ts";
import { lookAtDisputes } from "./disputes.commands.ts";
import { isHandled, noteHandled } from "./hooks.queries.ts";
import { paymentOfAttemptOrNull } from "./queries.ts";
import { lookAtRefunds } from "./refunds.commands.ts";

/**
 * Takes what a provider tells. It says only where to look: the provider is then asked, so the order of events and copies of them do
 * not matter.
 */
export async function takeProviderEvent(services: Services, provider: OpenProvider, request: RawRequest): Promise<void> {
  const { hooks } = adapterOf(provider.kind);
  const event = await hooks?.verify(provider, request, services.clock.now());
  if (event == null) fail("invalid_signature");
  const { reference, about } = event;
  const asked = reference === null ? null : attemptOf(services, provider, reference);
  const [handled, named] = await Promise.all([isHandled(services.db.byKey, provider, event.id), asked]);
  if (handled) return;
  const attempt = reference === null && about !== null ? await attemptOfPayment(services, provider, event) : named;
  // Mostly the payer has come back before.
  const settled = about === "attempt" && attempt?.state === "succeeded";
  if (attempt !== null && !settled) {
    const { partner_id, id } = attempt;
    const as = { type: "provider", id: provider.id } as const;
    await heardOf(createContext(services, { principal: { type: "system", partner_id, as } }), id, about);
  }
  await noteHandled(services.db, provider, event, services.clock.now());
}

/** The attempt that a reference names; null unless it was made with this provider. */
async function attemptOf({ db }: Services, provider: OpenProvider, reference: string) {
  const [partner_id = "", attempt_id = ""] = reference.split(".");
  if (!isId("partner", partner_id) || !isId("payment_attempt", attempt_id)) return null;
  const attempt = await attemptOrNull(db.byKey, partner_id, attempt_id);
  return attempt?.provider_id === provider.id ? attempt : null;
}

/** The attempt that a payment came from, for an event that names only the payment. */
async function attemptOfPayment(services: Services, provider: OpenProvider, { payment_ref }: ProviderEvent) {
  if (payment_ref === null) return null;
  const reference = await adapterOf(provider.kind).hooks?.referenceOf(provider, payment_ref);
  return reference == null ? null : attemptOf(services, provider, reference);
}

/** Looks at an attempt, and at what became of its payment. */
export async function heardOf(ctx: Context, attempt_id: string, about: ProviderEvent["about"]): Promise<void> {
  const attempt = await lookAt(ctx, attempt_id, { closed: true });
  const payment = attempt?.state === "succeeded" ? await paymentOfAttemptOrNull(ctx.db, ctx.scope.partner_id, attempt.id) : null;
  if (payment === null) return;
  if (about === "refund") await lookAtRefunds(ctx, payment);
  if (about === "dispute") await lookAtDisputes(ctx, payment);
}
