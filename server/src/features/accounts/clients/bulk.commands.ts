import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { BulkChange, BulkItem } from "./bulk.schema.ts";
import { applyStatus, changeFields } from "./commands.ts";
import { type Client, checkTransition, withoutTags, withTags } from "./model.ts";
import { clientsForUpdate } from "./queries.ts";

/**
 * Applies one action to many clients, each with a result of its own. A client is refused before anything of it is written, so no
 * savepoint is needed; all changes commit together with the stored reply.
 */
export function changeClients(ctx: Context, input: BulkChange): Promise<{ json: string }> {
  validateFields(input);
  return ctx.tx(async (tx) => {
    const locked = await clientsForUpdate(tx, ctx.scope, input.client_ids);
    const clients = new Map(locked.map((client) => [client.id, client]));
    const data: BulkItem[] = [];
    for (const id of input.client_ids) data.push(await itemOf(id, () => change(ctx, tx, clients.get(id) ?? notFound(id), input)));
    const count = (status: BulkItem["status"]) => data.filter((item) => item.status === status).length;
    return {
      json: JSON.stringify({ data, succeeded: count("ok"), unchanged: count("unchanged"), failed: count("error") }),
    };
  });
}

async function itemOf(client_id: string, act: () => Promise<boolean>): Promise<BulkItem> {
  try {
    return { client_id, status: (await act()) ? "ok" : "unchanged" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { client_id, status: "error", error: { code: error.code, detail: error.message } };
  }
}

/** Applies the action; false if there is nothing to change. */
async function change(ctx: Context, tx: Tx, client: Client, { action, reason = null, tags = [] }: BulkChange): Promise<boolean> {
  if (action === "suspend" || action === "reactivate") {
    const status = action === "suspend" ? "suspended" : "active";
    if (!checkTransition(client, status)) return false;
    await applyStatus(ctx, tx, client, status, reason);
    return true;
  }
  return (
    (await changeFields(tx, client, {
      tags: action === "tag" ? withTags(client.tags, tags) : withoutTags(client.tags, tags),
    })) !== client
  );
}

/** `tags` is for tagging, `reason` for changes of status. */
function validateFields({ action, reason, tags }: BulkChange): void {
  const tagging = action === "tag" || action === "untag";
  const fault = (name: string, code: string, detail: string): never =>
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
  if (tagging && tags === undefined) fault("tags", "required_by_action", `tags is required to ${action}.`);
  if (tagging && reason !== undefined) fault("reason", "not_of_action", `reason does not apply to ${action}.`);
  if (!tagging && tags !== undefined) fault("tags", "not_of_action", `tags does not apply to ${action}.`);
}
