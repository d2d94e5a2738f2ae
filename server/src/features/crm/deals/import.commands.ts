import { fail, Refusal } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { compile } from "../../../platform/http/validation.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { type Pipeline, pipelineFor } from "../../accounts/pipelines/index.ts";
import {
  accepted,
  addedOutcomes,
  type ImportBatch,
  type ImportField,
  importRowByRow,
  type Outcome,
  refusalOr,
  unknownOwners,
} from "../records/index.ts";
import { addDeal, changeDeal, fieldsOfNew, firstStage, refuseUnknownContact, removeDeal } from "./commands.ts";
import { contactsAmong, insertDeals, takenExternalIds } from "./import.queries.ts";
import { checkSaleFields, type Deal, FIELDS } from "./model.ts";
import { dealsForUpdate, dealWithExternalId } from "./queries.ts";
import { DealCreate, type DealPatch } from "./schema.ts";

const checkCreate = compile(DealCreate, "body");

const CONTACT = ["name", "email", "phone"] as const;

const IMPORT_FIELDS: readonly ImportField[] = [
  { name: "id", reading: "trimmed", synonyms: ["dealid", "recordid", "opportunityid"] },
  { name: "name", reading: "text", synonyms: ["dealname", "title", "opportunity", "opportunityname"] },
  { name: "company", reading: "text", synonyms: ["companyname", "organisation", "organization", "business"] },
  { name: "company_domain", reading: "trimmed", synonyms: ["domain", "website"] },
  { name: "amount_cents", reading: "integer" },
  { name: "currency", reading: "trimmed" },
  { name: "expected_close_on", reading: "trimmed", synonyms: ["closedate", "expectedclose"] },
  { name: "pipeline_id", reading: "trimmed" },
  { name: "stage", reading: "text", synonyms: ["dealstage", "stagename"] },
  { name: "lost_reason", reading: "text" },
  { name: "contact_id", reading: "trimmed" },
  ...CONTACT.map(
    (name): ImportField => ({
      name: `contact.${name}`,
      reading: name === "phone" ? "phone" : "text",
      synonyms: [`contact${name}`],
    }),
  ),
  { name: "plan", reading: "text" },
  { name: "mrr_cents", reading: "integer" },
  { name: "client_id", reading: "trimmed" },
  { name: "tags", reading: "list", synonyms: ["tag", "labels"] },
  { name: "notes", reading: "text", synonyms: ["note", "comment", "comments", "description"] },
  { name: "owner_id", reading: "trimmed" },
  { name: "external_id", reading: "text" },
];

type DealRow = DealCreate & { id?: string };

export const dealImport = importRowByRow<DealRow, Deal>({
  resource: "deal",
  fields: IMPORT_FIELDS,
  required: { create: [["name", "company"]], upsert: [["name", "company"], ["external_id"]], update: [["id", "external_id"]] },
  read(_batch, { id, ...fields }) {
    const row: Record<string, unknown> = {};
    const contact: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith("contact.")) contact[name.slice(8)] = value;
      else row[name] = value;
    }
    if (Object.keys(contact).length > 0) row.contact = contact;
    checkCreate(row);
    return { ...row, ...(typeof id === "string" ? { id } : {}) } as DealRow;
  },
  identities: ({ external_id }) => (external_id == null ? [] : [`external_id ${external_id}`]),
  async find({ ctx, tx, account }, { external_id = null }) {
    const id = external_id === null ? null : await dealWithExternalId(tx, ctx.scope, account.id, external_id);
    return id === null ? [] : [id];
  },
  lock: (ctx, tx, ids) => dealsForUpdate(tx, ctx.scope, ids),
  async taken({ ctx, tx, account }, rows) {
    const ids = rows.flatMap(({ external_id }) => external_id ?? []);
    return new Set((await takenExternalIds(tx, ctx.scope, account.id, ids)).map((id) => `external_id ${id}`));
  },
  add: ({ ctx, tx, account }, { id: _, ...row }) => addDeal(ctx, tx, account, row),
  addAll: addDeals,
  change(
    { ctx, tx, account },
    before,
    { id: _, account_id: __, stage, stage_id: ___, pipeline_id: ____, lost_reason: _____, tags, contact, ...fields },
  ) {
    if (stage !== undefined && stage.toLowerCase() !== before.stage.toLowerCase()) refuseMove(before);
    const added = tags === undefined ? {} : { tags: withTags(before.tags, tags) };
    // A patch replaces the contact as a whole; an empty cell keeps its part of it.
    const merged = contact === undefined ? {} : { contact: { ...before.contact, ...contact } };
    return changeDeal(ctx, tx, account, before, { ...fields, ...added, ...merged });
  },
  remove: removeDeal,
  image: (deal) => Object.fromEntries(FIELDS.map((field) => [field, deal[field]])),
  async restore(ctx, tx, deal, before) {
    const account = await accountForChange(ctx, tx, "deal", deal.account_id);
    const { custom = {}, ...fields } = before as DealPatch;
    const added = Object.keys(deal.custom).filter((key) => !Object.hasOwn(custom, key));
    await changeDeal(ctx, tx, account, deal, {
      ...fields,
      custom: { ...custom, ...Object.fromEntries(added.map((key) => [key, null])) },
    });
  },
});

/** Moves have rules, events and a history of their own, so an import does not make them. */
function refuseMove({ stage }: Deal): never {
  const detail = `The deal is in ${stage}. An import cannot change the stage; move the deal instead.`;
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/stage", code: "not_moved_by_import", detail }] });
}

/** Adds new deals with one insert. Those of the house account are added one by one: a sale is registered, and claims its company. */
async function addDeals(batch: ImportBatch, rows: readonly DealRow[]): Promise<Outcome[] | null> {
  const { ctx, tx, account } = batch;
  if (account.house) return null;
  const known = await referencesOf(batch, rows);
  const read = rows.map(({ id: _, ...row }) => refusalOr(() => newDeal(batch, row, known)));
  const deals = accepted(read);
  if (deals.length > 0 && !(await insertDeals(tx, ctx.scope, account.id, deals, actorOf(ctx.principal).id))) return null;
  for (const { id, pipeline_id, stage_id, status, stage } of deals) {
    const change = { resource: "deal", change: "created", id, account_id: account.id, version: 1 } as const;
    const detail = { pipeline_id, to_stage_id: stage_id, to_stage: stage, stage_type: status };
    recordChange(tx, ctx.scope, { ...change, detail }, null);
  }
  return addedOutcomes(read);
}

type References = { unknown: Map<string, Refusal>; contacts: Set<string>; pipelines: Map<string | null, Pipeline | Refusal> };

/** What rows refer to, each read once. */
async function referencesOf(batch: ImportBatch, rows: readonly DealRow[]): Promise<References> {
  const { ctx, tx, account } = batch;
  const owners = rows.map(({ owner_id }) => owner_id);
  const contact_ids = rows.flatMap(({ contact_id }) => contact_id ?? []);
  const pipelines: References["pipelines"] = new Map();
  for (const id of new Set(rows.map(({ pipeline_id }) => pipeline_id ?? null))) {
    const pipeline = await pipelineFor(ctx, tx, account.id, id).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    pipelines.set(id, pipeline);
  }
  const contacts = await contactsAmong(tx, ctx.scope, account.id, contact_ids);
  return { unknown: await unknownOwners(batch, owners), contacts, pipelines };
}

function newDeal({ tx, account }: ImportBatch, row: DealCreate, { unknown, contacts, pipelines }: References) {
  const fields = fieldsOfNew(account, row);
  checkSaleFields(account, fields);
  const { owner_id, contact_id } = fields;
  const unknownOwner = unknown.get(owner_id ?? "");
  if (unknownOwner !== undefined) throw unknownOwner;
  if (contact_id !== null && !contacts.has(contact_id)) refuseUnknownContact(contact_id);
  const pipeline = pipelines.get(row.pipeline_id ?? null);
  if (pipeline === undefined || pipeline instanceof Refusal) throw pipeline;
  const { stage, state } = firstStage(account, pipeline, row, fields, tx.now);
  return { ...fields, ...state, id: tx.newId("deal"), stage: stage.name };
}
