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
  if (await isHandled(services.db, provider, event.id)) return;
  const found = event.about === null ? null : await attemptOf(services, provider, event);
  if (found !== null) {
    const { partner_id, id } = found;
    const as = { type: "provider", id: provider.id } as const;
    await heardOf(createContext(services, { principal: { type: "system", partner_id, as } }), id, event.about);
  }
  await noteHandled(services.db, provider, event, services.clock.now());
}

/** The attempt that an event is about; null unless it was made with this provider. */
async function attemptOf({ db }: Services, provider: OpenProvider, { reference, payment_ref }: ProviderEvent) {
  const { hooks } = adapterOf(provider.kind);
  const named = reference ?? (payment_ref === null ? null : ((await hooks?.referenceOf(provider, payment_ref)) ?? null));
  const [partner_id = "", attempt_id = ""] = named?.split(".") ?? [];
  if (!isId("partner", partner_id) || !isId("payment_attempt", attempt_id)) return null;
  const attempt = await attemptOrNull(db, partner_id, attempt_id);
  return attempt?.provider_id === provider.id ? attempt : null;
}

/** Looks at an attempt, and at what became of its payment. */
export async function heardOf(ctx: Context, attempt_id: string, about: ProviderEvent["about"]): Promise<void> {
  const attempt = await lookAt(ctx, attempt_id, { closed: true });
  const payment = attempt?.state === "succeeded" ? await paymentOfAttemptOrNull(ctx.db, ctx.scope.partner_id, attempt.id) : null;
  if (payment === null) return;
  if (about === "refund") await lookAtRefunds(ctx, payment);
  if (about === "dispute") await lookAtDisputes(ctx, payment);
}
