import { actFor, createOnce, findClient, findPartner, IDEMPOTENCY_OPTION, PARTNER_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { type Call, command } from "./shell/command.ts";
import { UsageError } from "./shell/errors.ts";
import { renderFields } from "./shell/table.ts";

type Client = {
  id: string;
  company: string;
  external_id: string | null;
  plan: string | null;
  mrr_cents: number;
  currency: string;
  status: string;
  status_reason: string | null;
  tags: string[];
  created_at: string;
};

const describeClient = (client: Client) =>
  renderFields({
    id: client.id,
    company: client.company,
    "external id": client.external_id,
    status: client.status_reason === null ? client.status : `${client.status}: ${client.status_reason}`,
    plan: client.plan,
    "per month": money(client.mrr_cents, client.currency),
    tags: client.tags.join(", "),
    created: client.created_at,
  });

export const createClient = command({
  name: "clients create",
  summary: "Create a client account",
  options: {
    ...PARTNER_OPTION,
    company: { type: "text", value: "NAME", required: true, description: "The client's name." },
    "external-id": { type: "text", value: "ID", description: "The partner's own id for the client, unique among its clients." },
    plan: { type: "text", value: "PLAN", description: "The plan's name." },
    "mrr-cents": { type: "integer", value: "N", description: "Monthly recurring revenue in minor units." },
    currency: { type: "text", value: "CODE", description: "An ISO 4217 code such as usd. Default: the partner's currency." },
    "contact-name": { type: "text", value: "NAME", description: "The contact's name." },
    "contact-email": { type: "text", value: "EMAIL", description: "The contact's e-mail address." },
    "contact-phone": { type: "text", value: "PHONE", description: "The contact's phone number in E.164, such as +14155552671." },
    tags: { type: "list", value: "TAG,…", description: "Tags of the client." },
    metadata: { type: "texts", value: "NAME=VALUE", description: "Additional data." },
    pending: { type: "flag", description: "Create the client as pending instead of active." },
    ...IDEMPOTENCY_OPTION,
  },
  examples: [
    {
      title: "Create a client with a plan and an external id",
      run: 'tributary clients create --partner northwind --company "Acme Dental" --external-id acme-1 --plan Growth --mrr-cents 49900',
    },
    {
      title: "Make the command safe to retry",
      run: 'tributary clients create --partner northwind --company "Birch Bakery" --tags vip,emea --idempotency-key birch-1',
    },
  ],
  async run(call) {
    const { options, out } = call;
    const { ClientCreate, createClient } = await import("../features/accounts/clients/index.ts");
    const contact = { name: options["contact-name"], email: options["contact-email"], phone: options["contact-phone"] };
    const entered = Object.entries(contact).filter(([, value]) => value !== undefined);
    const input = await checked("clients create", ClientCreate, "body", {
      company: options.company,
      external_id: options["external-id"],
      plan: options.plan,
      mrr_cents: options["mrr-cents"],
      currency: options.currency,
      contact: entered.length === 0 ? undefined : Object.fromEntries(entered),
      tags: options.tags,
      metadata: metadataOf(options.metadata),
      activate: !options.pending,
    });
    const services = await call.services();
    const partner_id = await findPartner(services, options.partner);
    const client = await createOnce<Client>(call, services, { operation: "clients.create", partner_id }, (ctx) =>
      createClient(ctx, input),
    );
    out.result(client, () => describeClient(client));
  },
});

function metadataOf(texts: readonly string[] | undefined): Record<string, string> | undefined {
  if (texts === undefined) return undefined;
  const pairs = texts.map((text) => {
    const mark = text.indexOf("=");
    if (mark < 1) throw new UsageError(`--metadata must be NAME=VALUE, not "${text}".`, "clients create");
    return [text.slice(0, mark), text.slice(mark + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

export const listClients = command({
  name: "clients list",
  summary: "List the client accounts of a partner",
  options: {
    ...PARTNER_OPTION,
    status: {
      type: "list",
      value: "STATUS",
      description: "Only clients with this status: pending, active, suspended or churned.",
    },
    plan: { type: "texts", value: "PLAN", description: "Only clients on this plan." },
    tag: { type: "list", value: "TAG", description: "Only clients with one of these tags." },
    "external-id": { type: "text", value: "ID", description: "Only the client with this external id." },
    q: {
      type: "text",
      value: "TEXT",
      description: "Only clients with this text in company, external id, or the contact's name, e-mail or phone.",
    },
    "created-after": {
      type: "text",
      value: "TIME",
      description: "Only clients created at or after a time such as 2026-11-02T09:30:00Z.",
    },
    "created-before": { type: "text", value: "TIME", description: "Only clients created before a time." },
    sort: {
      type: "text",
      value: "ORDER",
      description: "-created_at, created_at, company, -company or -updated_at. Default: -created_at.",
    },
    "include-house": { type: "flag", description: "Include the partner's house account." },
    ...LIST_OPTIONS,
  },
  examples: [
    { title: "List the newest clients of a partner", run: "tributary clients list --partner northwind" },
    {
      title: "List all suspended clients by name",
      run: "tributary clients list --partner northwind --status suspended --sort company --all",
    },
    { title: "Search for an e-mail address, as JSON", run: "tributary clients list --partner northwind --q ada@harbour --json" },
  ],
  async run(call) {
    const { options } = call;
    const { ClientListQuery, listClients } = await import("../features/accounts/clients/index.ts");
    const filter = await checked("clients list", ClientListQuery, "query", {
      status: options.status,
      plan: options.plan,
      tag: options.tag,
      external_id: options["external-id"],
      q: options.q,
      created_after: options["created-after"],
      created_before: options["created-before"],
      sort: options.sort,
      include_house: options["include-house"],
      limit: options.limit,
    });
    const services = await call.services();
    const ctx = actFor(services, await findPartner(services, options.partner));
    await printList<Client>(call, {
      noun: "clients",
      options,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "company", of: ({ company }) => company },
        { title: "status", of: ({ status }) => status },
        { title: "plan", of: ({ plan }) => plan, spare: true },
        { title: "per month", of: ({ mrr_cents, currency }) => money(mrr_cents, currency), right: true },
        { title: "external id", of: ({ external_id }) => external_id, spare: true },
        { title: "created", of: ({ created_at }) => shortTime(created_at), whole: true, spare: true },
      ],
      page: (query) => listClients(ctx, { ...filter, ...query }),
    });
  },
});

const CLIENT_ARGUMENT = { client: { description: "The client's id or external id." } } as const;
const MOVE_OPTIONS = {
  ...PARTNER_OPTION,
  reason: { type: "text", value: "TEXT", description: "The reason, as free text." },
} as const;

type MoveCall = Pick<Call, "out" | "services"> & {
  args: { client: string };
  options: { partner: string | undefined; reason: string | undefined };
};

async function moveClient(command: string, call: MoveCall, status: "suspended" | "active"): Promise<void> {
  const { partner, reason } = call.options;
  const { changeStatus, ReasonBody } = await import("../features/accounts/clients/index.ts");
  const input = await checked(command, ReasonBody, "body", { reason });
  const services = await call.services();
  const ctx = actFor(services, await findPartner(services, partner));
  const { json } = await changeStatus(ctx, await findClient(ctx, call.args.client), status, input.reason ?? null);
  const client: Client = JSON.parse(json);
  call.out.result(client, () => describeClient(client));
}

export const suspendClient = command({
  name: "clients suspend",
  summary: "Suspend a client account",
  description: "Suspending a suspended client changes nothing.",
  args: CLIENT_ARGUMENT,
  options: MOVE_OPTIONS,
  examples: [
    {
      title: "Suspend a client by its external id",
      run: 'tributary clients suspend acme-1 --partner northwind --reason "Invoice overdue"',
    },
  ],
  run: (call) => moveClient("clients suspend", call, "suspended"),
});

export const reactivateClient = command({
  name: "clients reactivate",
  summary: "Reactivate a suspended, closed or pending client account",
  description: "Reactivating an active client changes nothing.",
  args: CLIENT_ARGUMENT,
  options: MOVE_OPTIONS,
  examples: [{ title: "Reactivate a client by its external id", run: "tributary clients reactivate acme-1 --partner northwind" }],
  run: (call) => moveClient("clients reactivate", call, "active"),
});
