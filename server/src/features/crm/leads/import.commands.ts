import { fail } from "../../../kernel/errors.ts";
import { compile } from "../../../platform/http/validation.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import type { ImportField } from "../records/index.ts";
import { importRowByRow } from "../records/index.ts";
import { addLead, changeLead, identityOf, removeLead, saveScored } from "./commands.ts";
import { FIELDS, type Lead } from "./model.ts";
import { leadsForUpdate, leadsLike } from "./queries.ts";
import { LeadCreate, LeadPatch } from "./schema.ts";

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
  async add({ ctx, tx, account }, { id: _, ...row }) {
    const source = { ...row.source, kind: row.source?.kind ?? IMPORTED } as NonNullable<LeadCreate["source"]>;
    return (await addLead(ctx, tx, account, { ...row, source })) ?? fail("duplicate_lead");
  },
  change: ({ ctx, tx, account }, before, { id: _, tags, account_id: __, ...fields }) =>
    changeLead(ctx, tx, account, before, { ...fields, ...(tags === undefined ? {} : { tags: withTags(before.tags, tags) }) }),
  remove: removeLead,
  image: (lead) => Object.fromEntries(FIELDS.map((field) => [field, lead[field]])),
  async restore(ctx, tx, lead, before) {
    const saved = await saveScored(ctx, tx, { ...lead, ...before });
    if (saved === null) fail("duplicate_lead");
    recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved }, null);
  },
});
