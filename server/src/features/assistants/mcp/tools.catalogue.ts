import type { Feature } from "../../../platform/feature.ts";
import type { Route } from "../../../platform/http/route.ts";
import { closed, Id } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { feature as clients, Tags } from "../../accounts/clients/index.ts";
import { feature as pipelines } from "../../accounts/pipelines/index.ts";
import { feature as knowledge } from "../../agents/knowledge/index.ts";
import { feature as paymentLinks } from "../../billing/payment-links/index.ts";
import { feature as contacts } from "../../crm/contacts/index.ts";
import { feature as deals } from "../../crm/deals/index.ts";
import { type LeadPatch, feature as leads } from "../../crm/leads/index.ts";
import { feature as conversations } from "../../inbox/conversations/index.ts";
import { changeLeadOnItsWay, tagContact, tagLead } from "./changes.commands.ts";
import { same, type Tool, toolOf } from "./model.ts";

/** An operation of a feature. The private beta does not concern those of the general API. */
function operation(name: string, { general_routes = [], partner_routes = [] }: Feature): Route {
  const general = general_routes.find((route) => route.operation === name);
  const found =
    general === undefined ? partner_routes.find((route) => route.operation === name) : { ...general, beta_exempt: true as const };
  if (found === undefined) throw new Error(`there is no operation ${name}`);
  return found;
}

const tagged = { body: Type.Object({ tag: Tags.items }, closed) };
const tagOf = (body: unknown) => (body as { tag: string }).tag;
const addContactTag: Route = {
  ...operation("contacts.update", contacts),
  ...tagged,
  handle: (ctx, { params, body }) => tagContact(ctx, params.id ?? "", tagOf(body)),
};
const addLeadTag: Route = {
  ...operation("leads.update", leads),
  ...tagged,
  handle: (ctx, { params, body }) => tagLead(ctx, params.id ?? "", tagOf(body)),
};
const updateLead: Route = {
  ...operation("leads.update", leads),
  handle: (ctx, { params, body }) => changeLeadOnItsWay(ctx, params.id ?? "", body as LeadPatch),
};

const PAGE = ["limit", "cursor"];
const PERSON = ["name", "phone", "email", "company", "notes", "custom"];

/** What assistants can do. Each tool is an operation of the API, with its scope. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  list_accounts: toolOf(
    "List the accounts (clients) of the partner, whose ids are account_id elsewhere",
    operation("clients.list", clients),
    same("q", "status", "include_house", ...PAGE),
  ),
  search_contacts: toolOf(
    "Search contacts, newest first",
    operation("contacts.list", contacts),
    same("q", "account_id", "tag", "company", ...PAGE),
  ),
  lookup_contact: toolOf(
    "Find the contact that has a phone number or an e-mail address",
    operation("contacts.list", contacts),
    same("phone", "email", "account_id"),
  ),
  get_contact: toolOf("Get a contact", { contact_id: operation("contacts.get", contacts) }),
  create_contact: toolOf("Create a contact", operation("contacts.create", contacts), same("account_id", ...PERSON, "tags")),
  update_contact: toolOf(
    "Change a contact; fields that are not given stay as they are",
    { contact_id: operation("contacts.update", contacts) },
    same(...PERSON),
  ),
  search_leads: toolOf(
    "Search leads, newest first",
    operation("leads.list", leads),
    same("q", "account_id", "status", "tag", ...PAGE),
  ),
  get_lead: toolOf("Get a lead", { lead_id: operation("leads.get", leads) }),
  create_lead: toolOf("Create a lead", operation("leads.create", leads), same("account_id", ...PERSON, "source")),
  update_lead: toolOf(
    "Change a lead, on the way of its statuses; fields that are not given stay as they are",
    { lead_id: updateLead },
    same(...PERSON, "status", "reason"),
  ),
  add_tag: toolOf("Add a tag to a contact or a lead", { contact_id: addContactTag, lead_id: addLeadTag }, same("tag")),
  add_note: toolOf(
    "Add a note to a contact, a lead or a deal",
    {
      contact_id: operation("contacts.create_note", contacts),
      lead_id: operation("leads.create_note", leads),
      deal_id: operation("deals.create_note", deals),
    },
    { text: "body" },
  ),
  list_pipelines: toolOf(
    "List pipelines with the names of their stages",
    operation("pipelines.list", pipelines),
    same("account_id", ...PAGE),
  ),
  list_deals: toolOf(
    "List deals, newest first",
    operation("deals.list", deals),
    same("q", "account_id", "contact_id", "status", "stage", ...PAGE),
  ),
  get_deal: toolOf("Get a deal", { deal_id: operation("deals.get", deals) }),
  create_deal: toolOf(
    "Create a deal",
    operation("deals.create", deals),
    same("account_id", "contact_id", "name", "company", "amount_cents", "currency", "stage", "expected_close_on", "notes"),
  ),
  move_deal: toolOf(
    "Move a deal to another stage",
    { deal_id: operation("deals.move", deals) },
    same("stage", "expected_stage", "lost_reason"),
  ),
  list_conversations: toolOf(
    "List conversations with people, the latest first",
    operation("conversations.list", conversations),
    same("q", "account_id", "contact_id", "lead_id", "status", "waiting", "unread", ...PAGE),
  ),
  get_conversation: toolOf("Get a conversation", { conversation_id: operation("conversations.get", conversations) }),
  list_messages: toolOf(
    "List the messages of a conversation, newest first",
    { conversation_id: operation("conversations.list_messages", conversations) },
    same(...PAGE),
  ),
  search_knowledge: toolOf(
    "Search what an account has written down for its agents: texts, pages and files",
    operation("knowledge_sources.search", knowledge),
    { query: "q", ...same("account_id", "limit") },
  ),
  create_payment_link: toolOf(
    "Create a link by which a contact can pay; its url is for the contact",
    operation("payment_links.create", paymentLinks),
    { ...same("account_id"), contact_id: "customer", ...same("deal_id", "amount_cents", "currency", "description", "reference") },
    { contact_id: Id("contact") },
  ),
};
