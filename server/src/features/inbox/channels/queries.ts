import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import type { ChannelKind, ChannelStatus, Hours } from "./adapter.ts";
import { adapterOf, OFFERED } from "./registry.ts";
import { type ChannelListQuery, Channel as ChannelSchema, type ChannelShown } from "./schema.ts";

/** What a kind of channel can do, as far as it is told. */
const CAPABILITIES = `case c.kind ${OFFERED.map((kind) => {
  const { text_max, html, attachments, window_hours, delivered, read } = adapterOf(kind).capabilities;
  const shown = { text_max, html, attachments: attachments > 0, window_hours, delivered, read };
  return `when '${kind}' then '${JSON.stringify(shown)}'::json`;
}).join(" ")} end`;

const CHANNEL_JSON = rowJson(ChannelSchema, {
  secrets_set: "(c.secrets is not null)",
  hook_path: "(case c.kind when 'webchat' then '/chat/' else '/hooks/' end || c.token)",
  capabilities: CAPABILITIES,
});

/** A channel as the API shows it, with its JSON. */
export type Channel = ChannelShown & { json: string };

export const CHANNEL_FIELDS = ["name", "status", "config", "hours", "timezone", "per_minute"] as const;
export type ChannelFields = Pick<Channel, (typeof CHANNEL_FIELDS)[number]>;
export type NewChannel = ChannelFields & {
  id: string;
  account_id: string;
  kind: ChannelKind;
  secrets: Buffer | null;
  token: string;
};

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "kind",
  "secrets",
  "token",
  ...CHANNEL_FIELDS,
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into channels ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${CHANNEL_JSON} as json from c`);

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Adds a channel; null when its name is in use. */
export async function insertChannel(tx: Tx, { partner_id }: TenantScope, channel: NewChannel): Promise<Channel | null> {
  const stored = { ...channel, config: json(channel.config), hours: json(channel.hours) };
  const row = { ...stored, partner_id, created_at: tx.now, updated_at: tx.now };
  return parsedRow<ChannelShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const countStatement = statement(`
  select count(*)::int as count from channels c where c.partner_id = $1 and c.account_id = $2 and c.archived_at is null`);

/** How many channels an account has in use. */
export async function countChannels(tx: Queryable, { partner_id }: TenantScope, account_id: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countStatement, [partner_id, account_id]);
  return row?.count ?? 0;
}

const idByName = statement(`
  select c.id from channels c
  where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3) and c.archived_at is null`);

/** The id of the channel in use that has a name. */
export async function channelIdByNameOrNull(
  tx: Queryable,
  scope: TenantScope,
  { account_id, name }: Pick<Channel, "account_id" | "name">,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(idByName, [scope.partner_id, account_id, name]);
  return row?.id ?? null;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const channelById = statement(`select ${CHANNEL_JSON} as json from channels c where ${VISIBLE}`);
const lockChannel = statement(`select ${CHANNEL_JSON} as json from channels c where ${VISIBLE} for update`);

/** One channel within the caller's scope. */
export async function channelOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Channel | null> {
  return parsedRow<ChannelShown>(await db.query(channelById, [scope.partner_id, id, boundClients(scope)]));
}

export async function channelForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Channel | null> {
  return parsedRow<ChannelShown>(await tx.query(lockChannel, [scope.partner_id, id, boundClients(scope)]));
}

const updateStatement = statement(`
  with c as (
    update channels set ${assignments([...CHANNEL_FIELDS, "last_error", "archived_at", "updated_at"], 3)}, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${CHANNEL_JSON} as json from c`);

/** Saves a locked channel; null when its name is in use. */
export async function saveChannel(tx: Tx, scope: TenantScope, channel: ChannelShown): Promise<Channel | null> {
  const stored = { ...channel, config: json(channel.config), hours: json(channel.hours) };
  const values = [
    scope.partner_id,
    channel.id,
    ...valuesOf(stored, CHANNEL_FIELDS),
    json(channel.last_error),
    channel.archived_at,
    tx.now,
  ];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<ChannelShown>(rows);
}

const secretsStatement = statement("update channels set secrets = $3 where partner_id = $1 and id = $2");

/** Stores the sealed secrets of a locked channel. */
export async function saveSecrets(tx: Queryable, { partner_id }: TenantScope, id: string, secrets: Buffer): Promise<void> {
  await tx.query(secretsStatement, [partner_id, id, secrets]);
}

export function channelsPage(db: Queryable, scope: TenantScope, query: ChannelListQuery) {
  const { account_id, kind, status, archived = false } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("channels", { account_id, kind, status, archived }),
      table: "channels",
      json: CHANNEL_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        archived ? "c.archived_at is not null" : "c.archived_at is null",
        ...(kind === undefined ? [] : [anyOf("c.kind", [kind], place)]),
        ...(status === undefined ? [] : [anyOf("c.status", [status], place)]),
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
      ],
    },
    query,
  );
}

export type SealedChannel = {
  partner_id: string;
  id: string;
  account_id: string;
  kind: ChannelKind;
  status: ChannelStatus;
  config: object;
  secrets: Buffer | null;
  token: string;
  per_minute: number;
  hours: Hours | null;
  timezone: string | null;
  version: number;
};

const sealedById = statement(`
  select c.partner_id, c.id, c.account_id, c.kind, c.status, c.config, c.secrets, c.token, c.per_minute, c.hours, c.timezone,
    c.version
  from channels c where ${VISIBLE} and c.archived_at is null`);

/** A channel in use, with its sealed secrets. */
export async function sealedChannelOrNull(db: Queryable, scope: TenantScope, id: string): Promise<SealedChannel | null> {
  const [row] = await db.query<SealedChannel>(sealedById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const errorStatement = statement(`
  update channels set status = 'error', last_error = $3, updated_at = $4, version = version + 1
  where partner_id = $1 and id = $2 and version = $5 and status = 'active' and archived_at is null`);

type Tried = { partner_id: string; id: string; version: number };
export type ChannelError = { code: string; detail: string; at: Date };

/** An active channel gets into error, unless it was changed since it was tried: the refusal is of what it was before. */
export async function saveError(
  db: Queryable,
  { partner_id, id, version }: Tried,
  error: ChannelError,
  now: Date,
): Promise<void> {
  await db.query(errorStatement, [partner_id, id, JSON.stringify(error), now, version]);
}

const ofAgent = statement(`
  select c.id, c.agent_id from channels c
  where c.partner_id = $1 and c.account_id = $2 and c.archived_at is null and (c.agent_id = $3 or c.id = any ($4))
  order by c.id for update`);

/** The channels in use of an account that an agent answers on, and some others; locked. */
export function channelsForUpdate(
  tx: Queryable,
  { partner_id }: TenantScope,
  agent: { id: string; account_id: string },
  ids: readonly string[],
): Promise<{ id: string; agent_id: string | null }[]> {
  return tx.query(ofAgent, [partner_id, agent.account_id, agent.id, ids]);
}

const agentStatement = statement(`
  update channels set agent_id = $3, updated_at = $4, version = version + 1 where partner_id = $1 and id = $2`);

const releaseStatement = statement(`
  update channels set agent_id = null, updated_at = $3, version = version + 1 where partner_id = $1 and agent_id = any ($2)`);

/** Leaves the channels of agents without one. */
export async function releaseChannels(tx: Tx, partner_id: string, agent_ids: readonly string[]): Promise<void> {
  if (agent_ids.length > 0) await tx.query(releaseStatement, [partner_id, agent_ids, tx.now]);
}

/** Says which agent answers on a locked channel. */
export async function saveAgentId(tx: Tx, { partner_id }: TenantScope, id: string, agent_id: string | null): Promise<void> {
  await tx.query(agentStatement, [partner_id, id, agent_id, tx.now]);
}

const addressStatement = statement(`
  select 1 from channels c
  where c.partner_id = $1 and c.kind = 'email' and lower(c.config ->> 'from') = lower($2) and c.archived_at is null limit 1`);

/** Whether an e-mail channel of the partner sends from an address. */
export async function isChannelAddress(db: Queryable, { partner_id }: Pick<TenantScope, "partner_id">, address: string) {
  return (await db.query(addressStatement, [partner_id, address])).length > 0;
}
