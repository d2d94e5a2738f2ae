import { createHash } from "node:crypto";
import type { Attachment, Email } from "postal-mime";
import { isId } from "../../../../kernel/ids.ts";
import { textOfHtml } from "../../../../platform/mail/safe-html.ts";
import type { Incoming, IncomingMessage } from "../adapter.ts";
import { textOf } from "../provider.model.ts";
import { automaticSign } from "./automatic.model.ts";
import { reportsOf } from "./report.model.ts";
import { domainOf, type EmailChannel, mailAddress, originHeader } from "./wire.ts";

const TEXT_LENGTH_MAX = 100_000;
const FILES_MAX = 50;
const REFERENCES_MAX = 30;

/** A mail as it came, with its envelope where there is one: an empty sender is that of a machine. */
export type RawMail = {
  raw: Buffer;
  envelope: { from: string; to: readonly string[] } | null;
  at: Date;
  /** Whether its end is missing. */
  truncated: boolean;
  /** The word in the names of our own headers. */
  brand: string;
};

/** What a mail says: a message of somebody, or what became of one of ours. Nothing if it is one of ours that came back. */
export async function readMail(channel: EmailChannel, mail: RawMail): Promise<Incoming[]> {
  // Imported lazily: most processes never read e-mail.
  const { default: PostalMime } = await import("postal-mime");
  const email = await PostalMime.parse(mail.raw, { forceRfc822Attachments: true, maxNestingDepth: 50 });
  const header = (name: string) => email.headers.find(({ key }) => key === name.toLowerCase())?.value ?? null;
  const [message_id = null] = idsIn(email.messageId ?? "");
  const origin = header(originHeader(mail.brand));
  // Another channel of the same domain has ids of the same form.
  const own_sender = mailAddress(email.from?.address) === channel.config.from.toLowerCase();
  const came_back = own_sender && ourMessage(channel, message_id ?? "") !== null;
  if (came_back || origin?.trim() === channel.id) return [];
  const reports = reportsOf(email, mail.at, (id) => ourMessage(channel, id));
  if (reports !== null) return reports;
  const sign = automaticSign(email, mail.envelope?.from ?? null, origin);
  return [{ ...messageOf(channel, mail, email, message_id, sign), text: await bodyOf(email) }];
}

/** The id of the message that a Message-ID of ours names. */
function ourMessage({ config }: EmailChannel, message_id: string): string | null {
  const [, id = "", domain = ""] = /^<([^<>@\s]+)@([^<>@\s]+)>$/.exec(message_id) ?? [];
  return isId("message", id) && domain.toLowerCase() === domainOf(config.from) ? id : null;
}

function messageOf(
  channel: EmailChannel,
  { raw, envelope, at, truncated }: RawMail,
  email: Email,
  message_id: string | null,
  sign: string | null,
): Omit<IncomingMessage, "text"> {
  const sender = mailAddress(email.from?.address ?? email.from?.group?.[0]?.address) ?? mailAddress(envelope?.from);
  // Without an address that can be answered, it is kept all the same.
  const from = sender ?? "unknown";
  const answered = idsIn(`${email.references ?? ""} ${email.inReplyTo ?? ""}`);
  const references = [...new Set(answered)].slice(-REFERENCES_MAX);
  const provider_id = message_id === null ? hashOf(raw) : mailKey(message_id, from);
  const name = textOf(email.from?.name, 200);
  const subject = textOf(email.subject, 1_000);
  const reply_token = replyTokenOf(channel, recipientsOf(email, envelope?.to ?? []));
  return {
    type: "message",
    provider_id,
    from,
    // A mail that answers nothing begins a conversation of its own.
    thread: provider_id,
    profile: { ...(sender === null ? {} : { email: sender }), ...(name === undefined ? {} : { name }) },
    ...(email.html === undefined ? {} : { html: email.html }),
    ...(subject === undefined ? {} : { subject }),
    // What is cut off would be a broken file.
    attachments: truncated ? [] : email.attachments.slice(0, FILES_MAX).map(fileOf),
    at,
    references: references.flatMap((id) => [id, mailKey(id, from)]),
    detail: {
      ...(message_id === null ? {} : { message_id }),
      ...(references.length === 0 ? {} : { references }),
      ...(sign === null ? {} : { automatic: sign }),
      ...(truncated ? { truncated } : {}),
    },
    automatic: sign !== null,
    ...(reply_token === null ? {} : { reply_token }),
  };
}

const hashOf = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

/** Knows a mail again: by its Message-ID, and by its sender, since anybody can repeat the id of another's mail. */
const mailKey = (message_id: string, from: string) => hashOf(`${message_id}\0${from}`);

const idsIn = (text: string) => text.match(/<[!-;=?-~]{3,250}>/g) ?? [];

async function bodyOf({ text, html }: Email): Promise<string> {
  const words = text?.trim() || (html === undefined ? "" : await textOfHtml(html));
  return (textOf(words, TEXT_LENGTH_MAX) ?? "").replaceAll("\r\n", "\n");
}

/** Everybody whom a mail says that it is for, also after it was forwarded. */
function recipientsOf({ to = [], cc = [], headers }: Email, envelope: readonly string[]): string[] {
  const shown = [...to, ...cc].flatMap(({ address, group = [] }) => [address ?? "", ...group.map((one) => one.address)]);
  const delivered = headers
    .filter(({ key }) => ["delivered-to", "x-original-to", "envelope-to", "x-forwarded-to"].includes(key))
    .flatMap(({ value }) => value.match(/[^\s<>,;]+@[^\s<>,;]+/g) ?? []);
  return [...envelope, ...shown, ...delivered];
}

/** The token in `from+token@…` or, at the service's own listener, in `<token of the channel>+token@…`. */
function replyTokenOf({ config, token }: EmailChannel, recipients: readonly string[]): string | null {
  for (const recipient of recipients) {
    const [, local = "", reply_token = "", domain = ""] = /^([^@]+)\+([0-9a-f]{20})@([^@]+)$/i.exec(recipient) ?? [];
    const ours = `${local}@${domain}`.toLowerCase() === config.from.toLowerCase() || local === token;
    if (ours) return reply_token.toLowerCase();
  }
  return null;
}

function fileOf({ filename, mimeType, content }: Attachment, index: number) {
  const name = textOf((filename ?? "").replaceAll(/[\p{Cc}/\\]+/gu, "_").trim(), 200);
  const media_type = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType) ? mimeType : "application/octet-stream";
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(content as Uint8Array);
  return { name: name ?? `file-${index + 1}`, media_type, bytes };
}
