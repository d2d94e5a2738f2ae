import { fail, notFound } from "../../kernel/errors.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../kernel/page.ts";
import { changesBetween } from "../../platform/record/audit.ts";
import { type Context, record, requireVersion, type Tx } from "../../platform/record/context.ts";
import { clientActivated, clientChurned, clientCreated, clientSuspended } from "./events.ts";
import { type Client, type ClientStatus, mustMove } from "./model.ts";
import {
  clientForUpdateOrNull,
  clientOrNull,
  clientsPage,
  clientWithExternalId,
  ExternalIdTaken,
  insertClient,
  saveFields,
  saveStatus,
} from "./queries.ts";
import type { ClientCreate, ClientListQuery, ClientPatch } from "./schema.ts";

/** The fields that an audit entry compares; the contact's values are personal and stay out of it. */
const AUDITED = [
  "company",
  "external_id",
  "contact",
  "plan",
  "mrr_cents",
  "currency",
  "branding",
  "metadata",
  "status",
  "status_reason",
] as const;
const PERSONAL = new Set(["contact"]);

/** Creates an account under the partner's branding, active unless the caller says otherwise. */
export async function createClient(ctx: Context, input: ClientCreate): Promise<Client> {
  const { activate = true, ...fields } = input;
  return namingDuplicates(ctx, input.external_id, () =>
    ctx.tx(async (tx) => {
      const client = await insertClient(tx, ctx.scope, {
        external_id: null,
        contact: null,
        plan: null,
        mrr_cents: 0,
        currency: null,
        branding: null,
        metadata: {},
        ...fields,
        id: tx.newId("client"),
        house: false,
        status: activate ? "active" : "pending",
      });
      const events = activate ? [clientCreated(client), clientActivated(client, "pending")] : [clientCreated(client)];
      const changes = changesBetween<Partial<Client>>({}, client, AUDITED, PERSONAL);
      record(tx, events, { action: "clients.create", target: client.id, client_id: client.id, changes });
      return client;
    }),
  );
}

/** Opens the partner's own account, in the transaction that makes the partner. It raises no client events. */
export async function openHouseAccount(tx: Tx, partner: { id: string; company: string }): Promise<void> {
  const scope = { partner_id: partner.id, clients: "all" } as const;
  await insertClient(tx, scope, {
    id: tx.newId("client"),
    house: true,
    company: partner.company,
    external_id: null,
    contact: null,
    plan: null,
    mrr_cents: 0,
    currency: null,
    branding: null,
    metadata: {},
    status: "active",
  });
}

export async function getClient(ctx: Context, id: string) {
  return (await clientOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listClients(ctx: Context, query: ClientListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, sort = "-created_at", status, include_house = false } = query;
  const list = listIdentity("clients", { sort, status, include_house });
  const after = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const filter = { include_house, ascending: sort === "created_at", after, limit, ...(status === undefined ? {} : { status }) };
  const rows = await clientsPage(ctx.db, ctx.scope, filter);
  return { json: pageJson(rows, limit, ({ id }) => encodeCursor(list, [id])) };
}

/** Changes fields and, when the patch names one, the status, in that order and as one change. */
export async function updateClient(ctx: Context, id: string, patch: ClientPatch): Promise<Client> {
  const { status, reason = null, ...fields } = patch;
  return namingDuplicates(ctx, patch.external_id, () =>
    ctx.tx(async (tx) => {
      const before = await lockClient(ctx, tx, id);
      const moves = status !== undefined && mustMove(before, status);
      const changes = changesBetween(before, { ...before, ...fields }, AUDITED, PERSONAL);
      const saved = Object.keys(changes).length === 0 ? before : await saveFields(tx, { ...before, ...fields });
      if (saved !== before) record(tx, [], { action: "clients.update", target: id, client_id: id, changes });
      return moves ? moveClient(tx, saved, status, reason) : saved;
    }),
  );
}

/** Moves an account to a status. Repeating a move changes nothing and tells nobody. */
export function changeStatus(ctx: Context, id: string, status: ClientStatus, reason: string | null): Promise<Client> {
  return ctx.tx(async (tx) => {
    const client = await lockClient(ctx, tx, id);
    return mustMove(client, status) ? moveClient(tx, client, status, reason) : client;
  });
}

async function moveClient(tx: Tx, before: Client, status: ClientStatus, reason: string | null): Promise<Client> {
  const saved = await saveStatus(tx, before, status, reason);
  const changes = changesBetween(before, saved, AUDITED, PERSONAL);
  record(tx, [movedEvent(saved, before.status, tx.now)], {
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

async function lockClient(ctx: Context, tx: Tx, id: string): Promise<Client> {
  const client = (await clientForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, client);
  return client;
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
