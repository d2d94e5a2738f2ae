import { type Fault, fail, notFound } from "../../../kernel/errors.ts";
import { hasScope, type TenantScope } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, type Furnishing, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { requirePlan } from "../plans/index.ts";
import { clientActivated, clientChurned, clientCreated, clientSuspended } from "./events.ts";
import { clientsPage } from "./list.queries.ts";
import type { ClientListQuery } from "./list.schema.ts";
import { CLIENT_FIELDS, type Client, type ClientFields, type ClientStatus, checkTransition } from "./model.ts";
import { insertMovements } from "./movements.queries.ts";
import {
  clientForUpdateOrNull,
  clientIdByExternalIdOrNull,
  clientOrNull,
  DuplicateExternalId,
  defaultCurrency,
  insertClient,
  saveStatus,
  unknownClients,
  updateFields,
} from "./queries.ts";
import type { ClientCreate, ClientPatch } from "./schema.ts";

const AUDITED = [...CLIENT_FIELDS, "status", "status_reason"] as const;
/** Fields whose values stay out of the audit log. */
const PERSONAL = new Set(["contact"]);

export async function createClient(ctx: Context, input: ClientCreate): Promise<Client> {
  const required_scope = "snapshots:deploy";
  if (input.snapshots !== undefined && !hasScope(ctx.principal, required_scope)) {
    const detail = `snapshots needs the scope ${required_scope}, too.`;
    fail("insufficient_scope", { detail, meta: { required_scope } });
  }
  try {
    return await refusingDuplicates(ctx, input.external_id, () => ctx.txAtOnce((tx) => addWithPlan(ctx, tx, input)));
  } catch (error) {
    if (!(error instanceof OtherSpelling)) throw error;
    return createClient(ctx, { ...input, plan: error.plan });
  }
}

/** The plan has another spelling than the request. The client is added once more, with that one. */
class OtherSpelling extends Error {
  readonly plan: string;

  constructor(plan: string) {
    super("the plan is spelled otherwise");
    this.plan = plan;
  }
}

/** Adds a client, and checks its plan in the same flight: nearly always it is sent as it is spelled. */
async function addWithPlan(ctx: Context, tx: Tx, input: ClientCreate): Promise<Client> {
  const checked = input.plan == null ? null : requirePlan(tx, input.plan);
  // The refusal of the client comes first, if there are two.
  checked?.catch(() => undefined);
  const client = await addClient(ctx, tx, input);
  const plan = await checked;
  if (plan !== null && plan !== client.plan) throw new OtherSpelling(plan);
  return client;
}

/**
 * Adds a client in the transaction of a larger command; `deal_id` is the deal that was won, if there is one. A plan that was sold is
 * not checked again: it may have been archived since.
 */
export async function addClient(ctx: Context, tx: Tx, input: ClientCreate, deal_id: string | null = null): Promise<Client> {
  const { activate = true, currency = partnerCurrency(ctx), snapshots = null, ...fields } = input;
  const id = tx.newId("client");
  const furnishing = await ctx.hooks.furnish(ctx, tx, { partner_id: ctx.scope.partner_id, id }, snapshots);
  const client = await openAccount(
    tx,
    ctx.scope,
    { ...fields, currency: currency ?? (await defaultCurrency(tx, ctx.scope)) },
    { id, house: false, status: activate ? "active" : "pending" },
    furnishing,
  );
  const brought = furnishing.snapshots.map(({ snapshot_id }) => snapshot_id);
  const created = clientCreated(client, brought, deal_id);
  const events = activate ? [created, clientActivated(client, "pending")] : [created];
  const changes = changesBetween<Partial<Client>>({ tags: [] }, client, AUDITED, PERSONAL);
  record(tx, ctx.scope, events, { action: "clients.create", target: client.id, client_id: client.id, changes });
  await furnishing.deploy();
  return client;
}

/**
 * Gives a client the plan that was sold to it and activates it; null if there is no such client. A suspended client stays suspended,
 * because a sale does not settle the reason for the suspension.
 */
export async function applySale(
  ctx: Context,
  tx: Tx,
  id: string,
  sold: Pick<Client, "plan" | "mrr_cents" | "currency">,
): Promise<Client | null> {
  const client = await clientForUpdateOrNull(tx, ctx.scope, id);
  if (client === null || client.house) return null;
  const saved = await changeFields(tx, client, sold);
  return saved.status === "pending" || saved.status === "churned" ? applyStatus(ctx, tx, saved, "active", null) : saved;
}

/** The default currency as the key was looked up with it, so that creating a client takes no read of its own. */
function partnerCurrency({ principal }: Context): string | null {
  return "currency" in principal ? principal.currency : null;
}

type HouseAccount = { id: string; company: string; currency: string };

/** Opens the partner's own account, in the transaction that creates the partner. It emits no client events. */
export async function openHouseAccount(ctx: Context, tx: Tx, partner_id: string, account: HouseAccount): Promise<void> {
  const { id, ...fields } = account;
  const furnishing = await ctx.hooks.furnish(ctx, tx, { partner_id, id }, []);
  await openAccount(tx, { partner_id, clients: "all" }, fields, { id, house: true, status: "active" }, furnishing);
}

const NO_FIELDS = { external_id: null, contact: null, plan: null, mrr_cents: 0, branding: null, tags: [], metadata: {} };

/** Adds an account and the defaults of every account, in one flight. */
async function openAccount(
  tx: Tx,
  scope: TenantScope,
  fields: Partial<ClientFields> & Pick<ClientFields, "company" | "currency">,
  state: Pick<Client, "id" | "house" | "status">,
  { snapshots, open }: Furnishing,
): Promise<Client> {
  const account = { ...NO_FIELDS, ...fields, ...state, snapshots };
  const { partner_id } = scope;
  const inserted = insertClient(tx, scope, account);
  insertMovements(tx, null, { ...account, partner_id });
  open();
  return inserted;
}

export function listClients(ctx: Context, query: ClientListQuery): Promise<{ json: string }> {
  return clientsPage(ctx.db, ctx.scope, query);
}

export async function getClient(ctx: Context, id: string) {
  return (await clientOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Changes fields and then, if the patch has one, the status, as one change. */
export async function updateClient(ctx: Context, id: string, patch: ClientPatch): Promise<Client> {
  const { status, reason = null, ...fields } = patch;
  return refusingDuplicates(ctx, patch.external_id, () =>
    ctx.tx(async (tx) => {
      const before = await lockClient(ctx, tx, id);
      const changes_status = status !== undefined && checkTransition(before, status);
      const { plan = null } = fields;
      if (plan !== null && plan !== before.plan) fields.plan = await requirePlan(tx, plan);
      const saved = await changeFields(tx, before, fields);
      return changes_status ? applyStatus(ctx, tx, saved, status, reason) : saved;
    }),
  );
}

/** Changes fields of a client that was locked before; returns the same object if there is nothing to change. */
export async function changeFields(tx: Tx, before: Client, fields: Partial<Client>): Promise<Client> {
  const after = { ...before, ...fields };
  const changes = changesBetween(before, after, AUDITED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  record(tx, before, [], { action: "clients.update", target: before.id, client_id: before.id, changes });
  insertMovements(tx, before, after);
  return updateFields(tx, after);
}

/** Changes the status of a client. The current status changes nothing and emits nothing. */
export function changeStatus(ctx: Context, id: string, status: ClientStatus, reason: string | null): Promise<Client> {
  return ctx.tx(async (tx) => {
    const client = await lockClient(ctx, tx, id);
    return checkTransition(client, status) ? applyStatus(ctx, tx, client, status, reason) : client;
  });
}

/** Changes the status of a client that was locked before, after `checkTransition`. */
export async function applyStatus(
  ctx: Context,
  tx: Tx,
  before: Client,
  status: ClientStatus,
  reason: string | null,
): Promise<Client> {
  insertMovements(tx, before, { ...before, status });
  const saved = await saveStatus(tx, before, status, reason);
  await ctx.hooks.updateClientClaims(tx, saved, before.status);
  const changes = changesBetween(before, saved, AUDITED, PERSONAL);
  record(tx, saved, [statusEvent(saved, before.status, tx.now)], {
    action: statusAction(before.status, status),
    target: saved.id,
    client_id: saved.id,
    changes,
  });
  return saved;
}

function statusAction(from: ClientStatus, to: ClientStatus): string {
  if (to === "active") return from === "pending" ? "clients.activate" : "clients.reactivate";
  return to === "suspended" ? "clients.suspend" : "clients.churn";
}

function statusEvent(client: Client, from: ClientStatus, now: Date) {
  if (client.status === "suspended") return clientSuspended(client);
  return client.status === "churned" ? clientChurned(client, now) : clientActivated(client, from);
}

async function lockClient(ctx: Context, tx: Tx, id: string): Promise<Client> {
  const client = (await clientForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, client);
  return client;
}

/** Refuses client ids that are not within the caller's scope, with the position of each. */
export async function requireKnownClients(tx: Tx, scope: TenantScope, ids: readonly string[], pointer: string): Promise<void> {
  const unknown = await unknownClients(tx, scope, ids);
  if (unknown.length === 0) return;
  const faults: Fault[] = unknown.slice(0, 50).map((id) => ({
    in: "body",
    pointer: `${pointer}/${ids.indexOf(id)}`,
    code: "unknown_client",
    detail: `The client ${id} was not found.`,
  }));
  fail("validation_failed", { faults });
}

/** Refuses a duplicate external id after the rollback, with the id of the other client if it is within the caller's scope. */
async function refusingDuplicates<T>(ctx: Context, external_id: string | null | undefined, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DuplicateExternalId) || typeof external_id !== "string") throw error;
    const existing_id = await clientIdByExternalIdOrNull(ctx.db, ctx.scope, external_id);
    const visible = existing_id !== null && (ctx.scope.clients === "all" || ctx.scope.clients.includes(existing_id));
    fail("duplicate_client", {
      detail: `Another client has the external_id ${external_id}.`,
      ...(visible ? { meta: { existing_id } } : {}),
    });
  }
}
