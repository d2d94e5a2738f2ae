import { type Fault, fail, notFound } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { clientActivated, clientChurned, clientCreated, clientSuspended } from "./events.ts";
import { clientsPage } from "./list.queries.ts";
import type { ClientListQuery } from "./list.schema.ts";
import { type Client, type ClientStatus, checkTransition } from "./model.ts";
import {
  clientForUpdateOrNull,
  clientOrNull,
  clientWithExternalId,
  ExternalIdTaken,
  insertClient,
  type NewClient,
  saveFields,
  saveStatus,
  unknownClients,
} from "./queries.ts";
import type { ClientCreate, ClientPatch } from "./schema.ts";

/** The fields that an audit entry compares; the contact's values are personal and stay out of it. */
const AUDITED = [
  "company",
  "external_id",
  "contact",
  "plan",
  "mrr_cents",
  "currency",
  "branding",
  "tags",
  "metadata",
  "status",
  "status_reason",
] as const;
const PERSONAL = new Set(["contact"]);

/** Creates an account under the partner's branding, active unless the caller says otherwise. */
export async function createClient(ctx: Context, input: ClientCreate): Promise<Client> {
  return namingDuplicates(ctx, input.external_id, () => ctx.tx((tx) => addClient(ctx, tx, input)));
}

/** Adds a client, by itself or because a deal was won. */
export async function addClient(ctx: Context, tx: Tx, input: ClientCreate, deal_id: string | null = null): Promise<Client> {
  const { activate = true, ...fields } = input;
  const client = await openAccount(ctx, tx, ctx.scope, { ...fields, house: false, status: activate ? "active" : "pending" });
  const created = clientCreated(client, deal_id);
  const events = activate ? [created, clientActivated(client, "pending")] : [created];
  const changes = changesBetween<Partial<Client>>({ tags: [] }, client, AUDITED, PERSONAL);
  record(tx, ctx.scope, events, { action: "clients.create", target: client.id, client_id: client.id, changes });
  return client;
}

/**
 * Gives a client what was sold to it and makes it active; null where there is no such client. A suspended one stays suspended:
 * whoever suspended it has a reason that a sale does not end.
 */
export async function sellToClient(
  ctx: Context,
  tx: Tx,
  id: string,
  sold: Pick<Client, "plan" | "mrr_cents" | "currency">,
): Promise<Client | null> {
  const client = await clientForUpdateOrNull(tx, ctx.scope, id);
  if (client === null || client.house) return null;
  const saved = await changeFields(tx, client, sold);
  return saved.status === "pending" || saved.status === "churned" ? moveClient(tx, saved, "active", null) : saved;
}

/** Opens the partner's own account, in the transaction that makes the partner. It raises no client events. */
export async function openHouseAccount(ctx: Context, tx: Tx, partner: { id: string; company: string }): Promise<void> {
  const scope = { partner_id: partner.id, clients: "all" } as const;
  await openAccount(ctx, tx, scope, { company: partner.company, house: true, status: "active" });
}

/** Adds an account and what every account begins with, in one flight. */
async function openAccount(
  ctx: Context,
  tx: Tx,
  scope: TenantScope,
  fields: Partial<NewClient> & Pick<NewClient, "company" | "house" | "status">,
): Promise<Client> {
  const id = tx.newId("client");
  const [client] = await Promise.all([
    insertClient(tx, scope, {
      external_id: null,
      contact: null,
      plan: null,
      mrr_cents: 0,
      currency: null,
      branding: null,
      tags: [],
      metadata: {},
      ...fields,
      id,
    }),
    ctx.hooks.furnish(tx, { partner_id: scope.partner_id, id }),
  ]);
  return client;
}

export function listClients(ctx: Context, query: ClientListQuery): Promise<{ json: string }> {
  return clientsPage(ctx.db, ctx.scope, query);
}

export async function getClient(ctx: Context, id: string) {
  return (await clientOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Changes fields and, when the patch names one, the status, in that order and as one change. */
export async function updateClient(ctx: Context, id: string, patch: ClientPatch): Promise<Client> {
  const { status, reason = null, ...fields } = patch;
  return namingDuplicates(ctx, patch.external_id, () =>
    ctx.tx(async (tx) => {
      const before = await lockClient(ctx, tx, id);
      const moves = status !== undefined && checkTransition(before, status);
      const saved = await changeFields(tx, before, fields);
      return moves ? moveClient(tx, saved, status, reason) : saved;
    }),
  );
}

/** Changes fields of a client that was locked before; the same object when there is nothing to change. */
export async function changeFields(tx: Tx, before: Client, fields: Partial<Client>): Promise<Client> {
  const after = { ...before, ...fields };
  const changes = changesBetween(before, after, AUDITED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  record(tx, before, [], { action: "clients.update", target: before.id, client_id: before.id, changes });
  return saveFields(tx, after);
}

/** Moves an account to a status. Repeating a move changes nothing and tells nobody. */
export function changeStatus(ctx: Context, id: string, status: ClientStatus, reason: string | null): Promise<Client> {
  return ctx.tx(async (tx) => {
    const client = await lockClient(ctx, tx, id);
    return checkTransition(client, status) ? moveClient(tx, client, status, reason) : client;
  });
}

/** Moves a client that was locked before to a status that it may have. */
export async function moveClient(tx: Tx, before: Client, status: ClientStatus, reason: string | null): Promise<Client> {
  const saved = await saveStatus(tx, before, status, reason);
  const changes = changesBetween(before, saved, AUDITED, PERSONAL);
  record(tx, saved, [movedEvent(saved, before.status, tx.now)], {
    action: moveAction(before.status, status),
    target: saved.id,
    client_id: saved.id,
    changes,
  });
  return saved;
}

function moveAction(from: ClientStatus, to: ClientStatus): string {
  if (to === "active") return from === "pending" ? "clients.activate" : "clients.reactivate";
  return to === "suspended" ? "clients.suspend" : "clients.churn";
}

function movedEvent(client: Client, from: ClientStatus, now: Date) {
  if (client.status === "suspended") return clientSuspended(client);
  return client.status === "churned" ? clientChurned(client, now) : clientActivated(client, from);
}

/** A client that the caller may change, locked until the transaction ends. */
async function lockClient(ctx: Context, tx: Tx, id: string): Promise<Client> {
  const client = (await clientForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, client);
  return client;
}

/** Refuses a list of clients with some that the caller does not have, each with its place. */
export async function refuseUnknownClients(tx: Tx, scope: TenantScope, asked: readonly string[], pointer: string): Promise<void> {
  const unknown = await unknownClients(tx, scope, asked);
  if (unknown.length === 0) return;
  const faults: Fault[] = unknown.slice(0, 50).map((id) => ({
    in: "body",
    pointer: `${pointer}/${asked.indexOf(id)}`,
    code: "unknown_client",
    detail: `${id} was not found.`,
  }));
  fail("validation_failed", { detail: "Some of the clients do not exist.", faults });
}

/** Says whose a taken external id is, once the failed transaction is over; a client out of the caller's sight stays unnamed. */
async function namingDuplicates<T>(ctx: Context, external_id: string | null | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ExternalIdTaken) || typeof external_id !== "string") throw error;
    const owner = await clientWithExternalId(ctx.db, ctx.scope, external_id);
    const visible = owner !== null && (ctx.scope.clients === "all" || ctx.scope.clients.includes(owner));
    fail("duplicate_client", {
      detail: `external_id ${external_id} belongs to another client.`,
      ...(visible ? { meta: { existing_id: owner } } : {}),
    });
  }
}
