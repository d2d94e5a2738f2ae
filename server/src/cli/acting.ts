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
    description: "The partner: its id, or a part of its name that no other has. It may be left out where there is only one.",
  },
} as const satisfies Record<string, Option>;

export const IDEMPOTENCY_OPTION = {
  "idempotency-key": {
    type: "text",
    value: "KEY",
    description: "Makes it safe to run twice: the second time gives the first one's result. Kept for 24 hours.",
  },
} as const satisfies Record<string, Option>;

/** The system, acting for a partner. The audit log names it `system`. */
export function actFor(services: Services, partner_id: string): Context {
  return createContext(services, { principal: { type: "system", partner_id } });
}

/** The system, acting for the company that runs the programme. */
export function actForOperator(services: Services): Context {
  return actFor(services, OPERATOR_TENANT);
}

/** Runs a command that creates something, once per idempotency key if one was given. */
export async function createOnce<Created>(
  call: AnyCall,
  services: Services,
  { operation, partner_id, secret = false }: { operation: string; partner_id: string; secret?: boolean },
  create: (ctx: Context) => Promise<Json>,
): Promise<Created> {
  const { "idempotency-key": key, ...asked } = call.options;
  if (typeof key !== "string") return JSON.parse((await create(actFor(services, partner_id))).json);
  if (!/^[A-Za-z0-9_.:-]{1,255}$/.test(key)) {
    throw new UsageError("--idempotency-key must be 1 to 255 characters of A-Z, a-z, 0-9, _ . : -");
  }
  const idempotency = {
    key,
    fingerprint: fingerprint("command line", operation, {}, asked),
    secret,
    respond: (result: unknown) => ({ status: 201, headers: {}, body: (result as Json).json }),
  };
  const sealer = createSealer(await secretKeyOf(call.config()));
  const principal = { type: "system", partner_id } as const;
  try {
    return JSON.parse((await create(createContext({ ...services, sealer }, { principal, idempotency }))).json);
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    call.out.note("This was done before: here is what it gave then.");
    return JSON.parse(error.reply.body ?? "null");
  }
}

const SHOWN_MAX = 5;

/** The partner that was meant: by id, by a part of its name that is its alone, or the only one there is. */
export async function findPartner(services: Services, given: string | undefined): Promise<string> {
  const { getPartner, partnersNamed } = await import("../features/programme/partners/index.ts");
  if (given !== undefined && isId("partner", given)) {
    return (await getPartner(actForOperator(services), given)).id;
  }
  const found = await partnersNamed(services.db, given ?? "", SHOWN_MAX + 1);
  const exact = found.filter(({ company }) => company.toLowerCase() === given?.toLowerCase());
  const [only, another] = exact.length === 1 ? exact : found;
  if (only !== undefined && another === undefined) return only.id;
  if (only === undefined) {
    if (given === undefined)
      throw new CommandRefusal("no_partner", "There is no partner yet.", "Make one: tributary partners create");
    throw new CommandRefusal("not_found", `No partner has "${given}" in its name.`, "tributary partners list shows them.");
  }
  const names = found.slice(0, SHOWN_MAX).map(({ id, company }) => `  ${id}  ${company}`);
  if (found.length > SHOWN_MAX) names.push("  …");
  const message = given === undefined ? "There are several partners:" : `Several partners have "${given}" in their name:`;
  throw new CommandRefusal("partner_ambiguous", [message, ...names].join("\n"), "Name one with --partner.");
}

/** A client's id, given as such or as the partner's own id of it. */
export async function findClient(ctx: Context, given: string): Promise<string> {
  if (isId("client", given)) return given;
  const { listClients } = await import("../features/accounts/clients/index.ts");
  const { json } = await listClients(ctx, { external_id: given, include_house: true, limit: 1 });
  const [client] = (JSON.parse(json) as { data: { id: string }[] }).data;
  if (client !== undefined) return client.id;
  throw new CommandRefusal(
    "not_found",
    `The partner has no client with the id or external id ${given}.`,
    "tributary clients list shows them; --partner names another partner.",
  );
}

/** "all", or the ids of the clients named. */
export async function findClients(ctx: Context, given: readonly string[]): Promise<"all" | string[]> {
  if (isDeepStrictEqual(given, ["all"])) return "all";
  if (given.includes("all")) throw new UsageError('Give either "all" or a list of clients.');
  return [...new Set(await Promise.all(given.map((client) => findClient(ctx, client))))];
}
