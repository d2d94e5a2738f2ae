import { beforeAll, expect, test } from "vitest";
import { billingOf } from "../harness/billing.ts";
import { conversationsOf, newChannel } from "../harness/conversations.ts";
import { newDeal } from "../harness/deals.ts";
import { GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let account_id: string;
const billing = () => billingOf(world);
const read = async (path: string): Promise<Json> => (await world.call("GET", `${GENERAL}${path}`, { key: partner.key })).body;
const paymentsOf = (link: Json) => billing().paymentsOf(partner, link);

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  await billing().newProvider(partner);
});

/** A link about a contact, its deal and its conversation. */
async function newLink(fields: object): Promise<{ link: Json; deal: Json; contact: Json; conversation: Json }> {
  const conversations = conversationsOf(world, () => partner);
  const conversation = await conversations.begun(await newChannel(world, partner, account_id));
  const contact = await world.newContact(partner, { account_id, tags: ["lead"] });
  const deal = await newDeal(world, partner, { account_id });
  const subjects = { account_id, customer: contact.id, deal_id: deal.id, conversation_id: conversation.id };
  return { link: await billing().newLink(partner, { ...subjects, ...fields }), deal, contact, conversation };
}

const ALL = { move_deal: { stage: "Won" }, add_tags: ["customer"], send_message: { text: "Thank you, Ada." } };

test("what is planned happens once the link is paid in full", async () => {
  const { link, deal, contact, conversation } = await newLink({ on_paid: ALL, partial: {} });
  await billing().pay(link, { amount: "40" });
  expect((await read(`/deals/${deal.id}`)).status).toBe("open");
  await billing().pay(link);
  expect((await paymentsOf(link)).map(({ on_paid_results }) => on_paid_results)).toMatchObject([
    [
      { action: "move_deal", status: "done" },
      { action: "add_tags", status: "done" },
      { action: "send_message", status: "done" },
    ],
    [],
  ]);
  expect((await read(`/deals/${deal.id}`)).status).toBe("won");
  expect((await read(`/contacts/${contact.id}`)).tags).toEqual(["lead", "customer"]);
  const thread = await conversationsOf(world, () => partner).thread(conversation.id);
  expect(thread.at(-1)).toMatchObject({ text: "Thank you, Ada.", author: { type: "system" }, automatic: true });
});

test("what is refused is told, and undoes neither the payment nor what else happens", async () => {
  const { link, contact } = await newLink({ on_paid: { ...ALL, move_deal: { stage: "No such stage" } } });
  const gone = await world.call("DELETE", `${GENERAL}/contacts/${contact.id}`, { key: partner.key });
  expect(gone.status).toBe(204);
  await billing().pay(link);
  const [payment] = await paymentsOf(link);
  expect(payment).toMatchObject({ status: "succeeded", amount_cents: 10_000 });
  expect(payment.on_paid_results).toMatchObject([
    { action: "move_deal", status: "refused" },
    { action: "add_tags", status: "refused", code: "not_found" },
    { action: "send_message", status: "done", code: null },
  ]);
});

test("each payment of a link for several uses does it", async () => {
  const { link, contact } = await newLink({ on_paid: { add_tags: ["customer"] }, usage: "multi" });
  await billing().pay(link);
  await billing().pay(link);
  expect((await paymentsOf(link)).map(({ on_paid_results }) => on_paid_results.length)).toEqual([1, 1]);
  expect((await read(`/contacts/${contact.id}`)).tags).toEqual(["lead", "customer"]);
});

test("a payment with the card of disputes is disputed, and the page of the test provider decides", async () => {
  const link = await billing().newLink(partner, { account_id });
  const { location } = await billing().begin(link);
  await billing().giveCard(location, "4000 0000 0000 0259");
  const [payment] = await paymentsOf(link);
  expect(payment).toMatchObject({ status: "disputed", disputes: [{ status: "open", reason: "fraudulent" }] });
  const refund = await world.call("POST", `${GENERAL}/billing/payments/${payment.id}/refund`, {
    key: partner.key,
    body: { reason: "Sorry" },
  });
  expect(refund.body).toMatchObject({ code: "payment_not_refundable", refundable_cents: 0 });
  expect((await billing().open(location)).text).toContain("The seller wins");
  expect((await read("/billing/disputes?status=open")).data).toMatchObject([
    { payment_id: payment.id, payment_link_id: link.id },
  ]);
  await billing().send(location, { dispute: "won" });
  await billing().send(location, { dispute: "lost" });
  expect((await paymentsOf(link))[0]).toMatchObject({ status: "succeeded", disputes: [{ status: "won" }] });
  expect((await read("/billing/disputes?status=open")).data).toEqual([]);
});
