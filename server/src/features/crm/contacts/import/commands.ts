import { isDeepStrictEqual } from "node:util";
import { fail, notFound, Refusal } from "../../../../kernel/errors.ts";
import { isId } from "../../../../kernel/ids.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { patchCustomValues } from "../../../accounts/custom-fields/index.ts";
import {
  type Importable,
  type ImportBatch,
  type Outcome,
  refusalOr,
  refuseAmbiguous,
  unknownOwners,
} from "../../records/index.ts";
import { refuseDuplicateIdentity } from "../commands.ts";
import { insertConsents, type RecordedConsent } from "../consent/queries.ts";
import { CHANNELS, EMPTY } from "../model.ts";
import {
  CONTACT_IMPORT_FIELDS,
  type ContactIndex,
  type ContactRow,
  createContactIndex,
  imageOf,
  type Keys,
  lookupKeys,
  REQUIRED,
  rowMatchKeys,
  uniqueKeys,
  withConsents,
} from "./model.ts";
import { candidatesForUpdate, deleteUnchanged, type ImportedContact, insertContacts, saveContacts } from "./queries.ts";
import { restoreContacts } from "./restore.commands.ts";
import { readRow } from "./rows.commands.ts";

export const contactImport: Importable = {
  resource: "contact",
  fields: CONTACT_IMPORT_FIELDS,
  required: REQUIRED,
  identities: (batch, { id: _, ...rest }: ContactRow) => lookupKeys(searchKeys(batch, rest)),
  apply: importContacts,
  async remove(ctx, tx, records) {
    const deleted = await deleteUnchanged(tx, ctx.scope, records);
    for (const one of deleted) tx.tell(ctx.scope.partner_id, { changes: [{ resource: "contact", change: "deleted", ...one }] });
    return deleted.map(({ id }) => id);
  },
  restore: restoreContacts,
};

/** A validated row, or its refusal. */
type Read = ContactRow | Refusal;

/**
 * Imports rows. Their outcomes are computed in memory, against all contacts that they may match, and written with one insert and one
 * update. Where that violates a unique constraint (a concurrent write, or a row that takes over the identity that another row gives up),
 * it is rolled back, and each row is written alone.
 */
async function importContacts(batch: ImportBatch, inputs: readonly object[]): Promise<Outcome[]> {
  const rows = inputs.map((input) => refusalOr(() => readRow(batch, input)));
  const refusals = await unknownOwners(
    batch,
    rows.flatMap((row) => (row instanceof Refusal ? [] : row.owner_id)),
  );
  return (await importTogetherOrNull(batch, rows, refusals)) ?? importOneByOne(batch, rows, refusals);
}

/** Imports rows together; null, and nothing is written, where that fails. */
function importTogetherOrNull(
  batch: ImportBatch,
  rows: Read[],
  refusals: ReadonlyMap<string, Refusal>,
): Promise<Outcome[] | null> {
  return batch.tx.savepoint(
    () => importTogether(batch, rows, refusals),
    (outcomes) => outcomes !== null,
  );
}

async function importTogether(
  batch: ImportBatch,
  rows: Read[],
  refusals: ReadonlyMap<string, Refusal>,
): Promise<Outcome[] | null> {
  const index = createContactIndex(await candidatesFor(batch, rows));
  const outcomes = rows.map((row) => outcomeOf(batch, row, index, refusals));
  return (await write(batch, index)) ? outcomes : null;
}

async function importOneByOne(batch: ImportBatch, rows: Read[], refusals: ReadonlyMap<string, Refusal>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of rows) {
    const written = await importTogetherOrNull(batch, [row], refusals);
    outcomes.push(written?.[0] ?? (await duplicateOutcome(batch, row)));
  }
  return outcomes;
}

/** The outcome of a row that violates a unique constraint even alone. */
async function duplicateOutcome({ ctx, tx, account }: ImportBatch, row: Read): Promise<Outcome> {
  const { phone = null, email = null, external_id = null } = row as ContactRow;
  const refusal = await refuseDuplicateIdentity(ctx, tx, account, { phone, email, external_id }).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw refusal;
  return { status: "failed", refusal };
}

function candidatesFor({ ctx, tx, account }: ImportBatch, rows: readonly Read[]): Promise<ImportedContact[]> {
  const read = rows.filter((row): row is ContactRow => !(row instanceof Refusal));
  const valuesOf = (name: "id" | "phone" | "email" | "external_id") => read.flatMap((row) => row[name] ?? []);
  return candidatesForUpdate(tx, ctx.scope, account.id, {
    ids: valuesOf("id").filter((id) => isId("contact", id)),
    phones: valuesOf("phone"),
    emails: valuesOf("email").map((email) => email.toLowerCase()),
    external_ids: valuesOf("external_id"),
  });
}

function outcomeOf(batch: ImportBatch, row: Read, index: ContactIndex, refusals: ReadonlyMap<string, Refusal>): Outcome {
  if (row instanceof Refusal) return { status: "failed", refusal: row };
  const outcome = refusalOr(() => planRow(batch, row, index, refusals));
  return outcome instanceof Refusal ? { status: "failed", refusal: outcome } : outcome;
}

function planRow(batch: ImportBatch, row: ContactRow, index: ContactIndex, refusals: ReadonlyMap<string, Refusal>): Outcome {
  const before = matchOf(batch, row, index);
  const after = before === null ? newContact(batch, row) : changedContact(batch, before, row);
  const owner = after.owner_id === before?.owner_id ? undefined : refusals.get(after.owner_id ?? "");
  if (owner !== undefined) throw owner;
  if (before !== null && isDeepStrictEqual(after, before)) return { status: "unchanged" };
  const [other] = index.matches(uniqueKeys(batch.account, after)).filter(({ id }) => id !== after.id);
  if (other !== undefined) refuseDuplicateOf(other, after);
  index.save(after, before ?? undefined);
  if (before === null) return { status: "created", id: after.id };
  const original = index.original(after.id);
  return { status: "updated", image: original === null ? null : imageOf(original) };
}

/** The contact that a row matches; null where the row creates one. */
function matchOf(batch: ImportBatch, row: ContactRow, index: ContactIndex): ImportedContact | null {
  const { mode } = batch;
  const { id, ...keys } = row;
  const [named] = id === undefined ? [] : index.matches({ id });
  if (named !== undefined) return named;
  if (mode === "update" && id !== undefined) notFound(id);
  const matches = index.matches(searchKeys(batch, keys));
  const [only, another] = matches;
  if (mode === "create" && only !== undefined) refuseDuplicateOf(only, row);
  if (another !== undefined)
    refuseAmbiguous(
      "contact",
      matches.map((match) => ({ id: match.id, matched_on: matchedFields(match, row) })),
    );
  if (mode === "update" && only === undefined)
    fail("not_found", { detail: "No contact of the account has the phone, e-mail or external id of this row." });
  return only ?? null;
}

/** The keys to find the contact of a row by: for a new one, those that must be unique. */
function searchKeys({ mode, account }: ImportBatch, keys: Keys): Keys {
  return mode === "create" ? uniqueKeys(account, keys) : rowMatchKeys(account, keys);
}

const IDENTITY = ["phone", "email", "external_id"] as const;

function matchedFields(contact: ImportedContact, row: ContactRow) {
  return IDENTITY.filter((name) => row[name] != null && contact[name]?.toLowerCase() === row[name]?.toLowerCase());
}

function refuseDuplicateOf(other: ImportedContact, row: ContactRow): never {
  const fields = matchedFields(other, row);
  fail("duplicate_contact", {
    detail: `Another contact of the account has this ${fields.join(" and ").replace("_", " ")}.`,
    meta: { existing_id: other.id, fields },
  });
}

function newContact({ tx, account }: ImportBatch, row: ContactRow): ImportedContact {
  const { first_name: _, last_name: __, ...fields } = row;
  const custom = patchCustomValues(account.fields, null, row.custom);
  return { ...EMPTY, ...fields, custom, consent: withConsents({}, row.consent), id: tx.newId("contact"), version: 1 };
}

/** Empty cells change nothing, and tags are added to the existing ones. */
function changedContact({ account }: ImportBatch, before: ImportedContact, row: ContactRow): ImportedContact {
  const { id: _, first_name: __, last_name: ___, tags, custom, ...fields } = row;
  return {
    ...before,
    ...fields,
    tags: tags === undefined ? before.tags : withTags(before.tags, tags),
    custom: patchCustomValues(account.fields, before.custom, custom),
    consent: withConsents(before.consent, row.consent),
  };
}

/** Writes the contacts of the rows; false where an identity of one of them is in use. */
async function write({ ctx, tx, account, dry_run }: ImportBatch, index: ContactIndex): Promise<boolean> {
  if (dry_run) return true;
  const added = index.toAdd();
  const changed = index.toChange();
  if (changed.length > 0 && !(await saveContacts(tx, ctx.scope, account.id, changed))) return false;
  if (added.length > 0 && (await insertContacts(tx, ctx.scope, account, added)).size < added.length) return false;
  const consents = [...added, ...changed].flatMap((one) => newConsents(one, index.original(one.id)));
  if (consents.length > 0) await insertConsents(tx, ctx.scope, consents);
  const contact = { resource: "contact", account_id: account.id } as const;
  for (const { id } of added) tx.tell(ctx.scope.partner_id, { changes: [{ ...contact, id, change: "created", version: 1 }] });
  for (const { id, version } of changed)
    tx.tell(ctx.scope.partner_id, { changes: [{ ...contact, id, change: "updated", version: version + 1 }] });
  return true;
}

/** The consents that rows have changed, for the history. */
function newConsents({ id, consent }: ImportedContact, before: ImportedContact | null): RecordedConsent[] {
  return CHANNELS.flatMap((channel) => {
    const after = consent[channel];
    return after === undefined || after === before?.consent[channel] ? [] : [{ contact_id: id, channel, ...after }];
  });
}
