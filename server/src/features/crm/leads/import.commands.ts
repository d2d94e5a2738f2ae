import { fail } from "../../../kernel/errors.ts";
import { compile } from "../../../platform/http/validation.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { clickedLinks, insertAttributions } from "../../money/links/index.ts";
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
import { addLead, changeLead, fieldsOfNew, identityOf, removeLead, saveScored } from "./commands.ts";
import { type ImportedLead, insertLeads, takenValues } from "./import.queries.ts";
import { checkIdentified, FIELDS, type Lead } from "./model.ts";
import { leadsForUpdate, leadsLike } from "./queries.ts";
import { LeadCreate, LeadPatch } from "./schema.ts";
import { scoreOf } from "./scoring/model.ts";
import { rulesFor } from "./scoring/queries.ts";

const checkCreate = compile(LeadCreate, "body");
const checkPatch = compile(LeadPatch, "body");

const SOURCE = ["kind", "name", "url", "referrer", "click_id"].map((name) => `source.${name}`);
const UTM = ["source", "medium", "campaign", "term", "content"];

const IMPORT_FIELDS: readonly ImportField[] = [
  { name: "id", reading: "trimmed", synonyms: ["leadid", "recordid"] },
  { name: "name", reading: "text", synonyms: ["fullname", "leadname", "displayname", "contact"] },
  { name: "first_name", reading: "text", synonyms: ["givenname", "forename"] },
  { name: "last_name", reading: "text", synonyms: ["familyname", "surname"] },
  {
    name: "phone",
    reading: "phone",
    synonyms: ["phonenumber", "telephone", "tel", "mobile", "mobilephone", "mobilenumber", "cell", "cellphone"],
  },
  { name: "email", reading: "trimmed", synonyms: ["emailaddress", "mail", "mailaddress"] },
  { name: "company", reading: "text", synonyms: ["companyname", "organisation", "organization", "business"] },
  { name: "title", reading: "text", synonyms: ["jobtitle", "position"] },
  { name: "country", reading: "trimmed", synonyms: ["countrycode"] },
  { name: "status", reading: "trimmed", synonyms: ["leadstatus"] },
  { name: "reason", reading: "text", synonyms: ["disqualifiedreason"] },
  { name: "tags", reading: "list", synonyms: ["tag", "labels"] },
  { name: "notes", reading: "text", synonyms: ["note", "comment", "comments", "description"] },
  { name: "owner_id", reading: "trimmed" },
  { name: "external_id", reading: "text" },
  ...SOURCE.map((name): ImportField => ({ name, reading: "text" })),
  ...UTM.map((name): ImportField => ({ name: `source.utm.${name}`, reading: "text", synonyms: [`utm${name}`] })),
];

type LeadRow = LeadCreate & { id?: string };

/** The source of a lead that an import creates, by default. */
const IMPORTED = "import";

export const leadImport = importRowByRow<LeadRow, Lead>({
  resource: "lead",
  fields: IMPORT_FIELDS,
  required: {
    create: [["name", "first_name", "last_name", "phone", "email", "external_id"]],
    upsert: [["phone", "email", "external_id"]],
    update: [["id", "phone", "email", "external_id"]],
  },
  read({ mode }, input) {
    const { id, first_name, last_name, ...fields } = input;
    const row: Record<string, unknown> = {};
    const source: Record<string, unknown> = {};
    const utm: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (name.startsWith("source.utm.")) utm[name.slice(11)] = value;
      else if (name.startsWith("source.")) source[name.slice(7)] = value;
      else row[name] = value;
    }
    const name = row.name ?? [first_name, last_name].filter((part) => part !== undefined).join(" ");
    if (name !== "") row.name = name;
    if (Object.keys(utm).length > 0) source.utm = utm;
    if (Object.keys(source).length > 0) row.source = source;
    if (mode === "update" ? Object.keys(row).length > 0 : true) (mode === "update" ? checkPatch : checkCreate)(row);
    return { ...row, ...(typeof id === "string" ? { id } : {}) } as LeadRow;
  },
  identities: ({ phone, email, external_id }) => [
    ...(phone == null ? [] : [`phone ${phone}`]),
    ...(email == null ? [] : [`email ${email.toLowerCase()}`]),
    ...(external_id == null ? [] : [`external_id ${external_id}`]),
  ],
  find: async ({ ctx, tx, account }, row) => (await leadsLike(tx, ctx.scope, account.id, identityOf(row))).map(({ id }) => id),
  lock: (ctx, tx, ids) => leadsForUpdate(tx, ctx.scope, ids),
  edition: ({ version, rescored }) => version - rescored,
  taken: takenIdentities,
  add: async ({ ctx, tx, account }, row) => (await addLead(ctx, tx, account, withSource(row))) ?? fail("duplicate_lead"),
  addAll: addLeads,
  change: ({ ctx, tx, account }, before, { id: _, tags, source, account_id: __, ...fields }) =>
    changeLead(ctx, tx, account, before, {
      ...fields,
      ...(tags === undefined ? {} : { tags: withTags(before.tags, tags) }),
      // A patch replaces the source as a whole; an empty cell keeps its part of it.
      ...(source === undefined ? {} : { source: { ...before.source, ...source, utm: { ...before.source.utm, ...source.utm } } }),
    }),
  remove: removeLead,
  image: (lead) => Object.fromEntries(FIELDS.map((field) => [field, lead[field]])),
  async restore(ctx, tx, lead, before) {
    const saved = await saveScored(ctx, tx, { ...lead, ...before });
    if (saved === null) fail("duplicate_lead");
    recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved }, null);
  },
});

function withSource({ id: _, ...row }: LeadRow): LeadCreate {
  return { ...row, source: { ...row.source, kind: row.source?.kind ?? IMPORTED } as NonNullable<LeadCreate["source"]> };
}

async function takenIdentities({ ctx, tx, account }: ImportBatch, rows: readonly LeadRow[]): Promise<Set<string>> {
  const found = await Promise.all(
    (["phone", "email", "external_id"] as const).map(async (field) => {
      const values = rows.flatMap((row) => row[field] ?? []).map((value) => (field === "email" ? value.toLowerCase() : value));
      return (await takenValues(tx, ctx.scope, account.id, field, values)).map((value) => `${field} ${value}`);
    }),
  );
  return new Set(found.flat());
}

/** Adds new leads with one insert. */
async function addLeads(batch: ImportBatch, rows: readonly LeadRow[]): Promise<Outcome[] | null> {
  const { ctx, tx, account } = batch;
  const unknown = await unknownOwners(
    batch,
    rows.map(({ owner_id }) => owner_id),
  );
  const rules = await rulesFor(tx, ctx.scope, account.id);
  const tokens = account.house ? rows.map(({ source }) => source?.click_id) : [];
  const clicks = await clickedLinks(ctx, tx, tokens);
  const read = rows.map((row) =>
    refusalOr((): ImportedLead => {
      const lead = fieldsOfNew(account, withSource(row));
      checkIdentified(lead);
      const refusal = unknown.get(lead.owner_id ?? "");
      if (refusal !== undefined) throw refusal;
      const scored = { ...lead, activity_count: 0, created_at: tx.now, last_activity_at: tx.now };
      const affiliate_link_id = clicks.get(lead.source.click_id ?? "")?.link_id ?? null;
      return { ...lead, id: tx.newId("lead"), score: scoreOf(rules, scored, tx.now).score, affiliate_link_id };
    }),
  );
  const leads = accepted(read);
  if (leads.length > 0 && (await insertLeads(tx, ctx.scope, account.id, leads)) < leads.length) return null;
  const attributions = leads.flatMap(({ id, source }) => {
    const clicked = clicks.get(source.click_id ?? "");
    return clicked === undefined ? [] : [{ record_id: id, ...clicked }];
  });
  await insertAttributions(tx, ctx.scope, "lead", attributions);
  for (const { id, status } of leads) {
    const change = { resource: "lead", change: "created", id, account_id: account.id, version: 1 } as const;
    recordChange(tx, ctx.scope, { ...change, detail: { from_status: null, to_status: status } }, null);
  }
  return addedOutcomes(read);
}
