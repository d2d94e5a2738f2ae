import { notFound } from "../../../../kernel/errors.ts";
import { amountText } from "../../../../kernel/money.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { type MessageTemplate, mentions, renderText, templateOrNull, type Values } from "../../../accounts/templates/index.ts";
import { refuseMember } from "../change.commands.ts";
import { type PersonRow, personOrNull } from "../people.queries.ts";
import { accountNameOf, type DealRow, dealOfOrNull } from "./queries.ts";
import type { PreviewRequest } from "./schema.ts";

/** What a template says to a person, and to WhatsApp the template that it has approved. */
export type Rendered = {
  subject: string | null;
  text: string;
  missing: string[];
  provider: { name: string; language: string; values: string[] } | null;
};

/** What a message gives its template: values of its own, and those of whoever sends it, such as `link.url` of a payment. */
export type Given = { vars?: Record<string, string> | undefined; values?: Values | undefined };

/** Fills in a template for a person. */
export async function renderTemplate(
  ctx: Context,
  db: Queryable,
  template: MessageTemplate,
  person: PersonRow | null,
  { vars = {}, values: more = {} }: Given = {},
): Promise<Rendered> {
  const { account_id } = template;
  const contact_id = mentions(template, "deal") ? (person?.contact_id ?? null) : null;
  const deal = contact_id === null ? null : await dealOfOrNull(db, ctx.scope, account_id, contact_id);
  const account = { "account.name": await accountNameOf(db, ctx.scope, account_id) };
  const values = { ...personValues(person), ...account, ...dealValues(deal), ...varValues(vars), ...more };
  const text = renderText(template.text, values);
  const subject = template.subject === null ? null : renderText(template.subject, values);
  return {
    subject: subject?.text ?? null,
    text: text.text,
    missing: [...new Set([...(subject?.missing ?? []), ...text.missing])],
    provider: template.provider_template === null ? null : { ...template.provider_template, values: text.values },
  };
}

function personValues(person: PersonRow | null): Values {
  const { name = null, phone, email, company, custom = {} } = person ?? {};
  return {
    "contact.name": name,
    "contact.first_name": name?.trim().split(/\s+/)[0],
    "contact.phone": phone,
    "contact.email": email,
    "contact.company": company,
    ...Object.fromEntries(Object.entries(custom).map(([key, value]) => [`contact.custom.${key}`, shown(value)])),
  };
}

const varValues = (vars: Record<string, string>): Values =>
  Object.fromEntries(Object.entries(vars).map(([key, value]) => [`vars.${key}`, value]));

function dealValues(deal: DealRow | null): Values {
  if (deal === null) return {};
  const { name, stage, amount_cents, currency } = deal;
  return {
    "deal.name": name,
    "deal.stage": stage,
    "deal.amount": amount_cents === null ? null : amountText(amount_cents, currency, "en"),
  };
}

const shown = (value: unknown) => (Array.isArray(value) ? value.join(", ") : value === null ? null : String(value));

/** Shows what a template would say; what is missing is listed instead of refused. */
export async function previewTemplate(ctx: Context, id: string, { contact_id, lead_id, vars }: PreviewRequest = {}) {
  const template = (await templateOrNull(ctx.db, ctx.scope, id)) ?? notFound(id);
  const person_id = contact_id ?? lead_id;
  const person =
    person_id === undefined
      ? null
      : await personOf(ctx, ctx.db, template.account_id, person_id, contact_id ? "contact_id" : "lead_id");
  const { subject, text, missing } = await renderTemplate(ctx, ctx.db, template, person, { vars });
  return { json: JSON.stringify({ subject, text, missing }) };
}

/** A person of an account, by an id of the body. */
export async function personOf(
  ctx: Context,
  db: Queryable,
  account_id: string,
  person_id: string,
  member: string,
  find = personOrNull,
): Promise<PersonRow> {
  const person = await find(db, ctx.scope, person_id);
  if (person?.account_id === account_id) return person;
  return refuseMember(member, "unknown_person", `${person_id} was not found in the account.`);
}
