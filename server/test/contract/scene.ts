import { newChannel } from "../harness/conversations.ts";
import { linksOf } from "../harness/links.ts";
import { feed, walk } from "../harness/lists.ts";
import { trading } from "../harness/marketplace.ts";
import { newPayout, newPayoutMethod, openBook } from "../harness/money.ts";
import { newSale, provision } from "../harness/sales.ts";
import { newCertification } from "../harness/standing.ts";
import { ADMIN, BASE, GENERAL, type Json, nextPhone, type TestPartner, type World } from "../harness/world.ts";
import {
  ADMIN_OPERATIONS,
  type Belongings,
  bodyOf,
  creatorOf,
  headersOf,
  missing,
  neverMade,
  OPERATIONS,
  type Thing,
  thingsOf,
  urlOf,
} from "./operations.ts";

/** What is made in a scene: everything belongs to one client of a partner. */
type Making = {
  world: World;
  partner: TestPartner;
  client_id: string;
  /** The id of a thing, which is made when it is first asked for. */
  id(thing: Thing): Promise<string>;
  /** Calls the API with the partner's key; gives the body. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Json>;
};

async function newDeployment({ post, client_id }: Making): Promise<string> {
  const manifest = { format: 1, assets: [{ type: "tag", key: "vip", spec: { name: neverMade("deployment") } }] };
  const { id: snapshot_id } = await post(`${BASE}/snapshots`, { name: neverMade("snapshot"), manifest });
  return (await post(`${BASE}/clients/${client_id}/snapshots`, { snapshot_id })).id;
}

/** Things that the example of the operation that creates them does not make as the scenes need them. */
const MAKERS: Partial<Record<Thing, (making: Making) => Promise<string>>> = {
  client: async ({ client_id }) => client_id,
  key: async ({ post, client_id }) =>
    (await post(`${BASE}/keys`, { name: "Bound", scopes: ["clients:read"], clients: [client_id] })).id,
  user: async ({ post, client_id }) =>
    (
      await post(`${BASE}/users`, {
        name: "Staff",
        email: `${neverMade("user")}@test.example`,
        role: "member",
        accounts: [client_id],
      })
    ).id,
  endpoint: async ({ post, client_id }) =>
    (
      await post(`${BASE}/webhooks`, {
        url: "https://hooks.test.example/",
        event_types: ["client.created"],
        client_ids: [client_id],
      })
    ).id,
  delivery: async ({ post, id }) => (await post(`${BASE}/webhooks/${await id("endpoint")}/test`)).id,
  replay: async ({ post, id }) =>
    (await post(`${BASE}/webhooks/${await id("endpoint")}/replay`, { since: "2026-01-01T00:00:00Z" })).id,
  event: async ({ world, partner, client_id }) => (await feed(world, partner.key, `client_id=${client_id}`))[0]?.id,
  audit: async ({ world, partner, client_id }) => (await walk(world, partner.key, "/audit-log", { client_id }))[0]?.id,
  merge: async ({ post, world, partner, client_id, id }) => {
    const from = await world.newContact(partner, { account_id: client_id });
    return (await post(`${GENERAL}/contacts/${await id("contact")}/merge`, { from_id: from.id })).id;
  },
  note: async ({ post, id }) => (await post(`${GENERAL}/contacts/${await id("contact")}/notes`, { body: "Called." })).id,
  // One that is over, whichever was first: what can be done to it no longer changes.
  import: async ({ post, client_id }) => {
    const file = "name,phone\r\nNo one,12\r\n";
    const { id } = await post(`${GENERAL}/imports?account_id=${client_id}`, file, { "content-type": "text/csv" });
    await post(`${GENERAL}/imports/${id}/cancel`);
    return id;
  },
  deal: async ({ post, client_id }) => (await post(`${GENERAL}/deals`, { name: "Seats", account_id: client_id })).id,
  deal_note: async ({ post, id }) => (await post(`${GENERAL}/deals/${await id("deal")}/notes`, { body: "Called." })).id,
  lead: async ({ world, partner, client_id }) => (await world.newLead(partner, { account_id: client_id })).id,
  lead_note: async ({ post, id }) => (await post(`${GENERAL}/leads/${await id("lead")}/notes`, { body: "Called." })).id,
  converted_lead: async ({ post, world, partner, client_id }) => {
    const { id } = await world.newLead(partner, { account_id: client_id, phone: nextPhone() });
    await post(`${GENERAL}/leads/${id}/convert`);
    return id;
  },
  sale: async ({ world, partner }) => (await newSale(world, partner)).deal_id,
  partner: async ({ post }) => {
    const owner = { name: "Owner", email: `${neverMade("user")}@test.example` };
    return (await post(`${BASE}/sub-partners`, { company: "Below Agency", owner })).partner_id;
  },
  commission: async ({ world, partner }) => (await openBook(world, partner.partner_id)).accrue(),
  payout_method: ({ world, partner }) => newPayoutMethod(world, partner.partner_id),
  payout: async ({ world, partner }) => (await newPayout(world, partner.partner_id)).payout ?? missing("payout"),
  // One of the partner's own, which waits for review, and one of another partner's, which can be bought.
  listing: ({ world, partner }) => trading(world, () => missing("no operator")).newListing(partner),
  offer: async ({ world }) => {
    const operator = await world.newOperator();
    return trading(world, () => operator).newOffer(await world.newPartner());
  },
  charge: async ({ world, partner, client_id }) => (await openBook(world, partner.partner_id)).charge({ client_id }),
  deployment: newDeployment,
  failed_deployment: async (scene) => {
    const id = await newDeployment(scene);
    await scene.world.db.sql("update deployments set status = 'failed' where id = $1", [id]);
    return id;
  },
  // A dry run, which leaves the client as it is.
  rollout: async ({ post, id }) =>
    (await post(`${BASE}/snapshots/${await id("snapshot")}/rollouts`, { target: "all", dry_run: true })).id,
  paused_rollout: async ({ world, post, id, client_id }) => {
    const body = { target: { client_ids: [client_id] }, dry_run: true };
    const rollout = await post(`${BASE}/snapshots/${await id("snapshot")}/rollouts`, body);
    await world.db.sql("update rollouts set status = 'paused', dry_run = false where id = $1", [rollout.id]);
    return rollout.id;
  },
  // Scheduled, so that nobody begins to send it.
  message: ({ post, id }) => newMessage(post, id),
  cancelled_message: async ({ world, post, id }) => {
    const message_id = await newMessage(post, id);
    await world.db.sql("update messages set status = 'cancelled' where id = $1", [message_id]);
    await world.db.sql("delete from message_sends where message_id = $1", [message_id]);
    return message_id;
  },
  sendable_link: async ({ world, partner, post, client_id }) => {
    await newChannel(world, partner, client_id);
    const customer = { name: "Ada", phone: nextPhone() };
    return (await post(`${GENERAL}/billing/payment-link`, { account_id: client_id, customer, amount_cents: 2 })).id;
  },
  part_paid_link: async ({ post, client_id }) => {
    const { id } = await post(`${GENERAL}/billing/payment-link`, {
      account_id: client_id,
      customer: { name: "Ada" },
      amount_cents: 2,
    });
    await post(`${GENERAL}/billing/payment-links/${id}/record-payment`, { amount_cents: 1, method: "cash" });
    return id;
  },
  attachment: async ({ post, client_id }) =>
    (await post(`${GENERAL}/attachments?account_id=${client_id}`, "file", { "content-type": "application/octet-stream" })).id,
  published_agent: async ({ post, client_id }) => {
    const { id } = await post(`${GENERAL}/agents`, { account_id: client_id, name: neverMade("agent") });
    await post(`${GENERAL}/agents/${id}/publish`, { version: 1 });
    return id;
  },
  tested_agent: async ({ post, client_id }) => {
    const { id } = await post(`${GENERAL}/agents`, { account_id: client_id, name: neverMade("agent") });
    await post(`${GENERAL}/agents/${id}/tests`, { name: "Test", request: { messages: [{ text: "Hi" }] } });
    return id;
  },
  // Of an address that nobody is asked for.
  page_source: async ({ world, post, client_id }) => {
    const source = { account_id: client_id, kind: "text", name: "Page", text: "Page" };
    const { id } = await post(`${GENERAL}/knowledge-sources`, source);
    const page = "update knowledge_sources set kind = 'url', url = 'https://192.0.2.1/', next_fetch_at = $2 where id = $1";
    await world.db.sql(page, [id, world.clock.now()]);
    return id;
  },
  session: async ({ world, partner, client_id, id }) =>
    newSession(world, partner, client_id, await id("agent"), await id("conversation"), "waiting"),
  agent_test: async ({ post, id }) =>
    (
      await post(`${GENERAL}/agents/${await id("agent")}/tests`, {
        name: neverMade("agent_test"),
        request: { messages: [{ text: "Hi" }] },
      })
    ).id,
  test_run: async ({ post, id }) => {
    await id("agent_test");
    return (await post(`${GENERAL}/agents/${await id("agent")}/test-runs`)).id;
  },
  sandbox_run: async ({ post, id }) =>
    (await post(`${GENERAL}/agents/${await id("agent")}/sandbox`, { messages: [{ text: "Hi" }] })).id,
  payment_dispute: async ({ world, partner, client_id, id }) => newDispute(world, partner, client_id, await id("payment")),
  approval: async ({ world, partner, client_id, id }) =>
    newApproval(world, partner, client_id, await id("agent"), await id("conversation")),
  // Of each snapshot and each agent that is made by its example.
  version_number: async () => "1",
};

/** A session of an agent in a conversation, straight in the database: only a conversation makes one. */
export async function newSession(
  world: World,
  { partner_id }: TestPartner,
  account_id: string,
  agent_id: string,
  conversation_id: string,
  status: "waiting" | "completed",
): Promise<string> {
  const id = neverMade("session");
  await world.db.sql(
    `insert into agent_sessions (partner_id, id, account_id, agent_id, agent_version, conversation_id, channel_kind, status, memory, last_ordinal,
       started_at, last_turn_at, ended_at)
     values ($1, $2, $3, $4, 1, $5, 'api', $6, '{}', 0, $7, $7, case when $6 = 'completed' then $7::timestamptz end)`,
    [partner_id, id, account_id, agent_id, conversation_id, status, world.clock.now()],
  );
  const [last] = await world.db.sql<{ ordinal: number; channel_id: string }>(
    "select coalesce(max(ordinal), 0)::int + 1000 as ordinal, min(channel_id) as channel_id from messages where conversation_id = $1",
    [conversation_id],
  );
  await world.db.sql(
    `insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text, status,
       status_at, created_at)
     values ($1, $2, $3, $4, $5, $6, 'in', 'text', 'contact', 'x', 'Hello', 'received', $7, $7)`,
    [partner_id, neverMade("message"), account_id, conversation_id, last?.channel_id, last?.ordinal, world.clock.now()],
  );
  await world.db.sql(
    `insert into agent_turns (partner_id, id, account_id, agent_id, conversation_id, session_id, state, run_at, upto_ordinal, created_at)
     values ($1, $2, $3, $4, $5, $6, 'done', $7, $8, $7)`,
    [partner_id, neverMade("turn"), account_id, agent_id, conversation_id, id, world.clock.now(), last?.ordinal],
  );
  return id;
}

/** A dispute of a payment, straight in the database: only a provider makes one. */
export async function newDispute(
  world: World,
  { partner_id }: TestPartner,
  account_id: string,
  payment_id: string,
): Promise<string> {
  const id = neverMade("payment_dispute");
  await world.db.sql(
    `insert into payment_disputes (partner_id, id, account_id, payment_id, provider_ref, amount_cents, reason, status, created_at)
     values ($1, $2, $3, $4, $2, 1, 'fraudulent', 'open', $5)`,
    [partner_id, id, account_id, payment_id, world.clock.now()],
  );
  return id;
}

/** Something that an agent wants approved, straight in the database: only a turn makes one. */
export async function newApproval(
  world: World,
  { partner_id }: TestPartner,
  account_id: string,
  agent_id: string,
  conversation_id: string,
): Promise<string> {
  const id = neverMade("approval");
  await world.db.sql(
    `insert into tool_approvals (partner_id, id, account_id, agent_id, agent_version, conversation_id, session_id, turn_id, tool, args, expires_at, created_at)
     values ($1, $2, $3, $4, 1, $5, $6, $7, 'add_tag', '{"tag": "hot"}', '2099-01-01T00:00:00Z', $8)`,
    [partner_id, id, account_id, agent_id, conversation_id, neverMade("session"), neverMade("turn"), world.clock.now()],
  );
  return id;
}

async function newMessage(post: Making["post"], id: Making["id"]): Promise<string> {
  const body = { text: "Hello", scheduled_at: "2026-12-24T09:30:00Z" };
  return (await post(`${GENERAL}/conversations/${await id("conversation")}/messages`, body)).id;
}

/** Every thing that some operation acts on. */
export const ALL_THINGS: readonly Thing[] = [...new Set(OPERATIONS.flatMap(({ route }) => thingsOf(route)))];

/** The ids of things that belong to a client: the given ones, each made by the API. */
export async function belongingsOf(
  world: World,
  partner: TestPartner,
  client_id: string,
  things: readonly Thing[] = ALL_THINGS,
): Promise<Belongings> {
  const ids = new Map<Thing, Promise<string>>();
  const known = new Map<Thing, string>();
  const making: Making = {
    world,
    partner,
    client_id,
    id: (thing) => {
      const begun = ids.get(thing) ?? MAKERS[thing]?.(making) ?? createByExample(making, thing);
      ids.set(thing, begun);
      return begun;
    },
    async post(path, body, headers = {}) {
      const reply = await world.call("POST", path, { key: partner.key, body, headers });
      if (reply.status >= 400) throw new Error(`POST ${path} in a scene: ${reply.text}`);
      return reply.body;
    },
  };
  for (const thing of things) known.set(thing, await making.id(thing));
  return (thing) => known.get(thing) ?? missing(`the scene has no ${thing}`);
}

async function createByExample({ post, id }: Making, thing: Thing): Promise<string> {
  const route = creatorOf(thing);
  const needed = new Map<Thing, string>();
  for (const other of thingsOf(route)) needed.set(other, await id(other));
  const idFor: Belongings = (other) => needed.get(other) ?? missing(other);
  return (await post(urlOf(route, idFor), bodyOf(route, idFor), headersOf(route))).id;
}

/**
 * Ids of things that an operator deals with, the given ones or all: a partner that asks for access, its request, a sale that waits for a
 * decision, another operator key, an invited user and so on.
 */
export async function operatorBelongings(world: World, operator: string, things?: readonly Thing[]): Promise<Belongings> {
  const partner = await world.newPartner({ api_access: false });
  const { partner_id } = partner;
  const trade = trading(world, () => operator);
  const post = async (path: string, body?: unknown, key = operator) => (await world.call("POST", path, { key, body })).body;
  const create = (path: string) => {
    const route = ADMIN_OPERATIONS.find((one) => one.name === `POST /v1/admin${path}`)?.route ?? missing(path);
    return post(`${ADMIN}${path}`, bodyOf(route));
  };
  // With a catalogue, only its plans are sold: the one of all examples is in it.
  await post(`${ADMIN}/plans`, { name: "Growth" });
  const payout = once(() => newPayout(world, partner_id));
  const sale = once(async () => {
    const { deal_id } = await newSale(world, partner);
    await world.db.sql("update registrations set status = 'submitted' where deal_id = $1", [deal_id]);
    return deal_id;
  });
  const makers: Partial<Record<Thing, () => Promise<string | undefined>>> = {
    payout: async () => (await payout()).payout,
    payout_run: async () => (await payout()).payout_run,
    payout_export: async () => (await payout()).payout_export,
    payout_method: () => newPayoutMethod(world, partner_id),
    failed_payout: async () => (await newPayout(world, partner_id, "failed")).payout,
    snapshot: async () => trade.newListing(await world.newPartner()),
    offer: async () => trade.newOffer(await world.newPartner()),
    purchase: async () => (await trade.buy(await world.newPartner(), await trade.newOffer(await world.newPartner()))).body.id,
    link: async () => (await linksOf(world).newLink(await world.newPartner())).id,
    certification_grant: async () => {
      const certification_id = await newCertification(world);
      return (await post(`${ADMIN}/partners/${partner_id}/certifications`, { certification_id })).id;
    },
    commission: async () => (await openBook(world, partner_id)).accrue(),
    charge: async () => (await openBook(world, partner_id)).charge(),
    deal: sale,
    sale,
    won_sale: async () => {
      const won = await newSale(world, partner);
      await provision(world, partner, won);
      return won.deal_id;
    },
    partner: async () => partner_id,
    client: async () => (await world.newClient(await world.newPartner())).id,
    access_request: async () => (await post(`${BASE}/access-request`, undefined, partner.key)).request.id,
    key: async () => (await post(`${ADMIN}/keys`, { name: "Another" })).id,
    user: async () => (await post(`${ADMIN}/users`, { name: "Invited", email: `${neverMade("user")}@test.example` })).id,
    plan: async () => (await create("/plans")).id,
    rule: async () => (await create("/rules")).id,
    certification: async () => (await create("/certifications")).id,
    grade: async () => (await create("/tiers")).grade,
    payment_provider: async () => (await create("/providers")).id,
  };
  const ids = new Map<Thing, string | undefined>();
  for (const thing of things ?? (Object.keys(makers) as Thing[])) ids.set(thing, await makers[thing]?.());
  return (thing) => ids.get(thing) ?? missing(`operatorBelongings in contract/scene.ts needs a ${thing}`);
}

/** Made when it is first asked for. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}
