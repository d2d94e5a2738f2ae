import { expect, test } from "vitest";
import { newId } from "../../../../kernel/ids.ts";
import { readMail } from "./parse.ts";
import { type EmailChannel, mailAddress, messageIdOf } from "./wire.ts";

const CHANNEL = {
  id: newId("channel", 0),
  token: "0Zk3dQ9sVbX2a",
  config: { from: "support@acme.example", smtp: { host: "smtp.acme.example", port: 587, user: "support" } },
} as EmailChannel;
const AT = new Date("2026-11-02T09:30:00.000Z");
const TOKEN = "0123456789abcdef0123";

const HEADERS = {
  From: "Ada Okafor <Ada@Home.example>",
  To: "support@acme.example",
  Subject: "Hello",
  "Message-ID": "<1@home.example>",
};

const mailOf = (headers: Record<string, string>, body = "Hi there\r\n") =>
  `${Object.entries({ ...HEADERS, ...headers })
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n")}\r\n\r\n${body}`;

type Envelope = { from: string; to: readonly string[] } | null;
const read = (raw: string, envelope: Envelope = null, truncated = false) =>
  readMail(CHANNEL, { raw: Buffer.from(raw), envelope, at: AT, truncated, brand: "Service" });
const message = async (headers: Record<string, string> = {}, body?: string, envelope: Envelope = null) => {
  const [item] = await read(mailOf(headers, body), envelope);
  if (item?.type !== "message") throw new Error("no message");
  return item;
};

test("a mail has a sender, a subject and a text, and is known again by its id and its sender", async () => {
  const item = await message();
  expect(item).toMatchObject({ from: "ada@home.example", subject: "Hello", text: "Hi there", automatic: false, references: [] });
  expect(item.profile).toEqual({ email: "ada@home.example", name: "Ada Okafor" });
  expect((await message({ Subject: "Again" })).provider_id).toBe(item.provider_id);
  expect((await message({ From: "eve@home.example" })).provider_id).not.toBe(item.provider_id);
  expect((await message({ "Message-ID": "" })).provider_id).toMatch(/^[0-9a-f]{64}$/);
});

test("a sender without an address is kept, and nobody is several", async () => {
  expect(await message({ From: "Ada" })).toMatchObject({ from: "unknown", profile: { name: "Ada" } });
  for (const wrong of ["a@x.example,b@x.example", "a@x.example b@x.example", "<a@x.example>", "a\0@x.example", "a", "@x", null])
    expect(mailAddress(wrong), String(wrong)).toBeNull();
  expect(mailAddress("Ada.O'Kafor+x@Home.example")).toBe("ada.o'kafor+x@home.example");
});

test("an answer names its conversation: by its recipient, also where it was forwarded, and by what it refers to", async () => {
  const plus = `Support <support+${TOKEN}@acme.example>`;
  expect((await message({ To: plus })).reply_token).toBe(TOKEN);
  expect((await message({ Cc: plus.toUpperCase() })).reply_token).toBe(TOKEN);
  expect((await message({ "Delivered-To": `support+${TOKEN}@acme.example` })).reply_token).toBe(TOKEN);
  expect((await message({ To: `other+${TOKEN}@acme.example` })).reply_token).toBeUndefined();
  const envelope = { from: "ada@home.example", to: [`${CHANNEL.token}+${TOKEN}@in.example`] };
  expect((await message({}, undefined, envelope)).reply_token).toBe(TOKEN);
  const answer = await message({ "In-Reply-To": "<b@x>", References: "<a@x>\r\n <b@x>" });
  expect(answer.detail).toMatchObject({ message_id: "<1@home.example>", references: ["<a@x>", "<b@x>"] });
  expect(answer.references).toContain("<b@x>");
  const own = await message();
  expect((await message({ "Message-ID": "<2@home.example>", References: "<1@home.example>" })).references).toContain(
    own.provider_id,
  );
});

test("our own mail that comes back is left out", async () => {
  const ours = messageIdOf(newId("message", 0), CHANNEL);
  expect(await read(mailOf({ "Message-ID": ours, From: "Support@acme.example" }))).toEqual([]);
  expect(await read(mailOf({ "Message-ID": ours, From: "sales@acme.example" }))).toHaveLength(1);
  expect(await read(mailOf({ "X-Service-Origin": CHANNEL.id }))).toEqual([]);
});

const MACHINES: [Record<string, string>, string][] = [
  [{ "Auto-Submitted": "auto-replied" }, "auto_submitted"],
  [{ Precedence: "bulk" }, "precedence"],
  [{ "List-Id": "<news.example>" }, "list"],
  [{ "X-Autoreply": "yes" }, "auto_response"],
  [{ "Return-Path": "<>" }, "empty_return_path"],
  [{ From: "No-Reply@shop.example" }, "no_reply_sender"],
  [{ From: "noreply-orders@shop.example" }, "no_reply_sender"],
  [{ "X-Service-Origin": newId("channel", 1) }, "channel"],
];

test.each(MACHINES)("%j shows a machine", async (headers, sign) => {
  expect(await message(headers)).toMatchObject({ automatic: true, detail: { automatic: sign } });
});

test("people are no machines", async () => {
  const people: Record<string, string>[] = [
    { "Auto-Submitted": "no" },
    { Precedence: "first-class" },
    { From: "norma@a.example" },
  ];
  for (const headers of people) expect((await message(headers)).automatic, JSON.stringify(headers)).toBe(false);
  expect((await message({}, "x", { from: "", to: [] })).automatic).toBe(true);
});

const PARTS = { "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"' };

test("HTML alone has its words as text, and files are whole unless the mail is cut", async () => {
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
  const body = [
    "--b",
    "Content-Type: text/html",
    "",
    "<p>Hi <b>there</b></p>",
    "--b",
    'Content-Type: image/png; name="a/b.png"',
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: attachment",
    "",
    bytes.toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
    "--b--",
    "",
  ].join("\r\n");
  const item = await message(PARTS, body);
  expect([item.text, item.html?.trim()]).toEqual(["Hi there", "<p>Hi <b>there</b></p>"]);
  expect(item.attachments).toMatchObject([{ name: "a_b.png", media_type: "image/png" }]);
  expect(item.attachments[0]?.bytes.equals(bytes)).toBe(true);
  expect(await read(mailOf(PARTS, body), null, true)).toMatchObject([{ attachments: [], detail: { truncated: true } }]);
});

test("of many files the first fifty are kept, and of many references the last thirty", async () => {
  const numbers = Array.from({ length: 51 }, (_, index) => index);
  const files = numbers.map(
    (number) => `--b\r\nContent-Type: text/plain; name="${number}.txt"\r\nContent-Disposition: attachment\r\n\r\nx`,
  );
  const { attachments } = await message(PARTS, [...files, "--b--", ""].join("\r\n"));
  expect(attachments.map(({ name }) => name)).toEqual(numbers.slice(0, 50).map((number) => `${number}.txt`));
  const ids = numbers.map((number) => `<${number}@x>`);
  expect((await message({ References: ids.join(" ") })).detail).toMatchObject({ references: ids.slice(-30) });
});

const reportOf = (action: string, original: string) =>
  [
    "--b",
    "Content-Type: text/plain",
    "",
    "Your message could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.home.example",
    "",
    "Final-Recipient: rfc822; ada@home.example",
    `Action: ${action}`,
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 <ada@home.example>:",
    "  no such user",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: ${original}`,
    "Subject: Hello",
    "--b--",
    "",
  ].join("\r\n");
const REPORT = {
  ...PARTS,
  "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
  From: "MAILER-DAEMON@x.example",
};

test("a delivery report fails the message that it names, without the address of the person", async () => {
  const id = newId("message", 0);
  const provider_id = messageIdOf(id, CHANNEL);
  const [status, ...others] = await read(mailOf(REPORT, reportOf("failed", provider_id)));
  expect(others).toEqual([]);
  expect(status).toMatchObject({ type: "status", provider_id, message_id: id, status: "failed", code: "5.1.1" });
  expect(JSON.stringify(status)).toContain("no such user");
  expect(JSON.stringify(status)).not.toContain("ada@");
  expect(await read(mailOf(REPORT, reportOf("delayed", provider_id)))).toEqual([]);
  expect(await read(mailOf(REPORT, reportOf("failed", "<9@other.example>")))).toMatchObject([
    { type: "message", automatic: true },
  ]);
});
