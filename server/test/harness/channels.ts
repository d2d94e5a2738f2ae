import { afterAll, beforeAll, expect } from "vitest";
import { adapterOf, type ChannelKind, netOf, type Outgoing, openChannel } from "../../src/features/inbox/channels/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { type HookServer, startHooks } from "./hooks.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { type Json, type TestPartner, useWorld } from "./world.ts";

export const SECRET = "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=";
export const SID = `AC${"0a".repeat(16)}`;
export const TOKEN = "auth-token-of-twilio";
export const WHATSAPP = { token: "EAAG-token", app_secret: "app-secret", verify_token: "verify-me" };

/** What a channel of a kind is created with, whose provider has this address. */
function givenFor(kind: ChannelKind, base_url: string): object {
  const given: Partial<Record<ChannelKind, object>> = {
    api: { config: { url: `${base_url}/api` }, secrets: { secret: SECRET } },
    sms: { config: { account_sid: SID, from: "+15550100000", base_url }, secrets: { auth_token: TOKEN } },
    whatsapp: { config: { phone_number_id: "106540352242922", base_url }, secrets: WHATSAPP },
  };
  return given[kind] ?? {};
}

const MESSAGE: Omit<Outgoing, "id"> = {
  conversation_id: newId("conversation", 0),
  to: "+4915112345678",
  subject: null,
  text: "Until six.",
  html: null,
  template: null,
  attachments: [],
  reply_token: "x",
  thread: {},
  automatic: false,
  attempt: 1,
};

/** An account with channels whose provider is a receiver of the test's own. */
export function useChannels() {
  let hooks: HookServer;
  const world = useWorld({ egress: "development", baseUrl: () => hooks?.origin ?? "http://tributary.test" }, "api");
  let provider: Receiver;
  let partner: TestPartner;
  let account_id: string;
  let made = 0;

  beforeAll(async () => {
    provider = await startReceiver();
    hooks = await startHooks(world);
    partner = await world.newPartner();
    account_id = (await world.newClient(partner)).id;
  });
  afterAll(async () => {
    await hooks.close();
    await provider.close();
  });

  const call = (method: string, path: string, body?: object, key = partner.key, headers = {}) =>
    world.call(method, `/v1${path}`, { key, body, headers });

  async function newChannel(kind: ChannelKind, fields: object = {}): Promise<Json> {
    made += 1;
    const body = { account_id, kind, name: `${kind} ${made}`, ...givenFor(kind, `${provider.origin}/${made}`), ...fields };
    const { status, body: channel } = await call("POST", "/channels", body);
    expect([status, channel]).toMatchObject([201, { kind }]);
    return { ...channel, base_path: `/${made}`, token: channel.hook_path.slice("/hooks/".length) };
  }

  async function open(id: string) {
    const { db, sealer } = world.app.services;
    const channel = await openChannel(db, sealer, { partner_id: partner.partner_id, clients: "all" }, id);
    if (channel === null) throw new Error("archived");
    return channel;
  }

  const outgoing = (fields: Partial<Outgoing> = {}): Outgoing => ({
    id: newId("message", world.clock.now().getTime()),
    ...MESSAGE,
    ...fields,
  });

  return {
    world,
    hooks: () => hooks,
    provider: () => provider,
    partner: () => partner,
    account_id: () => account_id,
    call,
    newChannel,
    open,
    outgoing,
    async send(id: string, message: Outgoing = outgoing()) {
      const channel = await open(id);
      return adapterOf(channel.kind).send(channel, message, netOf(world.app.services));
    },
    answerWith: (path: string, status: number, body: unknown, headers = {}) =>
      provider.answer(
        path,
        (response) =>
          void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body)),
      ),
  };
}
