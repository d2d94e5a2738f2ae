import { isId } from "../kernel/ids.ts";
import { OPERATOR_TENANT } from "../kernel/principal.ts";
import { ALL_SCOPES } from "../kernel/scopes.ts";
import type { Context } from "../platform/record/context.ts";
import { actFor, actForOperator, createOnce, findClients, findPartner, IDEMPOTENCY_OPTION, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";
import type { Page } from "./shell/output.ts";
import { renderFields } from "./shell/table.ts";

type Key = {
  id: string;
  name: string;
  hint: string;
  /** Operator keys have no scopes, clients or expiry. */
  scopes?: string[];
  clients?: "all" | string[];
  expires_at?: string | null;
  last_used_at?: string | null;
  revoked_at: string | null;
};

const OPERATOR_OPTION = {
  operator: { type: "flag", description: "An operator key, for the operator API." },
} as const;

export const createKey = command({
  name: "keys create",
  summary: "Create an API key",
  options: {
    ...PARTNER_OPTION,
    name: { type: "text", value: "NAME", required: true, description: "A name that says what the key is for." },
    scopes: { type: "list", value: "all|SCOPE,…", choices: ["all", ...ALL_SCOPES], description: "The scopes of the key." },
    clients: {
      type: "list",
      value: "all|CLIENT,…",
      description: "The clients that the key is bound to, by id or external id. Default: all.",
    },
    "expires-in": { type: "duration", value: "TIME", description: "The lifetime of the key, such as 90d. Default: unlimited." },
    "allowed-cidrs": {
      type: "list",
      value: "NETWORK,…",
      description: "The networks that the key may be used from. Default: any.",
    },
    ...OPERATOR_OPTION,
    ...IDEMPOTENCY_OPTION,
  },
  examples: [
    {
      title: "Create a key with all scopes for all clients",
      run: 'tributary keys create --partner northwind --name "Everything" --scopes all --clients all',
    },
    {
      title: "Create a read-only key that expires in 90 days",
      run: 'tributary keys create --partner northwind --name "Billing sync" --scopes clients:read,events:read --expires-in 90d',
    },
    { title: "Create an operator key", run: 'tributary keys create --operator --name "Back office"' },
  ],
  async run(call) {
    const key = call.options.operator ? await createOperatorKey(call) : await createPartnerKey(call);
    call.out.result(key, () => [...describeKey(key), "", key.api_key]);
    call.out.note("The last line is the secret. It is shown only once: store it safely.");
  },
});

type CreateCall = Parameters<typeof createOnce>[0] & {
  services: () => Promise<Parameters<typeof createOnce>[1]>;
  options: {
    partner: string | undefined;
    name: string;
    scopes: readonly string[] | undefined;
    clients: readonly string[] | undefined;
    "expires-in": number | undefined;
    "allowed-cidrs": readonly string[] | undefined;
    "idempotency-key": string | undefined;
  };
};

async function createPartnerKey(call: CreateCall) {
  const { partner, name, scopes, clients = ["all"], "expires-in": lasts_ms, "allowed-cidrs": allowed_cidrs } = call.options;
  if (scopes === undefined) throw new UsageError("--scopes or --operator is required.", "keys create");
  const { createKey, KeyCreate } = await import("../features/programme/keys/index.ts");
  const fields = { name, scopes: scopes.includes("all") ? ALL_SCOPES : scopes, clients: "all", allowed_cidrs };
  await checked("keys create", KeyCreate, "body", fields);
  const services = await call.services();
  const partner_id = await findPartner(services, partner);
  const found = await findClients(actFor(services, partner_id), clients);
  const input = await checked("keys create", KeyCreate, "body", { ...fields, clients: found });
  if (lasts_ms !== undefined) input.expires_at = new Date(services.clock.now().getTime() + lasts_ms).toISOString();
  const what = { operation: "keys.create", partner_id, secret: true };
  const key = await createOnce<Key & { api_key: string }>(call, services, what, (ctx) => createKey(ctx, input));
  await warnWithoutAccess(call, services, partner_id);
  return key;
}

/** Without access, the partner API answers the new key 403. */
async function warnWithoutAccess({ out }: CreateCall, services: Parameters<typeof createOnce>[1], id: string): Promise<void> {
  const { getPartner } = await import("../features/programme/partners/index.ts");
  const { company, api_access }: { company: string; api_access: boolean } = JSON.parse(
    (await getPartner(actForOperator(services), id)).json,
  );
  if (api_access) return;
  out.note(`${company} has no access to the partner API yet: the key works with the general API only.`);
  out.note(`Grant access with: tributary partners grant-access ${id}`);
}

async function createOperatorKey(call: CreateCall) {
  const { name, "idempotency-key": _, ...others } = call.options;
  const surplus = Object.entries(others).filter(([option, value]) => option !== "operator" && value !== undefined);
  if (surplus.length > 0) {
    const names = surplus.map(([option]) => `--${option}`).join(", ");
    throw new UsageError(
      `An operator key has full access to /v1/admin: ${names} cannot be combined with --operator.`,
      "keys create",
    );
  }
  const { createOperatorKey, OperatorKeyCreate } = await import("../features/programme/operators/index.ts");
  const input = await checked("keys create", OperatorKeyCreate, "body", { name });
  const what = { operation: "operator_keys.create", partner_id: OPERATOR_TENANT, secret: true };
  return createOnce<Key & { api_key: string }>(call, await call.services(), what, (ctx) => createOperatorKey(ctx, input));
}

function describeKey(key: Key): string[] {
  const { id, name, scopes, clients, expires_at } = key;
  if (scopes === undefined) return renderFields({ id, name, for: "the operator API" });
  return renderFields({
    id,
    name,
    scopes: scopes.length === ALL_SCOPES.length ? "all" : scopes.join(", "),
    clients: Array.isArray(clients) ? clients.join(", ") : clients,
    expires: expires_at,
  });
}

export const listKeys = command({
  name: "keys list",
  summary: "List the API keys of a partner or of the operator",
  options: { ...PARTNER_OPTION, ...OPERATOR_OPTION, ...LIST_OPTIONS },
  examples: [
    { title: "List the keys of a partner", run: "tributary keys list --partner northwind" },
    { title: "List the operator keys", run: "tributary keys list --operator" },
  ],
  async run(call) {
    const { partner, operator, ...paging } = call.options;
    const services = await call.services();
    const page = operator
      ? await operatorKeys(actForOperator(services))
      : await partnerKeys(await partnerContext(services, partner));
    await printList<Key>(call, {
      noun: "keys",
      options: paging,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "name", of: ({ name }) => name },
        { title: "ends in", of: ({ hint }) => hint, whole: true },
        { title: "scopes", of: ({ scopes }) => (scopes?.length === ALL_SCOPES.length ? "all" : scopes?.join(" ")) },
        { title: "clients", of: ({ clients }) => (Array.isArray(clients) ? `${clients.length} clients` : clients), spare: true },
        { title: "last used", of: ({ last_used_at = null }) => shortTime(last_used_at), whole: true, spare: true },
        { title: "state", of: stateOf },
      ],
      page,
    });
  },
});

type KeyPage = (query: { limit: number; cursor?: string }) => Promise<{ json: string }>;

async function partnerContext(services: Parameters<typeof actFor>[0], partner: string | undefined): Promise<Context> {
  return actFor(services, await findPartner(services, partner));
}

async function partnerKeys(ctx: Context): Promise<KeyPage> {
  const { KeyListQuery, listKeys } = await import("../features/programme/keys/index.ts");
  return async (query) => listKeys(ctx, await checked("keys list", KeyListQuery, "query", query));
}

async function operatorKeys(ctx: Context): Promise<KeyPage> {
  const { listOperatorKeys, OperatorKeyListQuery } = await import("../features/programme/operators/index.ts");
  return async (query) => listOperatorKeys(ctx, await checked("keys list", OperatorKeyListQuery, "query", query));
}

function stateOf({ revoked_at, expires_at = null }: Key): string {
  if (revoked_at !== null) return `revoked ${shortTime(revoked_at)}`;
  return expires_at === null ? "active" : `until ${shortTime(expires_at)}`;
}

export const revokeKey = command({
  name: "keys revoke",
  summary: "Revoke an API key",
  description:
    "Takes effect at once: after the command returns, no process accepts the key and none of its writes commits. Revoking a revoked key changes nothing.",
  args: { key: { description: "The key's id, or its name if only one active key has it." } },
  options: { ...PARTNER_OPTION, ...OPERATOR_OPTION },
  examples: [
    { title: "Revoke a key by its name", run: 'tributary keys revoke "Billing sync" --partner northwind' },
    { title: "Revoke an operator key", run: 'tributary keys revoke "Back office" --operator' },
  ],
  async run({ args, options, out, services }) {
    const opened = await services();
    const ctx = options.operator ? actForOperator(opened) : await partnerContext(opened, options.partner);
    const id = isId("key", args.key)
      ? args.key
      : await keyNamed(options.operator ? await operatorKeys(ctx) : await partnerKeys(ctx), args.key);
    const { revokeKey } = await import("../features/programme/keys/index.ts");
    const { revokeOperatorKey } = await import("../features/programme/operators/index.ts");
    await (options.operator ? revokeOperatorKey(ctx, id) : revokeKey(ctx, id));
    out.result({ id, revoked: true }, () => [`${id} is revoked.`]);
  },
});

async function keyNamed(page: KeyPage, name: string): Promise<string> {
  const active: Key[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const found: Page<Key> = JSON.parse((await page({ limit: 100, ...(cursor === "" ? {} : { cursor }) })).json);
    active.push(...found.data.filter((key) => key.revoked_at === null && key.name === name));
    cursor = found.next_cursor;
  }
  const [only, another] = active;
  const shown = "tributary keys list shows all keys.";
  if (only === undefined) throw new CommandRefusal("not_found", `No active key has the id or name ${name}.`, shown);
  if (another === undefined) return only.id;
  throw new CommandRefusal("key_ambiguous", `${active.length} keys are named ${name}.`, `Use the id: ${shown}`);
}
