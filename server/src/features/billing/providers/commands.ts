import { fail, notFound } from "../../../kernel/errors.ts";
import { boundClients } from "../../../kernel/principal.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { newToken, tokenTarget } from "../../../platform/http/public-tokens.ts";
import type { Result } from "../../../platform/http/route.ts";
import { type Changes, changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import type { OpenProvider, ProviderKind, UsableProvider } from "./adapter.ts";
import { checkConfig, openSecrets, sealSecrets, secretsAfter } from "./model.ts";
import { programmeProviders, sealedProgrammeProviderOrNull } from "./programme/queries.ts";
import {
  insertProvider,
  PROVIDER_FIELDS,
  type Provider,
  providerForUpdateOrNull,
  providerOrNull,
  providersPage,
  type SealedProvider,
  saveProvider,
  saveSecrets,
  sealedProviderOrNull,
  usableProviders,
} from "./queries.ts";
import { adapterOf } from "./registry.ts";
import type { ProviderCreate, ProviderListQuery, ProviderPatch, ProviderShown } from "./schema.ts";

/** Adds a provider for one account, or for all of the partner. */
export async function createProvider(ctx: Context, input: ProviderCreate): Promise<Provider> {
  const { account_id, config = {}, secrets = {}, status = "active", ...given } = input;
  const kind = input.kind as ProviderKind;
  if (account_id === null) requirePartnerWide(ctx);
  await checkConfig(kind, config, ctx.settings);
  const complete = await secretsAfter(kind, {}, secrets);
  return ctx.tx(async (tx) => {
    const account = account_id === null ? null : await accountForNew(ctx, tx, "contact", account_id);
    const id = tx.newId("payment_provider");
    const token = adapterOf(kind).hooks === null ? null : await newToken(tx, "hook", ctx.scope.partner_id, id);
    const sealed = { secrets: sealSecrets(ctx.sealer, id, complete), live: adapterOf(kind).live(complete) };
    const provider = { ...given, ...sealed, kind, status, config, id, token, account_id: account?.id ?? null };
    const made = await insertProvider(tx, ctx.scope, provider);
    const changes: Changes = changesBetween<Partial<Provider>>({}, made, ["kind", ...PROVIDER_FIELDS]);
    if (sealed.secrets !== null) changes.secrets = "redacted";
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

export function updateProvider(ctx: Context, id: string, { secrets, ...patch }: ProviderPatch): Promise<Provider> {
  return ctx.tx(async (tx) => {
    const before = await lockedProvider(ctx, tx, id);
    if (before.archived_at !== null)
      fail("invalid_state_transition", { detail: "The provider is archived. Create another one.", meta: { allowed: [] } });
    const kind = before.kind as ProviderKind;
    if (patch.config !== undefined) await checkConfig(kind, patch.config, ctx.settings);
    const after = { ...before, ...patch };
    const changes: Changes = changesBetween<ProviderShown>(before, after, PROVIDER_FIELDS);
    if (secrets !== undefined) {
      const sealed = await sealedProviderOrNull(tx, ctx.scope.partner_id, id);
      const complete = await secretsAfter(kind, openSecrets(ctx.sealer, id, sealed?.secrets ?? null), secrets);
      await saveSecrets(tx, ctx.scope, id, {
        secrets: sealSecrets(ctx.sealer, id, complete),
        live: adapterOf(kind).live(complete),
      });
      changes.secrets = "redacted";
    }
    return change(ctx, tx, before, after, "payment_providers.update", changes);
  });
}

/** Archives a provider: no payment starts with it, and what has started goes on. */
export function archiveProvider(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const before = await lockedProvider(ctx, tx, id);
    if (before.archived_at !== null) return;
    const after: ProviderShown = { ...before, status: "paused", archived_at: tx.now.toISOString() };
    const changes = changesBetween<ProviderShown>(before, after, ["status", "archived_at"]);
    await change(ctx, tx, before, after, "payment_providers.archive", changes);
  });
}

async function change(
  ctx: Context,
  tx: Tx,
  before: Provider,
  after: ProviderShown,
  action: string,
  changes: Changes,
): Promise<Provider> {
  if (Object.keys(changes).length === 0) return before;
  record(tx, ctx.scope, [], { action, target: before.id, client_id: before.account_id, changes });
  return saveProvider(tx, ctx.scope, after);
}

/** Asks the provider whether it accepts the secrets. */
export async function testProvider(ctx: Context, id: string): Promise<Result> {
  await ctx.replayed();
  const { account_id } = await getProvider(ctx, id);
  const provider = (await openProviderOrNull(ctx, ctx.db.byKey, ctx.scope.partner_id, id)) ?? notFound(id);
  const check = await checkOf(provider);
  return ctx.tx(async (tx) => {
    const changes = { ok: { from: null, to: check.ok } };
    record(tx, ctx.scope, [], { action: "payment_providers.test", target: id, client_id: account_id, changes });
    return { json: JSON.stringify(check) };
  });
}

/** A kind without secrets has nothing that could be refused. */
export async function checkOf(provider: OpenProvider) {
  const { check } = adapterOf(provider.kind);
  return check === undefined ? { ok: true, code: null, detail: "There is nothing to test." } : check(provider);
}

/** What decides who collects the money of a link. */
export type Collected = { account_id: string; provider_id: string | null; charge: object | null };

/** The providers that a link can be paid with: those of its account, or with a charge those of the operator. */
export function providersFor(
  db: Queryable,
  scope: Pick<Context["scope"], "partner_id">,
  { account_id, provider_id, charge }: Collected,
): Promise<UsableProvider[]> {
  return charge === null ? usableProviders(db, scope, account_id, provider_id) : programmeProviders(db);
}

type Opener = Pick<Context, "sealer">;

const opened = ({ sealer }: Opener, sealed: SealedProvider | null): OpenProvider | null =>
  sealed === null ? null : { ...sealed, secrets: openSecrets(sealer, sealed.id, sealed.secrets) };

/** A provider of a partner or of the operator with its secrets, whatever its status. */
export async function openProviderOrNull(
  ctx: Opener,
  db: Queryable,
  partner_id: string,
  id: string,
): Promise<OpenProvider | null> {
  const own = await sealedProviderOrNull(db, partner_id, id);
  return opened(ctx, own ?? (await sealedProgrammeProviderOrNull(db, id)));
}

/** The provider that a token in a public path stands for; null if it stands for none. */
export async function providerByToken(ctx: Opener, db: Queryable, token: string): Promise<OpenProvider | null> {
  const target = await tokenTarget(db, token);
  return target?.kind === "hook" ? openProviderOrNull(ctx, db, target.partner_id, target.target_id) : null;
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
