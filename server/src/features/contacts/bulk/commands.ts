import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { compile } from "../../../platform/http/validation.ts";
import type { Context, Tx } from "../../../platform/record/context.ts";
import { accountForChange, accountForNew } from "../../accounts/index.ts";
import { withoutTags, withTags } from "../../clients/index.ts";
import { addContact, changeContact, identityOf, refuseDuplicate, removeContact } from "../commands.ts";
import type { Contact } from "../model.ts";
import { contactsForUpdate } from "../queries.ts";
import { ContactCreate, ContactPatch } from "../schema.ts";
import type { BulkItem, ContactBulk } from "./schema.ts";

const checkCreate = compile(ContactCreate, "body");
const checkPatch = compile(ContactPatch, "body");

type Locked = ReadonlyMap<string, Contact>;
type Done = { id: string; changed: boolean };

/**
 * Does one thing to many contacts, each as if it were called for alone. One that is refused is refused before anything of it is
 * written, so it undoes nothing of the others; all that is done commits at once, with the stored reply.
 */
export function changeContacts(ctx: Context, input: ContactBulk): Promise<{ json: string }> {
  refuseUnfitFields(input);
  const items = input.contacts ?? (input.contact_ids ?? []).map((id) => ({ id }));
  return ctx.tx(async (tx) => {
    const ids = items.flatMap((item) => ("id" in item && typeof item.id === "string" ? [item.id] : []));
    const locked = new Map((await contactsForUpdate(tx, ctx.scope, ids)).map((contact) => [contact.id, contact]));
    const data: BulkItem[] = [];
    for (const [index, item] of items.entries()) data.push(await itemOf(index, item, () => act(ctx, tx, input, locked, item)));
    const count = (status: BulkItem["status"]) => data.filter((one) => one.status === status).length;
    return {
      json: JSON.stringify({ data, succeeded: count("ok"), unchanged: count("unchanged"), failed: count("error") }),
    };
  });
}

async function itemOf(index: number, item: object, run: () => Promise<Done>): Promise<BulkItem> {
  try {
    const { id, changed } = await run();
    return { index, id, status: changed ? "ok" : "unchanged" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { faults, meta } = error.explanation;
    const errors = faults === undefined ? {} : { errors: faults };
    const id = "id" in item && typeof item.id === "string" ? item.id.slice(0, 64).toWellFormed() : null;
    return { index, id, status: "error", error: { code: error.code, detail: error.message, ...errors, ...meta } };
  }
}

async function act(
  ctx: Context,
  tx: Tx,
  { action, tags = [] }: ContactBulk,
  locked: Map<string, Contact>,
  item: object,
): Promise<Done> {
  if (action === "create") return create(ctx, tx, item);
  const { id, ...patch } = item as { id?: unknown };
  const before = lockedContact(locked, id);
  const account = await accountForChange(ctx, tx, "contact", before.account_id);
  if (action === "delete") {
    await removeContact(ctx, tx, before);
    locked.delete(before.id);
    return { id: before.id, changed: true };
  }
  if (action === "update") checkPatch(patch);
  const change = action === "update" ? patch : { tags: (action === "tag" ? withTags : withoutTags)(before.tags, tags) };
  const after = await changeContact(ctx, tx, account, before, change);
  locked.set(after.id, after);
  return { id: after.id, changed: after !== before };
}

function lockedContact(locked: Locked, id: unknown): Contact {
  if (typeof id !== "string") {
    const detail = "id is required.";
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/id", code: "required", detail }] });
  }
  const contact = isId("contact", id) ? locked.get(id) : undefined;
  return contact === undefined || contact.deleted_at !== null ? notFound(id) : contact;
}

async function create(ctx: Context, tx: Tx, item: object): Promise<Done> {
  checkCreate(item);
  const input = item as ContactCreate;
  const account = await accountForNew(ctx, tx, "contact", input.account_id);
  const made = await addContact(ctx, tx, account, input);
  return { id: (made ?? (await refuseDuplicate(ctx, tx, account, identityOf(input)))).id, changed: true };
}

/** Contacts belong to what makes or changes them, ids to the rest, and tags to tagging. */
function refuseUnfitFields(input: ContactBulk): void {
  const { action } = input;
  const whole = action === "create" || action === "update";
  const tagging = action === "tag" || action === "untag";
  const wanted = { contacts: whole, contact_ids: !whole, tags: tagging };
  for (const name of ["contacts", "contact_ids", "tags"] as const) {
    if (wanted[name] === (input[name] !== undefined)) continue;
    const code = wanted[name] ? "required_by_action" : "not_of_action";
    const detail = wanted[name] ? `${name} is required to ${action}.` : `${name} is not a field of ${action}.`;
    fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
  }
}
