import { type Fault, fail } from "../../../../kernel/errors.ts";
import type { Changes } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { accountForChange } from "../../../accounts/custom-fields/index.ts";
import { getContact, lockContact } from "../commands.ts";
import { CHANNELS, type Channel, type Consent, type ConsentStatus, type Contact } from "../model.ts";
import { contactsForUpdate, saveContact } from "../queries.ts";
import { consentsJson, insertConsents } from "./queries.ts";
import type { ConsentPut } from "./schema.ts";

export async function getConsents(ctx: Context, id: string) {
  const { version } = await getContact(ctx, id);
  return { json: await consentsJson(ctx.db.byKey, ctx.scope, id), version };
}

/** Records consents for some channels; the others stay. Idempotent. */
export function setConsents(ctx: Context, id: string, input: ConsentPut) {
  return ctx.tx(async (tx) => {
    const before = await lockContact(ctx, tx, id);
    await accountForChange(ctx, tx, "contact", before.account_id);
    const { version } = await saveConsents(ctx, tx, before, consentsOf(input, tx.now));
    return { json: await consentsJson(tx, ctx.scope, id), version };
  });
}

/** Records what a person said about a channel, if it is a contact that is there. */
export async function noteConsent(
  ctx: Context,
  tx: Tx,
  contact_id: string,
  channel: Channel,
  status: ConsentStatus,
  source: string,
) {
  const [contact] = await contactsForUpdate(tx, ctx.scope, [contact_id]);
  if (contact === undefined || contact.deleted_at !== null) return;
  await saveConsents(ctx, tx, contact, [[channel, { status, source, at: tx.now.toISOString() }]]);
}

/** Saves consents of a locked contact; returns it as it is where none of them differs. */
async function saveConsents(ctx: Context, tx: Tx, before: Contact, consents: [Channel, Consent][]): Promise<Contact> {
  const changed = consents.filter(([channel, consent]) => differs(before.consent[channel], consent));
  if (changed.length === 0) return before;
  const consent = { ...before.consent, ...Object.fromEntries(changed) };
  const saved = (await saveContact(tx, ctx.scope, { ...before, consent })) ?? before;
  await insertConsents(
    tx,
    ctx.scope,
    changed.map(([channel, consent]) => ({ contact_id: before.id, channel, ...consent })),
  );
  const changes: Changes = {};
  for (const [channel, { status }] of changed)
    changes[channel] = { from: before.consent[channel]?.status ?? "unknown", to: status };
  recordChange(tx, ctx.scope, { resource: "contact", change: "updated", ...saved }, { action: "contacts.set_consent", changes });
  return saved;
}

/** The consents of an input that stands at a pointer. */
export function consentsOf(input: ConsentPut, now: Date, pointer = "#"): [Channel, Consent][] {
  const faults: Fault[] = [];
  const consents = CHANNELS.flatMap((channel): [Channel, Consent][] => {
    const consent = input[channel];
    if (consent === undefined) return [];
    const at = consent.at === undefined ? now : new Date(consent.at);
    const detail = `${channel}.at must not be in the future.`;
    if (at > now) faults.push({ in: "body", pointer: `${pointer}/${channel}/at`, code: "in_future", detail });
    return [[channel, { status: consent.status, source: consent.source ?? null, at: at.toISOString() }]];
  });
  if (faults.length > 0) fail("validation_failed", { faults });
  return consents;
}

function differs(before: Consent | undefined, after: Consent): boolean {
  return before?.status !== after.status || before.source !== after.source;
}
