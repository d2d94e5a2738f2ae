import { describe, expect, test } from "vitest";
import { PASSWORD, useEmail } from "../harness/email.ts";
import type { Received } from "../harness/mail-server.ts";
import { placesOf } from "../harness/marks.ts";
import type { Json } from "../harness/world.ts";

const email = useEmail();
const { call, send, thread, until, begun, deliver, forward, newChannel, conversations, answerAutomatically } = email;

/** The one e-mail that has a text. */
async function mailWith(text: string): Promise<Received> {
  const found = email.server().received.filter(({ raw }) => raw.includes(text));
  expect(found).toHaveLength(1);
  return found[0] as Received;
}

async function answered(conversation: Json, body: object): Promise<Json> {
  const { status, body: message } = await send(conversation.id, body);
  expect(status).toBe(201);
  return until(message.id, "sent");
}

describe("a conversation by e-mail", () => {
  test("goes on in its thread, to both sides", async () => {
    const channel = await newChannel();
    const conversation = await begun(channel, "<1@home.example>");
    expect(conversation).toMatchObject({
      address: "ada@home.example",
      subject: "Opening hours",
      channel_kind: "email",
      unread: 1,
    });
    const message = await answered(conversation, { text: "Until six, Ada.", html: "<p>Until six, Ada.</p>" });
    const { headers, from, to } = await mailWith("Until six, Ada.");
    expect([from, to]).toEqual([channel.from, ["ada@home.example"]]);
    expect(headers).toMatchObject({
      from: `Acme <${channel.from}>`,
      subject: "Re: Opening hours",
      "in-reply-to": "<1@home.example>",
      references: "<1@home.example>",
      "message-id": message.provider_id,
      "x-service-origin": channel.id,
    });
    expect(headers).not.toHaveProperty("auto-submitted");
    const reply_to = headers["reply-to"] ?? "";
    expect(reply_to).toMatch(/^support\d+\+[0-9a-f]{20}@acme\.example$/);

    const inbox = `${channel.token}@in.example`;
    await deliver(inbox, { To: reply_to, "Message-ID": "<2@home.example>" }, "And on Sunday?\r\n");
    const refers = { References: `<1@home.example> ${message.provider_id}`, "Message-ID": "<3@home.example>" };
    await deliver(inbox, { To: channel.from, ...refers }, "Or Monday?\r\n");
    await deliver(inbox, { To: reply_to, "Message-ID": "<4@home.example>" }, "I am her sister.\r\n", "eve@home.example");
    await deliver(inbox, { To: reply_to, "Message-ID": "<2@home.example>" }, "And on Sunday?\r\n");
    const texts = (await thread(conversation.id)).map(({ text, automatic }) => [text, automatic]);
    expect(texts).toEqual([
      ["Hello", false],
      ["Until six, Ada.", false],
      ["And on Sunday?", false],
      ["Or Monday?", false],
      ["I am her sister.", true],
    ]);
    await answered(conversation, { text: "Never on Sundays." });
    expect((await mailWith("Never on Sundays.")).headers).toMatchObject({
      "in-reply-to": "<4@home.example>",
      subject: "Re: Opening hours",
    });
  });

  test("begins anew with a mail that answers nothing on its channel, whatever its subject", async () => {
    const channel = await newChannel();
    const first = await begun(channel, "<a1@home.example>");
    const second = await begun(channel, "<a2@home.example>");
    expect(second.id).not.toBe(first.id);
    expect(await conversations(channel)).toHaveLength(2);
    const [other, answers] = [await newChannel(), { References: "<a1@home.example>" }];
    expect(await begun(other, "<a3@home.example>", answers)).toMatchObject({ channel_id: other.id, previous_id: null });
    expect((await thread(first.id)).map(({ text }) => text)).toEqual(["Hello"]);
  });

  test("that we begin has the beginning of its text as subject", async () => {
    const channel = await newChannel();
    const body = { channel_id: channel.id, address: "bo@home.example", text: "Your table is booked.\nSee you" };
    const { body: conversation } = await call("POST", "/conversations", body);
    await until((await thread(conversation.id))[0].id, "sent");
    expect((await mailWith("Your table is booked")).headers.subject).toBe("Your table is booked.");
  });
});

const report = (message_id: string) =>
  [
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Action: failed",
    "Status: 5.1.1",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: ${message_id}`,
    "--b--",
    "",
  ].join("\r\n");
const REPORT = { "MIME-Version": "1.0", "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"' };

describe("what becomes of a message", () => {
  test("a delivery report fails it, and is no message itself", async () => {
    const channel = await newChannel();
    const conversation = await begun(channel, "<b1@home.example>");
    const { id, provider_id } = await answered(conversation, { text: "This will bounce." });
    await deliver(
      `${channel.token}@in.example`,
      { ...REPORT, To: channel.from },
      report(provider_id),
      "mailer-daemon@mx.example",
    );
    expect((await until(id, "failed")).error).toMatchObject({ code: "5.1.1" });
    expect(await thread(conversation.id)).toHaveLength(2);
  });

  test("the server's refusal is final or not, and that of the login is the channel's", async () => {
    const channel = await newChannel();
    const write = async (address: string) =>
      (await call("POST", "/conversations", { channel_id: channel.id, address, text: "Hi" })).body.id;
    const [refused, busy] = [await write("unknown@home.example"), await write("busy@home.example")];
    const failed = await until((await thread(refused))[0].id, "failed");
    expect(failed.error).toMatchObject({ code: "smtp_550" });
    expect(failed.error.detail).not.toContain("unknown@");
    expect((await thread(busy))[0].status).not.toBe("failed");
    const locked = await newChannel({ smtp_password: "wrong" });
    expect((await call("POST", `/channels/${locked.id}/test`)).body).toMatchObject({
      ok: false,
      code: "smtp_535",
      status: "error",
    });
    await call("PATCH", `/channels/${locked.id}`, { secrets: { smtp_password: PASSWORD } });
    expect((await call("POST", `/channels/${locked.id}/test`)).body).toMatchObject({ ok: true, status: "active" });
  });
});

describe("machines", () => {
  test("are heard, and never answered automatically", async () => {
    const channel = await newChannel();
    const conversation = await begun(channel, "<c1@home.example>", { "Auto-Submitted": "auto-replied" }, "I am away.\r\n");
    expect(conversation).toMatchObject({ unread: 1, waiting_since: null });
    const refused = await answerAutomatically(conversation.id, "Thank you!");
    expect((await until(refused, "failed")).error.code).toBe("automatic_reply");
    await answered(conversation, { text: "A person may write." });
  });

  test("include our own mailboxes, whatever their mail says", async () => {
    const [one, other] = [await newChannel(), await newChannel()];
    const conversation = await begun(one, "<c2@home.example>", { From: `Sales <${other.from.toUpperCase()}>` }, "An offer.\r\n");
    expect(conversation).toMatchObject({ unread: 1, waiting_since: null });
    expect((await until(await answerAutomatically(conversation.id, "Thanks."), "failed")).error.code).toBe("automatic_reply");
  });

  test("that answer each other stop", async () => {
    const [one, other] = [await newChannel(), await newChannel()];
    const conversation = await begun(one, "<d1@home.example>");
    await until(await answerAutomatically(conversation.id, "We got your mail."), "sent");
    const { raw, headers } = await mailWith("We got your mail.");
    expect(headers).toMatchObject({ "auto-submitted": "auto-replied", "x-service-origin": one.id });
    await forward(`${other.token}@in.example`, raw, one.from);
    const [heard] = await conversations(other);
    expect(heard).toMatchObject({ address: one.from, waiting_since: null });
    expect((await until(await answerAutomatically(heard.id, "We got yours."), "failed")).error.code).toBe("automatic_reply");
    for (let sent = 1; sent < 5; sent += 1) await until(await answerAutomatically(conversation.id, `Again, no. ${sent}`), "sent");
    const late = await until(await answerAutomatically(conversation.id, "Once more."), "failed");
    expect(late.error.code).toBe("automatic_limit");
  });
});

describe("what a mail brings along", () => {
  test("HTML is inert once it is stored", async () => {
    const channel = await newChannel();
    const html = '<p onclick="x()">Hi<script>alert(1)</script><img src="https://track.example/1.gif"></p>\r\n';
    const conversation = await begun(channel, "<e1@home.example>", { "Content-Type": "text/html; charset=utf-8" }, html);
    expect((await thread(conversation.id))[0]).toMatchObject({
      text: "Hi",
      html: '<p>Hi<img data-src="https://track.example/1.gif" /></p>',
    });
  });

  test("files are whole in both directions", async () => {
    const channel = await newChannel();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    const body = [
      "--b",
      "Content-Type: text/plain",
      "",
      "See the photo",
      "--b",
      'Content-Type: image/png; name="photo.png"',
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment",
      "",
      bytes.toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
      "--b--",
      "",
    ].join("\r\n");
    const headers = { "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"' };
    const conversation = await begun(channel, "<f1@home.example>", headers, body);
    const [{ attachments }] = await thread(conversation.id);
    expect(attachments).toMatchObject([{ name: "photo.png", media_type: "image/png", bytes: bytes.length }]);
    const { key } = email.partner();
    const url = `/v1/attachments/${attachments[0].id}`;
    const served = await email.world.app.http.inject({ url, headers: { authorization: `Bearer ${key}` } });
    expect(served.rawPayload.equals(bytes)).toBe(true);

    const type = { "content-type": "application/octet-stream" };
    const path = `/attachments?filename=invoice.pdf&media_type=application/pdf&account_id=${email.account_id()}`;
    const { body: file } = await call("POST", path, bytes, key, type);
    await answered(conversation, { text: "Here is the invoice.", attachment_ids: [file.id] });
    const { raw } = await mailWith("Here is the invoice.");
    expect(raw).toMatch(/filename="?invoice\.pdf/);
    expect(raw.replaceAll("\r\n", "")).toContain(bytes.toString("base64"));
  });
});

test("an erasure reaches what a person wrote in the conversation of another, and nothing else there", async () => {
  const channel = await newChannel();
  const conversation = await begun(channel, "<h1@home.example>");
  const type = { "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"' };
  const file = ["--b", 'Content-Type: text/plain; name="s.txt"', "Content-Disposition: attachment", "", "x", "--b--", ""];
  const parts = ["--b", "Content-Type: text/html", "", "<p>My secret</p>", ...file].join("\r\n");
  const { provider_id } = await answered(conversation, { text: "Ask Eva." });
  const headers = { To: channel.from, References: provider_id, "Message-ID": "<h2@home.example>", Subject: "Secret" };
  await deliver(`${channel.token}@in.example`, { ...headers, ...type }, parts, "eva@home.example");
  const [own, answer, joined] = await thread(conversation.id);
  expect([joined.text, joined.subject]).toEqual(["My secret", "Secret"]);
  const { body: start } = await call("GET", "/changes?after=end");
  expect((await call("POST", `/leads/${joined.author.id}/erase`)).status).toBe(204);
  const told = (await call("GET", `/changes?after=${start.next_cursor}`)).body.data;
  expect(told.map((one: Json) => [one.id, one.change])).toEqual([
    [joined.id, "erased"],
    [joined.author.id, "erased"],
  ]);
  const [kept, sent, emptied] = await thread(conversation.id);
  expect([kept, sent]).toEqual([own, answer]);
  expect(emptied).toMatchObject({ text: "", html: null, subject: null, provider_id: null, attachments: [], version: 2 });
  expect(await placesOf(email.world, "eva@home")).toEqual([]);
  expect((await call("GET", `/attachments/${joined.attachments[0].id}`)).status).toBe(404);
  expect((await call("GET", `/conversations/${conversation.id}`)).body).toMatchObject({
    status: "open",
    address: "ada@home.example",
  });
});

test("mail is taken for channels alone, and relayed to nobody", async () => {
  const channel = await newChannel();
  for (const to of ["ada@home.example", channel.from, "x@in.example"])
    await expect(deliver(to, { To: to, "Message-ID": "<g@home.example>" })).rejects.toMatchObject({ responseCode: 550 });
  expect(await conversations(channel)).toEqual([]);
});
