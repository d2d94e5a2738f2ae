import { isDeepStrictEqual } from "node:util";
import { secretKeyOf } from "../installation.ts";
import { isId } from "../kernel/ids.ts";
import { OPERATOR_TENANT } from "../kernel/principal.ts";
import { createSealer } from "../platform/crypto/seal.ts";
import { type Context, createContext, type Services } from "../platform/record/context.ts";
import { fingerprint, Replay } from "../platform/record/idempotency.ts";
import type { Call, Option } from "./shell/command.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";

type Json = { json: string };
type AnyCall = Pick<Call, "config" | "out"> & { options: Record<string, unknown> };

export const PARTNER_OPTION = {
  partner: {
    type: "text",
    value: "PARTNER",
    description: "The partner: its id, or a unique part of its name. Optional if there is only one partner.",
  },
} as const satisfies Record<string, Option>;

export const IDEMPOTENCY_OPTION = {
  "idempotency-key": {
    type: "text",
    value: "KEY",
    description: "Makes the command safe to retry: the same key returns the first result. Kept for 24 hours.",
  },
} as const satisfies Record<string, Option>;

/** A context of the system, acting for a partner. The audit log names it `system`. */
export function actFor(services: Services, partner_id: string): Context {
  return createContext(services, { principal: { type: "system", partner_id } });
}

/** A context of the system, acting for the company that runs the programme. */
export function actForOperator(services: Services): Context {
  return actFor(services, OPERATOR_TENANT);
}

/** Runs a command that creates something, once per idempotency key if there is one. */
export async function createOnce<Created>(
  call: AnyCall,
  services: Services,
  { operation, partner_id, secret = false }: { operation: string; partner_id: string; secret?: boolean },
  create: (ctx: Context) => Promise<Json>,
): Promise<Created> {
  const { "idempotency-key": key, ...input } = call.options;
  if (typeof key !== "string") return JSON.parse((await create(actFor(services, partner_id))).json);
  if (!/^[A-Za-z0-9_.:-]{1,255}$/.test(key)) {
    throw new UsageError("--idempotency-key must be 1 to 255 characters of A-Z, a-z, 0-9, _ . : -");
  }
  const idempotency = {
    key,
    fingerprint: fingerprint("command line", operation, {}, input),
    secret,
    respond: (result: unknown) => ({ status: 201, headers: {}, body: (result as Json).json }),
  };
  const sealer = createSealer(await secretKeyOf(call.config()));
  const principal = { type: "system", partner_id } as const;
  try {
    return JSON.parse((await create(createContext({ ...services, sealer }, { principal, idempotency }))).json);
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    call.out.note("This key was used before: this is the stored result.");
    return JSON.parse(error.reply.body ?? "null");
  }
}

const SHOWN_MAX = 5;

/** Finds a partner by its id or a unique part of its name; without a name, the only partner. */
export async function findPartner(services: Services, name: string | undefined): Promise<string> {
  const { getPartner, partnersNamed } = await import("../features/programme/partners/index.ts");
  if (name !== undefined && isId("partner", name)) {
    return (await getPartner(actForOperator(services), name)).id;
  }
  const found = await partnersNamed(services.db, name ?? "", SHOWN_MAX + 1);
  const exact = found.filter(({ company }) => company.toLowerCase() === name?.toLowerCase());
  const [only, another] = exact.length === 1 ? exact : found;
  if (only !== undefined && another === undefined) return only.id;
  if (only === undefined) {
    if (name === undefined)
      throw new CommandRefusal("no_partner", "There is no partner yet.", "Create one: tributary partners create");
    throw new CommandRefusal("not_found", `No partner has "${name}" in its name.`, "tributary partners list shows all partners.");
  }
  const names = found.slice(0, SHOWN_MAX).map(({ id, company }) => `  ${id}  ${company}`);
  if (found.length > SHOWN_MAX) names.push("  …");
  const message = name === undefined ? "There are several partners:" : `Several partners have "${name}" in their name:`;
  throw new CommandRefusal("partner_ambiguous", [message, ...names].join("\n"), "Choose one with --partner.");
}

/** A client's id, by that id or by its external id. */
export async function findClient(ctx: Context, id: string): Promise<string> {
  if (isId("client", id)) return id;
  const { listClients } = await import("../features/accounts/clients/index.ts");
  const { json } = await listClients(ctx, { external_id: id, include_house: true, limit: 1 });
  const [client] = (JSON.parse(json) as { data: { id: string }[] }).data;
  if (client !== undefined) return client.id;
  throw new CommandRefusal(
    "not_found",
    `The partner has no client with the id or external id ${id}.`,
    "tributary clients list shows its clients; --partner chooses another partner.",
  );
}

/** "all", or the ids of the clients. */
export async function findClients(ctx: Context, clients: readonly string[]): Promise<"all" | string[]> {
  if (isDeepStrictEqual(clients, ["all"])) return "all";
  if (clients.includes("all")) throw new UsageError('Use either "all" or a list of clients.');
  return [...new Set(await Promise.all(clients.map((client) => findClient(ctx, client))))];
}
