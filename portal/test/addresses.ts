import { setTimeout } from "node:timers/promises";
import type { PageRoute } from "../src/ui/route.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the API replies.
type Body = any;

/** Where the examples are looked up, and made. */
export type Service = { base_url: string; api_key: string; operator_key: string; partner_id: string; receiver: string };

/** Calls the API with the partner's key, or the operator's, and gives the body of the reply. A text is sent as a file of values. */
async function ask(service: Service, method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<Body> {
  const { base_url, operator_key } = service;
  const api_key = path.startsWith("/v1/admin") ? operator_key : service.api_key;
  const type = typeof body === "string" ? "text/csv" : "application/json";
  const reply = await fetch(`${base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, ...(body === undefined ? {} : { "content-type": type }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** An example for each address with parameters. A page that is new needs one here, if it has a parameter of its own. */
type Examples = Record<string, () => Promise<string>>;

const IMPORT = "name,phone,email\nIda Fern,+14155552601,ida@fern.example\nOlof Birk,12,olof@birk.example\n";

const firstOf = async (service: Service, path: string) => (await ask(service, "GET", path)).data[0]?.id as string | undefined;

const snapshotOf = async (service: Service) => (await firstOf(service, "/v1/partners/snapshots?q=consultations")) ?? "";

/** A rollout of the demo's snapshot to those that run it, as a dry run: nobody is changed. */
async function rolloutOf(service: Service): Promise<string> {
  const known = await firstOf(service, "/v1/partners/rollouts");
  if (known !== undefined) return known;
  const body = { target: "installed", dry_run: true };
  return (await ask(service, "POST", `/v1/partners/snapshots/${await snapshotOf(service)}/rollouts`, body)).id as string;
}

/** What the demo programme lacks, each made once. */
function missingOf(service: Service) {
  const first = (path: string) => firstOf(service, path);

  async function endpoint(): Promise<string> {
    const known = await first("/v1/partners/webhooks");
    if (known !== undefined) return known;
    const { id } = await ask(service, "POST", "/v1/partners/webhooks", { url: service.receiver, description: "The shop" });
    await ask(service, "POST", `/v1/partners/webhooks/${id}/test`);
    return id as string;
  }

  async function imported(account: string): Promise<string> {
    const known = await first(`/v1/imports?account_id=${account}`);
    if (known !== undefined) return known;
    return (await ask(service, "POST", `/v1/imports?account_id=${account}`, IMPORT)).id as string;
  }

  /** A charge of a won sale's client, reported by the operator. */
  async function charged(): Promise<string> {
    const known = await first("/v1/admin/charges");
    if (known !== undefined) return known;
    const { data } = await ask(service, "GET", `/v1/admin/partners/${service.partner_id}/commissions?kind=first`);
    const facts = { external_id: "in_1001", amount_cents: 49_900, currency: "usd", charged_at: new Date().toISOString() };
    return (await ask(service, "POST", `/v1/admin/clients/${data[0].client_id}/charges`, facts)).id as string;
  }

  /** A payout of the partner, by a run that the operator has started; the run has finished then. */
  async function paid(): Promise<Body> {
    const [known] = (await ask(service, "GET", "/v1/admin/payouts?limit=1")).data;
    if (known !== undefined) return known;
    const method = { kind: "manual", holder: "Northwind Agency", instructions: "Cheque", currencies: ["usd", "eur"] };
    await ask(service, "PUT", `/v1/admin/partners/${service.partner_id}/payout-method`, method);
    await ask(service, "POST", "/v1/admin/payout-runs");
    while ((await ask(service, "GET", "/v1/admin/payout-runs?limit=1")).data[0].state === "running") await setTimeout(100);
    return paid();
  }
  let made: Promise<Body> | undefined;
  const payout = () => (made ??= paid());

  return { endpoint, imported, charged, payout };
}

/** The partner's pages are shown with what the demo programme has, and with what it lacks: an endpoint, an import and a rollout. */
export function examplesOf(service: Service): Examples {
  const first = (path: string) => firstOf(service, path);
  const harbour = async () => (await first("/v1/partners/clients?q=harbour")) ?? "";
  const inHarbour = async (path: string) => (await first(`${path}?account_id=${await harbour()}`)) ?? "";
  const ownPipeline = async () => (await ask(service, "GET", "/v1/partners/deals")).data[0].pipeline_id as string;
  const contact = async () => `/crm/${await harbour()}/contacts/${await inHarbour("/v1/contacts")}`;
  const { endpoint, imported, charged, payout } = missingOf(service);
  const agent = async () => `/crm/${await harbour()}/agents/${await inHarbour("/v1/agents")}`;

  return {
    "/clients/$id": async () => `/clients/${await harbour()}`,
    "/deals/$id": async () => `/deals/${await first("/v1/partners/deals")}`,
    "/earn/commissions/$id": async () => `/earn/commissions/${await first("/v1/partners/deals/commissions")}`,
    "/earn/links/$id": async () => `/earn/links/${await first("/v1/partners/affiliate-links?status=active")}`,
    "/earn/payouts/$id": async () => `/earn/payouts/${await first("/v1/partners/payouts")}`,
    "/settings/pipelines/$id": async () => `/settings/pipelines/${await ownPipeline()}`,
    "/snapshots/rollouts/$id": async () => `/snapshots/rollouts/${await rolloutOf(service)}`,
    "/snapshots/marketplace/$id": async () => `/snapshots/marketplace/${await first("/v1/partners/marketplace")}`,
    "/snapshots/$id": async () => `/snapshots/${await snapshotOf(service)}`,
    "/developers/webhooks/$id": async () => `/developers/webhooks/${await endpoint()}`,
    "/crm/$account": async () => `/crm/${await harbour()}`,
    "/crm/$account/leads/$id": async () => `/crm/${await harbour()}/leads/${await inHarbour("/v1/leads")}`,
    "/crm/$account/contacts/$id": contact,
    "/crm/$account/deals/$id": async () => `/crm/${await harbour()}/deals/${await inHarbour("/v1/deals")}`,
    "/crm/$account/inbox/$id": async () => `/crm/${await harbour()}/inbox/${await inHarbour("/v1/conversations")}`,
    "/crm/$account/agents/$id": agent,
    "/crm/$account/agents/$id/sessions/$session": async () =>
      `${await agent()}/sessions/${await first(`/v1/agents/${await inHarbour("/v1/agents")}/sessions`)}`,
    "/crm/$account/channels/$id": async () =>
      `/crm/${await harbour()}/channels/${await first(`/v1/channels?kind=simulator&account_id=${await harbour()}`)}`,
    "/crm/$account/payment-links/$id": async () =>
      `/crm/${await harbour()}/payment-links/${await inHarbour("/v1/billing/payment-links")}`,
    "/crm/$account/payments/$id": async () => `/crm/${await harbour()}/payments/${await inHarbour("/v1/billing/payments")}`,
    "/crm/$account/pipelines/$id": async () => `/crm/${await harbour()}/pipelines/${await inHarbour("/v1/pipelines")}`,
    "/crm/$account/imports/$id": async () => `/crm/${await harbour()}/imports/${await imported(await harbour())}`,
    "/programme/rules/new": async () => "/programme/rules/new",
    "/programme/rules/$id": async () => `/programme/rules/${await first("/v1/admin/rules")}`,
    "/charges/$id": async () => `/charges/${await charged()}`,
    "/commissions/$id": async () => `/commissions/${await first("/v1/admin/commissions")}`,
    "/payout-runs/new": async () => "/payout-runs/new",
    "/payout-runs/$id": async () => `/payout-runs/${(await payout()).run_id}`,
    "/payouts/$id": async () => `/payouts/${(await payout()).id}`,
    "/partners/$id": async () => `/partners/${service.partner_id}`,
  };
}

/** The address of a page: its route, with the longest beginning that has an example in place of the parameters. */
export async function addressOf({ path }: PageRoute, examples: Examples): Promise<string> {
  const known = Object.keys(examples).filter((start) => path === start || path.startsWith(`${start}/`));
  const start = known.sort((one, other) => other.length - one.length)[0];
  const rest = path.slice(start?.length ?? 0);
  if (rest.includes("$")) throw new Error(`portal/test/addresses.ts has no example for ${path}`);
  return `${start === undefined ? "" : await examples[start]?.()}${rest}`;
}
