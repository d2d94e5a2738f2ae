import { fail } from "../../../kernel/errors.ts";
import { compile } from "../../../platform/http/validation.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { type ImportField, importRowByRow } from "../records/index.ts";
import { addDeal, changeDeal, removeDeal } from "./commands.ts";
import { type Deal, FIELDS } from "./model.ts";
import { dealsForUpdate, dealWithExternalId } from "./queries.ts";
import { DealCreate, DealPatch } from "./schema.ts";

const checkCreate = compile(DealCreate, "body");
const checkPatch = compile(DealPatch, "body");

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
  read({ mode }, { id, ...fields }) {
    const row: Record<string, unknown> = {};
    const contact: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith("contact.")) contact[name.slice(8)] = value;
      else row[name] = value;
    }
    if (Object.keys(contact).length > 0) row.contact = contact;
    checkCreate(row);
    if (mode === "update") {
      const { stage: _, pipeline_id: __, lost_reason: ___, ...patch } = row;
      if (Object.keys(patch).length > 0) checkPatch(patch);
    }
    return { ...row, ...(typeof id === "string" ? { id } : {}) } as DealRow;
  },
  identities: ({ external_id }) => (external_id == null ? [] : [`external_id ${external_id}`]),
  async find({ ctx, tx, account }, { external_id = null }) {
    const id = external_id === null ? null : await dealWithExternalId(tx, ctx.scope, account.id, external_id);
    return id === null ? [] : [id];
  },
  lock: (ctx, tx, ids) => dealsForUpdate(tx, ctx.scope, ids),
  add: ({ ctx, tx, account }, { id: _, ...row }) => addDeal(ctx, tx, account, row),
  change(
    { ctx, tx, account },
    before,
    { id: _, account_id: __, stage, stage_id: ___, pipeline_id: ____, lost_reason: _____, tags, ...fields },
  ) {
    if (stage !== undefined && stage.toLowerCase() !== before.stage.toLowerCase()) refuseMove(before);
    const added = tags === undefined ? {} : { tags: withTags(before.tags, tags) };
    return changeDeal(ctx, tx, account, before, { ...fields, ...added });
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
