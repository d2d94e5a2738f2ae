import { fail, notFound, within } from "../../../kernel/errors.ts";
import { boundClients } from "../../../kernel/principal.ts";
import { compile } from "../../../platform/http/validation.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import { PROVIDER_KINDS, type ProviderKind } from "./adapter.ts";
import {
  insertProvider,
  PROVIDER_FIELDS,
  type Provider,
  providerForUpdateOrNull,
  providerOrNull,
  providersPage,
  saveProvider,
} from "./queries.ts";
import { adapterOf } from "./registry.ts";
import type { ProviderCreate, ProviderListQuery, ProviderPatch, ProviderShown } from "./schema.ts";

const checks = Object.fromEntries(PROVIDER_KINDS.map((kind) => [kind, compile(adapterOf(kind).config, "body")]));

const checkConfig = (kind: string, config: unknown) => within("config", async () => checks[kind]?.(config));

/** Adds a provider for one account, or for all of the partner. */
export async function createProvider(ctx: Context, input: ProviderCreate): Promise<Provider> {
  const { account_id, config = {}, status = "active", ...given } = input;
  const kind = input.kind as ProviderKind;
  if (account_id === null) requirePartnerWide(ctx);
  await checkConfig(kind, config);
  return ctx.tx(async (tx) => {
    const account = account_id === null ? null : await accountForNew(ctx, tx, "contact", account_id);
    const provider = { ...given, kind, status, config, id: tx.newId("payment_provider"), account_id: account?.id ?? null };
    const made = await insertProvider(tx, ctx.scope, provider);
    const changes = changesBetween<Partial<Provider>>({}, made, ["kind", ...PROVIDER_FIELDS]);
    record(tx, ctx.scope, [], { action: "payment_providers.create", target: made.id, client_id: made.account_id, changes });
    return made;
  });
}

export async function getProvider(ctx: Context, id: string): Promise<Provider> {
  return (await providerOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listProviders(ctx: Context, query: ProviderListQuery): Promise<{ json: string }> {
  return providersPage(ctx.db, ctx.scope, query);
}

export function updateProvider(ctx: Context, id: string, patch: ProviderPatch): Promise<Provider> {
  return ctx.tx(async (tx) => {
    const before = await lockedProvider(ctx, tx, id);
    if (before.archived_at !== null)
      fail("invalid_state_transition", { detail: "The provider is archived. Create another one.", meta: { allowed: [] } });
    if (patch.config !== undefined) await checkConfig(before.kind, patch.config);
    return change(ctx, tx, before, { ...before, ...patch }, "payment_providers.update");
  });
}

/** Archives a provider: no payment starts with it, and what has started goes on. */
export function archiveProvider(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const before = await lockedProvider(ctx, tx, id);
    if (before.archived_at !== null) return;
    const archived_at = tx.now.toISOString();
    await change(ctx, tx, before, { ...before, status: "paused", archived_at }, "payment_providers.archive");
  });
}

async function change(ctx: Context, tx: Tx, before: Provider, after: ProviderShown, action: string): Promise<Provider> {
  const changes = changesBetween<ProviderShown>(before, after, [...PROVIDER_FIELDS, "archived_at"]);
  if (Object.keys(changes).length === 0) return before;
  record(tx, ctx.scope, [], { action, target: before.id, client_id: before.account_id, changes });
  return saveProvider(tx, ctx.scope, after);
}

/** A provider that the caller may change: one of all accounts takes a key for all clients. */
async function lockedProvider(ctx: Context, tx: Tx, id: string): Promise<Provider> {
  const { account_id } = (await providerOrNull(tx, ctx.scope, id)) ?? notFound(id);
  if (account_id === null) requirePartnerWide(ctx);
  else await accountForChange(ctx, tx, "contact", account_id);
  const provider = (await providerForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, provider);
  return provider;
}

function requirePartnerWide({ scope }: Context): void {
  if (boundClients(scope) !== null) fail("partner_wide_key_required");
}
