import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMailboxReader } from "../../src/features/inbox/channels/index.ts";
import { receive } from "../../src/features/inbox/conversations/index.ts";
import { type Dovecot, startDovecot } from "../harness/dovecot.ts";
import { PASSWORD, useEmail } from "../harness/email.ts";
import type { Json } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

/** The path of a real Dovecot, such as /usr/sbin/dovecot of Debian's package dovecot-imapd. */
const BIN = process.env.DOVECOT_BIN;
const ADA = "ada@home.example";
const IMAP_PASSWORD = "sesame";

describe.runIf(BIN !== undefined)("mailboxes in a real Dovecot", () => {
  const email = useEmail();
  const { call, send, thread, until, answerAutomatically, conversations } = email;
  let dovecot: Dovecot;
  let channel: Json;
  let reader: { stop(): Promise<void> } | undefined;
  let carried = 0;
  let written = 0;
  const delayed: unknown[] = [];

  /** A channel that sends by SMTP and reads its mailbox by IMAP, from where that ends now. */
  async function newMailbox(): Promise<Json> {
    const imap = { host: "127.0.0.1", port: dovecot.port, tls: "none" };
    const made = await email.newChannel({ smtp_password: PASSWORD, imap_password: IMAP_PASSWORD }, { imap });
    await call("PATCH", `/channels/${made.id}`, { config: { ...made.config, imap: { ...imap, user: made.from } } });
    await eventually("the mailbox to be opened", async () => {
      const [row] = await email.world.db.sql("select uid_validity from mailboxes where channel_id = $1", [made.id]);
      return row?.uid_validity ?? readNow();
    });
    return made;
  }

  /** A mailbox that nobody is reading is read at once. */
  const readNow = async () => {
    await email.world.db.sql("update mailboxes set lease_until = null where owner is null");
    return null;
  };

  /** Mail to a mailbox: what is put into it is stored by the service. */
  async function arrives(to: Json, headers: Record<string, string>, body = "Hello\r\n"): Promise<string> {
    const id = `<${++written}@home.example>`;
    const all = { From: `Ada Okafor <${ADA}>`, To: to.from, Subject: "Opening hours", "Message-ID": id, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    await dovecot.add(to.from, `${lines.join("")}\r\n${body}`);
    return id;
  }

  /** Carries what the service has sent to the mailboxes that it is for. */
  async function carry(): Promise<void> {
    for (const { to, raw } of email.server().received.slice(carried)) {
      carried += 1;
      for (const address of to) await dovecot.add(address.replace(/\+[^@]*/, ""), raw);
    }
  }

  const stored = (id: string) =>
    eventually(`${id} to be stored`, async () => {
      const [row] = await email.world.db.sql(
        "select id, conversation_id from messages where detail ->> 'message_id' = $1 or provider_id like '%' || $1 || '%'",
        [id],
      );
      return row ?? readNow();
    });

  /** The conversation of a mail that arrives. */
  async function begun(headers: Record<string, string> = {}, body?: string): Promise<Json> {
    const { conversation_id } = await stored(await arrives(channel, headers, body));
    return (await call("GET", `/conversations/${conversation_id}`)).body;
  }

  async function answered(conversation: Json, body: object): Promise<Json> {
    const { status, body: message } = await send(conversation.id, body);
    expect(status).toBe(201);
    const sent = await until(message.id, "sent");
    await carry();
    return sent;
  }

  beforeAll(async () => {
    dovecot = await startDovecot(BIN ?? "", IMAP_PASSWORD);
    const options = { receive, delayed: (error: unknown) => void delayed.push(error), look_every_ms: 20, read_every_ms: 0 };
    const made = createMailboxReader(email.world.app.services, options);
    made.start();
    reader = made;
    channel = await newMailbox();
  });
  afterAll(async () => {
    await reader?.stop();
    await dovecot.close();
    expect(delayed).toEqual([]);
  });

  test("what is sent arrives, and the answer to it threads back, once", async () => {
    const conversation = await begun();
    expect(conversation).toMatchObject({ address: ADA, subject: "Opening hours", channel_kind: "email", unread: 1 });
    const message = await answered(conversation, { text: "Until six, Ada." });
    const mail = (await dovecot.mails(ADA)).at(-1) ?? "";
    expect(mail).toContain("Until six, Ada.");
    expect(mail).toContain(`Message-ID: ${message.provider_id}`);
    const reply_to = /^Reply-To: (.+)$/m.exec(mail)?.[1]?.trim() ?? "";
    expect(reply_to).toContain("+");
    const first = await arrives(channel, { To: reply_to }, "And on Sunday?\r\n");
    await arrives(channel, { To: reply_to, "Message-ID": first }, "And on Sunday?\r\n");
    await stored(await arrives(channel, { "In-Reply-To": message.provider_id }, "Or Monday?\r\n"));
    const texts = (await thread(conversation.id)).map(({ text }) => text);
    expect(texts).toEqual(["Hello", "Until six, Ada.", "And on Sunday?", "Or Monday?"]);
  });

  test("a delivery report fails the message that it names", async () => {
    const conversation = await begun();
    const { id, provider_id } = await answered(conversation, { text: "This will bounce." });
    const parts = [
      "message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1",
      `text/rfc822-headers\r\n\r\nMessage-ID: ${provider_id}`,
    ];
    const body = `${parts.map((part) => `--b\r\nContent-Type: ${part}\r\n`).join("")}--b--\r\n`;
    const type = 'multipart/report; report-type=delivery-status; boundary="b"';
    await arrives(channel, { From: "mailer-daemon@mx.example", "MIME-Version": "1.0", "Content-Type": type }, body);
    const failed = await eventually("the message to fail", async () => {
      const { body: message } = await call("GET", `/messages/${id}`);
      return message.status === "failed" ? message : readNow();
    });
    expect(failed.error).toMatchObject({ code: "5.1.1" });
    expect(await thread(conversation.id)).toHaveLength(2);
  });

  test("an automatic reply is heard and not answered by a machine", async () => {
    const conversation = await begun({ "Auto-Submitted": "auto-replied" }, "I am away.\r\n");
    expect(conversation).toMatchObject({ unread: 1, waiting_since: null });
    const refused = await answerAutomatically(conversation.id, "Thank you!");
    expect((await until(refused, "failed")).error.code).toBe("automatic_reply");
  });

  test("two mailboxes that answer automatically stop", async () => {
    const other = await newMailbox();
    const conversation = await begun({ From: `Sales <${other.from}>` }, "We have an offer.\r\n");
    expect(conversation).toMatchObject({ address: other.from, waiting_since: null });
    expect((await until(await answerAutomatically(conversation.id, "Thanks."), "failed")).error.code).toBe("automatic_reply");

    // A machine that does not say that it is one.
    const loop = await begun({}, "Did you get my mail? 0\r\n");
    const codes: string[] = [];
    for (let round = 1; codes.length === 0; round += 1) {
      const answer = await answerAutomatically(loop.id, `We got your mail. ${round}`);
      const { status, error, provider_id } = await eventually("the answer to be settled", async () => {
        const { body } = await call("GET", `/messages/${answer}`);
        return ["sent", "failed"].includes(body.status) ? body : null;
      });
      if (status === "failed") codes.push(error.code);
      await carry();
      await stored(
        await arrives(channel, provider_id === null ? {} : { "In-Reply-To": provider_id }, `Did you get my mail? ${round}\r\n`),
      );
      expect(round).toBeLessThan(10);
    }
    expect(codes).toEqual(["automatic_limit"]);
    expect((await dovecot.mails(ADA)).filter((raw) => raw.includes("We got your mail."))).toHaveLength(5);

    // Ours to ours: the mark that our mail carries is enough.
    const first = await begun();
    await until(await answerAutomatically(first.id, "From one of us."), "sent");
    const raw = email.server().received.at(-1)?.raw ?? "";
    await dovecot.add(other.from, raw);
    const [heard] = await eventually("the mail to be heard", async () => {
      const all = await conversations(other);
      return all.length > 0 ? all : readNow();
    });
    expect(heard).toMatchObject({ address: channel.from, waiting_since: null });
    expect((await until(await answerAutomatically(heard.id, "From another."), "failed")).error.code).toBe("automatic_reply");
  });

  test("hostile HTML is inert once it is stored", async () => {
    const html =
      '<p onclick="x()">Hi<script>alert(1)</script><svg onload="x()"></svg><a href="javascript:x()">go</a><img src="https://track.example/1.gif"></p>\r\n';
    const conversation = await begun({ "Content-Type": "text/html; charset=utf-8" }, html);
    const [message] = await thread(conversation.id);
    expect(message.html).toBe(
      '<p>Hi<a rel="noopener noreferrer nofollow" target="_blank">go</a><img data-src="https://track.example/1.gif" /></p>',
    );
  });

  test("attachments are whole in both directions", async () => {
    const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7) % 256));
    const encoded = bytes.toString("base64").replaceAll(/.{76}/g, "$&\r\n");
    const file = 'image/png; name="photo.png"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment';
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nSee the photo\r\n--b\r\nContent-Type: ${file}\r\n\r\n${encoded}\r\n--b--\r\n`;
    const conversation = await begun({ "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"' }, body);
    const [{ attachments }] = await thread(conversation.id);
    expect(attachments).toMatchObject([{ name: "photo.png", media_type: "image/png", bytes: bytes.length }]);
    const { key } = email.partner();
    const headers = { authorization: `Bearer ${key}` };
    const served = await email.world.app.http.inject({ url: `/v1/attachments/${attachments[0].id}`, headers });
    expect(served.rawPayload.equals(bytes)).toBe(true);

    const path = `/attachments?filename=invoice.pdf&media_type=application/pdf&account_id=${email.account_id()}`;
    const { body: uploaded } = await call("POST", path, bytes, key, { "content-type": "application/octet-stream" });
    await answered(conversation, { text: "Here is the invoice.", attachment_ids: [uploaded.id] });
    const mail = (await dovecot.mails(ADA)).at(-1) ?? "";
    expect(mail).toMatch(/filename="?invoice\.pdf/);
    expect(mail.replaceAll("\r\n", "")).toContain(bytes.toString("base64"));
  });
});
