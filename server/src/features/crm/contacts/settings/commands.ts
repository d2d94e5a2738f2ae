import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { saveSharedPhones, settingsForUpdateOrNull, settingsOrNull } from "../../../accounts/clients/index.ts";
import { admitAccount, refuseAccount, requestedAccount } from "../../../accounts/custom-fields/index.ts";
import { sharedPhones, unsharePhones } from "./queries.ts";
import type { ContactSettingsPatch, ContactSettingsQuery } from "./schema.ts";

export async function getContactSettings(ctx: Context, query: ContactSettingsQuery): Promise<{ json: string }> {
  const id = requestedAccount(ctx, query.account_id);
  const { account_id, shared_phones } = (await settingsOrNull(ctx.db, ctx.scope, id)) ?? refuseAccount(id, "query");
  return { json: JSON.stringify({ account_id, shared_phones }) };
}

/** Changes whether contacts of an account may share a phone. */
export function changeContactSettings(ctx: Context, patch: ContactSettingsPatch): Promise<{ json: string }> {
  const id = requestedAccount(ctx, patch.account_id);
  return ctx.tx(async (tx) => {
    const before = (await settingsForUpdateOrNull(tx, ctx.scope, id)) ?? refuseAccount(id, "body");
    admitAccount(before.account_id, before.status);
    const { account_id } = before;
    const { shared_phones } = patch;
    if (shared_phones !== before.shared_phones) {
      if (!shared_phones && !(await unsharePhones(tx, ctx.scope, account_id))) {
        const phones = await sharedPhones(tx, ctx.scope, account_id);
        fail("resource_in_use", {
          detail: `Several contacts share the phones ${phones.join(", ")}. Merge them or change their phones first.`,
          meta: { phones },
        });
      }
      await saveSharedPhones(tx, ctx.scope, account_id, shared_phones);
      const changes = { shared_phones: { from: before.shared_phones, to: shared_phones } };
      record(tx, ctx.scope, [], { action: "contacts.settings", target: account_id, client_id: account_id, changes });
    }
    return { json: JSON.stringify({ account_id, shared_phones }) };
  });
}
