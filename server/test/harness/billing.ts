import { expect } from "vitest";
import { GENERAL, type Json, type Reply, type TestPartner, type World } from "./world.ts";

const PAID = "4242 4242 4242 4242";

/** Payment links and payers of a world. */
export function billingOf(world: World) {
  const { call } = world;

  async function post(partner: TestPartner, path: string, body?: unknown, status = 200): Promise<Json> {
    const reply = await call("POST", `${GENERAL}/billing${path}`, { key: partner.key, body });
    expect(reply.status, reply.text).toBe(status);
    return reply.body;
  }
  const get = async (partner: TestPartner, path: string): Promise<Json> => {
    const reply = await call("GET", `${GENERAL}/billing${path}`, { key: partner.key });
    expect(reply.status, reply.text).toBe(200);
    return reply.body;
  };
  const newProvider = (partner: TestPartner, fields: object = {}) =>
    post(partner, "/providers", { kind: "test", name: "Trial", account_id: null, ...fields }, 201);
  const newLink = (partner: TestPartner, fields: object = {}) =>
    post(partner, "/payment-link", { customer: { name: "Ada Okafor" }, amount_cents: 10_000, currency: "usd", ...fields }, 201);

  const pathOf = (url: string) => url.replace("http://tributary.test", "");
  const open = (url: string, headers: Record<string, string> = {}) => call("GET", pathOf(url), { headers });
  const send = (url: string, form: Record<string, string>) =>
    call("POST", pathOf(url), {
      body: new URLSearchParams(form).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });

  /** The hidden fields of a page's form. */
  async function formOf(link: { url: string }): Promise<Record<string, string>> {
    const { text } = await open(link.url);
    return Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
  }

  /** Sends the form of a page; gives the reply, and the path of the attempt's page at the provider. */
  async function begin(link: { url: string }, fields: Record<string, string> = {}): Promise<Reply & { location: string }> {
    const reply = await send(`${link.url}/attempts`, { ...(await formOf(link)), ...fields });
    return { ...reply, location: pathOf(reply.headers.location ?? "") };
  }

  /** Gives a card to the page of the test provider, and comes back. */
  async function giveCard(location: string, card = PAID): Promise<Reply> {
    const sent = await send(location, { card });
    expect(sent.status, sent.text).toBe(303);
    return comeBack(location);
  }
  const comeBack = (location: string) => open(location.replace("/test/", "/return/"));

  async function pay(link: { url: string }, fields: Record<string, string> = {}, card = PAID): Promise<Reply> {
    const { status, text, location } = await begin(link, fields);
    expect(status, text).toBe(303);
    return giveCard(location, card);
  }
  const paymentsOf = async (partner: TestPartner, link: { id: string }): Promise<Json[]> =>
    (await get(partner, `/payments?payment_link_id=${link.id}&limit=100`)).data;

  return { post, get, newProvider, newLink, open, send, formOf, begin, giveCard, comeBack, pay, paymentsOf };
}
