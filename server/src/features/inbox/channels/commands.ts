import { fail, notFound } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import type { Sealer } from "../../../platform/crypto/seal.ts";
import { LruMap } from "../../../platform/db/lru.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { newToken, removeToken, type TokenTarget, tokenTarget } from "../../../platform/http/public-tokens.ts";
import type { Result } from "../../../platform/http/route.ts";
import { type Changes, changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange, accountForNew } from "../../accounts/custom-fields/index.ts";
import type { ChannelKind, OpenChannel } from "./adapter.ts";
import { deleteMailbox, insertMailbox } from "./email/mailbox.queries.ts";
import {
  CHANNELS_MAX,
  checkedConfig,
  checkHours,
  checkSecrets,
  PER_MINUTE,
  patchMembers,
  refuseSimulator,
  secretsPurpose,
} from "./model.ts";
import {
  CHANNEL_FIELDS,
  type Channel,
  channelForUpdateOrNull,
  channelIdByNameOrNull,
  channelOrNull,
  channelsPage,
  countChannels,
  insertChannel,
  type SealedChannel,
  saveChannel,
  saveSecrets,
  sealedChannelOrNull,
} from "./queries.ts";
import { adapterOf } from "./registry.ts";
import type { ChannelCreate, ChannelListQuery, ChannelPatch } from "./schema.ts";

/** Makes a channel with its token and its secrets. What the provider thinks of it, a test tells. */
export async function createChannel(ctx: Context, input: ChannelCreate): Promise<Channel> {
  const { account_id, secrets, ...given } = input;
  const kind = input.kind as ChannelKind;
  refuseSimulator(kind, ctx.settings);
  const config = await checkedConfig(kind, input.config ?? {}, ctx.settings);
  const complete = secrets ?? adapterOf(kind).newSecrets?.() ?? {};
  await checkSecrets(kind, complete as Record<string, unknown>);
  const fields = { status: "active" as const, hours: null, timezone: null, per_minute: PER_MINUTE, ...given, kind, config };
  checkHours(fields.hours, fields.timezone);
  return ctx.tx(async (tx) => {
    await takeTurn(tx, `channels of ${ctx.scope.partner_id}`);
    const account = await accountForNew(ctx, tx, "contact", account_id);
    await refuseTooMany(ctx, tx, account.id);
    const id = tx.newId("channel");
    const token = await newToken(tx, kind === "webchat" ? "chat" : "hook", ctx.scope.partner_id, id);
    const channel = { ...fields, id, account_id: account.id, token, secrets: sealSecrets(ctx, id, complete) };
    const saved = (await insertChannel(tx, ctx.scope, channel)) ?? (await refuseDuplicate(ctx, tx, channel));
    const changes: Changes = changesBetween<Partial<Channel>>({}, saved, ["kind", ...CHANNEL_FIELDS]);
    changes.secrets = "redacted";
    await keepMailbox(ctx, tx, null, saved);
    record(tx, ctx.scope, [], { action: "channels.create", target: id, client_id: account.id, changes });
    return saved;
  });
}

export async function getChannel(ctx: Context, id: string): Promise<Channel> {
  return (await channelOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listChannels(ctx: Context, query: ChannelListQuery): Promise<{ json: string }> {
  return channelsPage(ctx.db, ctx.scope, query);
}

/** Changes a channel. One in error is active again once its configuration, its secrets or its status are set. */
export function updateChannel(ctx: Context, id: string, patch: ChannelPatch): Promise<Channel> {
  const { secrets, config, ...rest } = patch;
  return ctx.tx(async (tx) => {
    const before = await lockedChannel(ctx, tx, id);
    if (before.archived_at !== null)
      fail("invalid_state_transition", { detail: "The channel is archived. Create another one.", meta: { allowed: [] } });
    const kind = before.kind as ChannelKind;
    const after = { ...before, ...rest };
    // One that a snapshot brought is not complete before it is set to work.
    if (config !== undefined || (patch.status === "active" && before.status === "paused"))
      after.config = await checkedConfig(kind, patchMembers(before.config, config ?? {}), ctx.settings);
    checkHours(after.hours, after.timezone);
    const opened = await openChannel(tx, ctx.sealer, ctx.scope, id);
    const made = before.secrets_set ? undefined : adapterOf(kind).newSecrets?.();
    const complete = patchMembers((made ?? opened?.secrets ?? {}) as Record<string, unknown>, secrets ?? {});
    const repaired = before.status === "error" && (config !== undefined || secrets !== undefined);
    if (repaired) after.status = patch.status ?? "active";
    if (secrets !== undefined || after.status === "active") await checkSecrets(kind, complete);
    if (after.status !== "error") after.last_error = null;
    const changes: Changes = changesBetween<Channel>(before, after, CHANNEL_FIELDS);
    const sealing = secrets !== undefined || (made !== undefined && after.status === "active");
    if (sealing) changes.secrets = "redacted";
    if (Object.keys(changes).length === 0) return before;
    if (sealing) await saveSecrets(tx, ctx.scope, id, sealSecrets(ctx, id, complete));
    record(tx, ctx.scope, [], { action: "channels.update", target: id, client_id: before.account_id, changes });
    await keepMailbox(ctx, tx, before, after);
    return (await saveChannel(tx, ctx.scope, after)) ?? refuseDuplicate(ctx, tx, after);
  });
}

/** Archives a channel: its address is gone, and nothing is sent on it any more. Its conversations can still be read. */
export function archiveChannel(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const before = await lockedChannel(ctx, tx, id);
    if (before.archived_at !== null) return;
    await removeToken(tx, before.hook_path.slice(before.hook_path.lastIndexOf("/") + 1));
    await saveChannel(tx, ctx.scope, { ...before, status: "paused", archived_at: tx.now.toISOString() });
    const changes = { archived: { from: false, to: true } };
    record(tx, ctx.scope, [], { action: "channels.archive", target: id, client_id: before.account_id, changes });
  });
}

/** Asks the provider whether it knows the channel, and keeps what it says: a refusal is an error of the channel. */
export async function testChannel(ctx: Context, id: string): Promise<Result> {
  await ctx.replayed();
  const channel = (await openChannel(ctx.db.byKey, ctx.sealer, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, channel);
  const check =
    Object.keys(channel.secrets).length === 0
      ? {
          ok: false,
          code: "secrets_missing",
          detail: "The channel has no secrets, or they were stored under another SECRET_KEY.",
        }
      : await adapterOf(channel.kind).check(channel, netOf(ctx));
  return ctx.tx(async (tx) => {
    const before = (await channelForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    requireVersion(ctx, before);
    // What the provider says of a channel that was changed meanwhile is about what it was before.
    const kept = before.status === "paused" || before.version !== channel.version;
    const status = kept ? before.status : check.ok ? "active" : "error";
    const last_error = status === "error" ? { code: check.code ?? "", detail: check.detail, at: tx.now.toISOString() } : null;
    if (!kept && (status !== before.status || last_error !== null))
      await saveChannel(tx, ctx.scope, { ...before, status, last_error });
    const changes = changesBetween<Pick<Channel, "status">>(before, { status }, ["status"]);
    record(tx, ctx.scope, [], { action: "channels.test", target: id, client_id: before.account_id, changes });
    return { json: JSON.stringify({ ok: check.ok, code: check.code, detail: check.detail, status }) };
  });
}

/** A channel with another mailbox has it read from now on. */
async function keepMailbox(ctx: Context, tx: Tx, before: Channel | null, after: Pick<Channel, "id" | "config">): Promise<void> {
  const { partner_id } = ctx.scope;
  const [was, is] = [before?.config, after.config].map((config) => JSON.stringify(config?.imap ?? null));
  if (was === is) return;
  await (after.config.imap === undefined ? deleteMailbox : insertMailbox)(tx, { partner_id, id: after.id });
}

/** What adapters reach the world by. */
export function netOf({ outbound, settings, clock }: Pick<Context, "outbound" | "settings" | "clock">) {
  const { http, own, mail } = outbound;
  return { http, own, mail, base_url: settings.baseUrl(), brand: settings.brand, now: clock.now };
}

/** A channel in use with its secrets; null once it is archived. */
export async function openChannel(
  db: Queryable,
  sealer: Sealer,
  scope: TenantScope,
  channel_id: string,
): Promise<OpenChannel | null> {
  const sealed = await sealedChannelOrNull(db, scope, channel_id);
  return sealed === null ? null : opened(sealer, sealed);
}

/** A token never leads elsewhere, so this cannot be wrong: whether the channel still has it is read every time. */
const targets = new LruMap<TokenTarget>(10_000);

/** The channel that a token in a public path stands for; null if it stands for none. */
export async function channelByToken(db: Queryable, sealer: Sealer, token: string): Promise<OpenChannel | null> {
  const target = targets.get(token) ?? (await tokenTarget(db, token));
  if (target === null || target.kind === "pay") return null;
  targets.set(token, target);
  const channel = await openChannel(db, sealer, { partner_id: target.partner_id, clients: "all" }, target.target_id);
  return channel?.token === token ? channel : null;
}

/** A channel whose secrets are missing, or were sealed under another key, sends nothing until they are set again. */
function opened(sealer: Sealer, { secrets: sealed, ...channel }: SealedChannel): OpenChannel {
  const secrets = openSecrets(sealer, channel.id, sealed);
  const usable = Object.keys(secrets).length > 0 || channel.status === "paused";
  return { ...channel, secrets, status: usable ? channel.status : "error" };
}

/** To open secrets takes as long as to check a signature by them. Sealed twice, the same secrets are not the same bytes. */
const openedBy = new WeakMap<Sealer, LruMap<object>>();

function openSecrets(sealer: Sealer, id: string, sealed: Buffer | null): object {
  if (sealed === null) return {};
  const known = openedBy.get(sealer) ?? new LruMap<object>(1_000);
  openedBy.set(sealer, known);
  return known.getOrMake(`${id} ${sealed.toString("latin1")}`, () => {
    try {
      return Object.freeze(JSON.parse(sealer.open(sealed, secretsPurpose(id))) as object);
    } catch {
      return {};
    }
  });
}

function sealSecrets(ctx: Context, id: string, secrets: object): Buffer {
  return ctx.sealer.seal(JSON.stringify(secrets), secretsPurpose(id));
}

/** A channel of an account that takes changes, at the version that the caller saw. The account is locked first. */
async function lockedChannel(ctx: Context, tx: Tx, id: string): Promise<Channel> {
  const { account_id } = (await channelOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await accountForChange(ctx, tx, "contact", account_id);
  const channel = (await channelForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, channel);
  return channel;
}

async function refuseTooMany(ctx: Context, tx: Tx, account_id: string): Promise<void> {
  if ((await countChannels(tx, ctx.scope, account_id)) < CHANNELS_MAX) return;
  fail("channel_limit_reached", { detail: `An account has at most ${CHANNELS_MAX} channels.`, meta: { limit: CHANNELS_MAX } });
}

async function refuseDuplicate(ctx: Context, tx: Tx, channel: Pick<Channel, "account_id" | "name">): Promise<never> {
  const existing_id = await channelIdByNameOrNull(tx, ctx.scope, channel);
  fail("duplicate_channel", { detail: `Another channel has the name ${channel.name}.`, meta: { existing_id } });
}
