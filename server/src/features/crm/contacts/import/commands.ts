import { isDeepStrictEqual } from "node:util";
import { fail, notFound, Refusal } from "../../../../kernel/errors.ts";
import { isId } from "../../../../kernel/ids.ts";
import { compile } from "../../../../platform/http/validation.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { patchCustomValues, refuseUnknownOwner } from "../../../accounts/custom-fields/index.ts";
import { type Image, type Importable, type ImportBatch, type Outcome, refuseAmbiguous } from "../../records/index.ts";
import { refuseTaken } from "../commands.ts";
import { canonicalPhone, EMPTY } from "../model.ts";
import { contactsForUpdate } from "../queries.ts";
import { ContactCreate, ContactPatch } from "../schema.ts";
import {
  CONTACT_IMPORT_FIELDS,
  type ContactRow,
  contactOf,
  createRegister,
  type Identities,
  imageOf,
  keysOf,
  matchKeysOfRow,
  ownOf,
  REQUIRED,
  type Register,
} from "./model.ts";
import { contactsWanted, type ImportedContact, insertContacts, removeUntouched, saveContacts } from "./queries.ts";

const checkCreate = compile(ContactCreate, "body");
const checkPatch = compile(ContactPatch, "body");

export const contactImport: Importable = {
  resource: "contact",
  fields: CONTACT_IMPORT_FIELDS,
  required: REQUIRED,
  identities: (batch, { id: _, ...rest }: ContactRow) => keysOf(namesOf(batch, rest)),
  apply: importContacts,
  async remove(ctx, tx, records) {
    const gone = await removeUntouched(tx, ctx.scope, records);
    for (const one of gone) tx.tell(ctx.scope.partner_id, { changes: [{ resource: "contact", change: "deleted", ...one }] });
    return gone.map(({ id }) => id);
  },
  restore: restoreContacts,
};

/** A row that was read, or why it cannot be. */
type Read = ContactRow | Refusal;

/**
 * Takes rows in. What they come to is found out in memory, against all contacts that they may be about, and written with one
 * statement for those to add and one for those to change. Where somebody else's contact came in between, or one of ours takes what
 * another of ours only just gave up, it is undone and each row is written by itself.
 */
async function importContacts(batch: ImportBatch, inputs: readonly object[]): Promise<Outcome[]> {
  const rows = inputs.map((input) => refusalOr(() => readRow(batch, input)));
  const refusals = await unknownOwners(batch, rows);
  return (await writtenOrNull(batch, rows, refusals)) ?? importOneByOne(batch, rows, refusals);
}

/** Imports rows at once, or leaves no trace of them. */
function writtenOrNull(batch: ImportBatch, rows: Read[], refusals: ReadonlyMap<string, Refusal>): Promise<Outcome[] | null> {
  return batch.tx.savepoint(
    () => importAtOnce(batch, rows, refusals),
    (outcomes) => outcomes !== null,
  );
}

async function importAtOnce(batch: ImportBatch, rows: Read[], refusals: ReadonlyMap<string, Refusal>): Promise<Outcome[] | null> {
  const register = createRegister(await wantedBy(batch, rows));
  const outcomes = rows.map((row) => outcomeOf(batch, row, register, refusals));
  return (await write(batch, register)) ? outcomes : null;
}

async function importOneByOne(batch: ImportBatch, rows: Read[], refusals: ReadonlyMap<string, Refusal>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of rows) {
    const written = await writtenOrNull(batch, [row], refusals);
    outcomes.push(written?.[0] ?? (await taken(batch, row)));
  }
  return outcomes;
}

/** One whose name the database takes for another's, though we do not find whose. */
async function taken({ ctx, tx, account }: ImportBatch, row: Read): Promise<Outcome> {
  const { phone = null, email = null, external_id = null } = row as ContactRow;
  const refusal = await refuseTaken(ctx, tx, account, { phone, email, external_id }).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw refusal;
  return { status: "failed", refusal };
}

function refusalOr<T>(run: () => T): T | Refusal {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Checks a row by itself: its form, its phone, the account's own fields as far as they can be looked at alone. */
function readRow({ mode }: ImportBatch, input: ContactRow): ContactRow {
  const { id, first_name, last_name, ...given } = input;
  const name = given.name ?? [first_name, last_name].filter((part) => part !== undefined).join(" ");
  const row = { ...given, ...(name === "" ? {} : { name }) };
  const form = refusalOr(() => (mode === "update" ? Object.keys(row).length > 0 && checkPatch(row) : checkCreate(row)));
  const phone = refusalOr(() => (row.phone == null ? row.phone : canonicalPhone(row.phone)));
  refuseAll([form, phone].filter((one) => one instanceof Refusal));
  return {
    ...row,
    ...(phone == null ? {} : { phone: phone as string }),
    ...(id === undefined || mode === "create" ? {} : { id }),
  };
}

/** What is wrong with a row is told at once. */
function refuseAll(refusals: readonly Refusal[]): void {
  const [first, another] = refusals;
  if (another === undefined && first !== undefined) throw first;
  const faults = refusals.flatMap(({ explanation }) => explanation.faults ?? []);
  if (faults.length > 0) fail("validation_failed", { detail: `${faults.length} fields need attention.`, faults });
}

/** Owners that the rows name and that have nothing to do with the account, each with its refusal. */
async function unknownOwners({ ctx, tx, account }: ImportBatch, rows: readonly Read[]): Promise<Map<string, Refusal>> {
  const owners = new Set(rows.flatMap((row) => (row instanceof Refusal || row.owner_id == null ? [] : [row.owner_id])));
  const refusals = new Map<string, Refusal>();
  for (const owner of owners) {
    await refuseUnknownOwner(ctx, tx, account.id, owner).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      refusals.set(owner, error);
    });
  }
  return refusals;
}

function wantedBy({ ctx, tx, account }: ImportBatch, rows: readonly Read[]): Promise<ImportedContact[]> {
  const read = rows.filter((row): row is ContactRow => !(row instanceof Refusal));
  const all = (name: "id" | "phone" | "email" | "external_id") => read.flatMap((row) => row[name] ?? []);
  return contactsWanted(tx, ctx.scope, account.id, {
    ids: all("id").filter((id) => isId("contact", id)),
    phones: all("phone"),
    emails: all("email").map((email) => email.toLowerCase()),
    external_ids: all("external_id"),
  });
}

function outcomeOf(batch: ImportBatch, row: Read, register: Register, refusals: ReadonlyMap<string, Refusal>): Outcome {
  if (row instanceof Refusal) return { status: "failed", refusal: row };
  const outcome = refusalOr(() => decide(batch, row, register, refusals));
  return outcome instanceof Refusal ? { status: "failed", refusal: outcome } : outcome;
}

function decide(batch: ImportBatch, row: ContactRow, register: Register, refusals: ReadonlyMap<string, Refusal>): Outcome {
  const before = found(batch, row, register);
  const after = before === null ? newContact(batch, row) : changedContact(batch, before, row);
  const owner = after.owner_id === before?.owner_id ? undefined : refusals.get(after.owner_id ?? "");
  if (owner !== undefined) throw owner;
  if (before !== null && isDeepStrictEqual(after, before)) return { status: "unchanged" };
  const [other] = register.matches(ownOf(batch.account, after)).filter(({ id }) => id !== after.id);
  if (other !== undefined) duplicateOf(other, after);
  register.save(after, before ?? undefined);
  if (before === null) return { status: "created", id: after.id };
  const original = register.original(after.id);
  return { status: "updated", image: original === null ? null : imageOf(original) };
}

/** The contact that a row is about; null where it makes a new one. */
function found(batch: ImportBatch, row: ContactRow, register: Register): ImportedContact | null {
  const { mode } = batch;
  const { id, ...names } = row;
  const [named] = id === undefined ? [] : register.matches({ id });
  if (named !== undefined) return named;
  if (mode === "update" && id !== undefined) notFound(id);
  const matches = register.matches(namesOf(batch, names));
  const [only, another] = matches;
  if (mode === "create" && only !== undefined) duplicateOf(only, row);
  if (another !== undefined)
    refuseAmbiguous(
      "contact",
      matches.map((match) => ({ id: match.id, matched_on: sameNames(match, row) })),
    );
  if (mode === "update" && only === undefined)
    fail("not_found", { detail: "No contact of the account has the phone, the e-mail or the external id of this row." });
  return only ?? null;
}

/** What a row's contact is looked for by: a new one by what it cannot share. */
function namesOf({ mode, account }: ImportBatch, names: Identities): Identities {
  return mode === "create" ? ownOf(account, names) : matchKeysOfRow(account, names);
}

const NAMES = ["phone", "email", "external_id"] as const;

function sameNames(contact: ImportedContact, row: ContactRow) {
  return NAMES.filter((name) => row[name] != null && contact[name]?.toLowerCase() === row[name]?.toLowerCase());
}

function duplicateOf(other: ImportedContact, row: ContactRow): never {
  const fields = sameNames(other, row);
  fail("duplicate_contact", {
    detail: `Another contact of the account has this ${fields.join(" and ").replace("_", " ")}.`,
    meta: { existing_id: other.id, fields },
  });
}

function newContact({ tx, account }: ImportBatch, row: ContactRow): ImportedContact {
  const { first_name: _, last_name: __, ...fields } = row;
  const custom = patchCustomValues(account.fields, null, row.custom);
  return { ...EMPTY, ...fields, custom, id: tx.newId("contact"), version: 1 };
}

/** Cells that are empty leave what is there, and tags are added to those that are there. */
function changedContact({ account }: ImportBatch, before: ImportedContact, row: ContactRow): ImportedContact {
  const { id: _, first_name: __, last_name: ___, tags, custom, ...given } = row;
  return {
    ...before,
    ...given,
    tags: tags === undefined ? before.tags : withTags(before.tags, tags),
    custom: patchCustomValues(account.fields, before.custom, custom),
  };
}

/** Writes what the rows come to; false where a name of one of them is another's by now. */
async function write({ ctx, tx, account, dry_run }: ImportBatch, register: Register): Promise<boolean> {
  if (dry_run) return true;
  const added = register.toAdd();
  const changed = register.toChange();
  if (changed.length > 0 && !(await saveContacts(tx, ctx.scope, account.id, changed))) return false;
  if (added.length > 0 && (await insertContacts(tx, ctx.scope, account, added)).size < added.length) return false;
  const place = { resource: "contact", account_id: account.id } as const;
  for (const { id } of added) tx.tell(ctx.scope.partner_id, { changes: [{ ...place, id, change: "created", version: 1 }] });
  for (const { id, version } of changed)
    tx.tell(ctx.scope.partner_id, { changes: [{ ...place, id, change: "updated", version: version + 1 }] });
  return true;
}

/** Puts contacts back as they were; those that were touched since, and those whose names are another's by now, stay. */
async function restoreContacts(ctx: Context, tx: Tx, images: readonly Image[]): Promise<string[]> {
  const restored: string[] = [];
  for (const [account_id, versions] of await versionsByAccount(ctx, tx, images)) {
    const untouched = images.filter(({ record_id, version }) => versions.get(record_id) === version).map(contactOf);
    const portions = (await saveContacts(tx, ctx.scope, account_id, untouched)) ? [untouched] : [];
    if (portions.length === 0) {
      for (const one of untouched) if (await saveContacts(tx, ctx.scope, account_id, [one])) portions.push([one]);
    }
    for (const { id, version } of portions.flat()) {
      tx.tell(ctx.scope.partner_id, {
        changes: [{ resource: "contact", account_id, id, change: "updated", version: version + 1 }],
      });
      restored.push(id);
    }
  }
  return restored;
}

async function versionsByAccount(ctx: Context, tx: Tx, images: readonly Image[]): Promise<Map<string, Map<string, number>>> {
  const contacts = await contactsForUpdate(
    tx,
    ctx.scope,
    images.map(({ record_id }) => record_id),
  );
  const living = contacts.filter(({ deleted_at }) => deleted_at === null);
  const accounts = Map.groupBy(living, ({ account_id }) => account_id);
  return new Map([...accounts].map(([id, rows]) => [id, new Map(rows.map((row) => [row.id, row.version]))]));
}
