import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect } from "vitest";
import { addOutgoing, lockConversation } from "../../src/features/inbox/conversations/index.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { eventually } from "../postgres/processes.ts";
import { conversationsOf } from "./conversations.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { type Json, type TestPartner, useWorld, type World } from "./world.ts";

export const PASSWORD = "open sesame";
let channels = 0;

const startChannelServer = () =>
  startMailServer({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error("Invalid login")),
    onRcptTo({ address }, _session, done) {
      const status = address.startsWith("unknown@") ? 550 : address.startsWith("busy@") ? 451 : null;
      if (status === null) return done();
      done(Object.assign(new Error(`${address} is refused`), { responseCode: status }));
    },
  });

/** A service that accepts mail, and the mail server of its e-mail channels, which refuses `unknown@` and defers `busy@`. */
export function useEmail() {
  const world = useWorld({ egress: "development" }, "all");
  let server: MailServer;
  let partner: TestPartner;
  let account_id: string;
  let listening: number;
  const of = conversationsOf(world, () => partner);

  beforeAll(async () => {
    server = await startChannelServer();
    listening = (await world.app.mail?.listen("127.0.0.1", 0)) ?? 0;
    partner = await world.newPartner();
    account_id = (await world.newClient(partner)).id;
  });
  afterAll(() => server.close());

  async function newChannel(secrets: object = { smtp_password: PASSWORD }, config: object = {}): Promise<Json> {
    channels += 1;
    const smtp = { host: "127.0.0.1", port: Number(new URL(server.url).port), user: "support", tls: "none" };
    const from = `support${channels}@acme.example`;
    const body = { account_id, kind: "email", name: from, config: { from, name: "Acme", smtp, ...config }, secrets };
    const { status, body: channel } = await of.call("POST", "/channels", body);
    expect([status, channel]).toMatchObject([201, { kind: "email" }]);
    return { ...channel, token: channel.hook_path.slice("/hooks/".length), from };
  }

  /** Hands a mail over to the service, as the mail server of a channel forwards it. */
  const forward = (to: string, raw: string, from: string) =>
    createTransport({ host: "127.0.0.1", port: listening, ignoreTLS: true }).sendMail({ envelope: { from, to }, raw });

  async function deliver(to: string, headers: Record<string, string>, body = "Hello\r\n", from = "ada@home.example") {
    const lines = Object.entries({ From: `Ada Okafor <${from}>`, ...headers }).map(([name, value]) => `${name}: ${value}`);
    return forward(to, `${lines.join("\r\n")}\r\n\r\n${body}`, from);
  }

  const conversations = async (channel: Json): Promise<Json[]> =>
    (await of.call("GET", `/conversations?channel_id=${channel.id}&limit=100`)).body.data;

  return {
    ...of,
    world,
    server: () => server,
    partner: () => partner,
    account_id: () => account_id,
    newChannel,
    deliver,
    forward,
    conversations,
    /** A mail of a new person, and the conversation that it begins. */
    async begun(channel: Json, id: string, headers: Record<string, string> = {}, body?: string): Promise<Json> {
      const before = (await conversations(channel)).map((one) => one.id);
      await deliver(
        `${channel.token}@in.example`,
        { To: channel.from, "Message-ID": id, Subject: "Opening hours", ...headers },
        body,
      );
      return (await conversations(channel)).find((one) => !before.includes(one.id));
    },
    /** A message once it has a status. */
    until: (id: string, status: string): Promise<Json> =>
      eventually(`the message to be ${status}`, async () => {
        const { body } = await of.call("GET", `/messages/${id}`);
        return body.status === status ? body : null;
      }),
    /** What a machine answers. */
    answerAutomatically: (conversation_id: string, text: string) => answerAutomatically(world, partner, conversation_id, text),
  };
}

async function answerAutomatically(world: World, { partner_id }: TestPartner, conversation_id: string, text: string) {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
  return ctx.tx(async (tx) => {
    const conversation = await lockConversation(ctx, tx, conversation_id);
    return (await addOutgoing(ctx, tx, conversation, { text, automatic: true })).message.id;
  });
}
