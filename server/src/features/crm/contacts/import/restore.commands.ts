import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { RecordImage } from "../../records/index.ts";
import { contactsForUpdate } from "../queries.ts";
import { contactOf } from "./model.ts";
import { saveContacts } from "./queries.ts";

/** Restores contacts, except those that were changed since and those whose identity is in use. */
export async function restoreContacts(ctx: Context, tx: Tx, images: readonly RecordImage[]): Promise<string[]> {
  const restored: string[] = [];
  for (const [account_id, versions] of await versionsByAccount(ctx, tx, images)) {
    const unchanged = images.filter(({ record_id, version }) => versions.get(record_id) === version).map(contactOf);
    const saved = (await saveContacts(tx, ctx.scope, account_id, unchanged)) ? [unchanged] : [];
    if (saved.length === 0) {
      for (const one of unchanged) if (await saveContacts(tx, ctx.scope, account_id, [one])) saved.push([one]);
    }
    for (const { id, version } of saved.flat()) {
      tx.tell(ctx.scope.partner_id, {
        changes: [{ resource: "contact", account_id, id, change: "updated", version: version + 1 }],
      });
      restored.push(id);
    }
  }
  return restored;
}

async function versionsByAccount(
  ctx: Context,
  tx: Tx,
  images: readonly RecordImage[],
): Promise<Map<string, Map<string, number>>> {
  const contacts = await contactsForUpdate(
    tx,
    ctx.scope,
    images.map(({ record_id }) => record_id),
  );
  const existing = contacts.filter(({ deleted_at }) => deleted_at === null);
  const accounts = Map.groupBy(existing, ({ account_id }) => account_id);
  return new Map([...accounts].map(([id, rows]) => [id, new Map(rows.map((row) => [row.id, row.version]))]));
}
