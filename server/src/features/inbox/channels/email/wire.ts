import { checkMailbox, isLoginRefused, type MailboxLogin } from "../../../../platform/mail/mailbox.ts";
import {
  checkSubmission,
  type MailLogin,
  type SmtpFailure,
  smtpFailureOf,
  submitMail,
} from "../../../../platform/mail/submission.ts";
import { EgressRefused } from "../../../../platform/net/egress.ts";
import type { MailHost } from "../../../../platform/net/mail-host.ts";
import type { Check, Net, OpenChannel, Outgoing, Sent } from "../adapter.ts";
import { type FailureClass, withoutAddress } from "../provider.model.ts";

type Server = { host: string; port: number; tls?: MailHost["tls"] };

export type EmailConfig = {
  from: string;
  /** What people see as the sender. */
  name?: string;
  /** Whether the server delivers `from+anything` to `from`, which names the conversation of an answer. Default: true. */
  plus_address?: boolean;
  smtp: Server & { user: string };
  imap?: Server & { user?: string; folder?: string };
};
export type EmailSecrets = { smtp_password: string; imap_password?: string };
export type EmailChannel = OpenChannel<EmailConfig, EmailSecrets>;

/** All files of a message together. */
const FILES_BYTES_MAX = 25 * 1024 * 1024;
const SUBJECT_LENGTH_MAX = 200;
const REFERENCES_MAX = 20;

/** Encrypted from the start on the ports that are for that, else by STARTTLS. */
const tlsOf = ({ tls, port }: Server) => tls ?? (port === 465 || port === 993 ? "tls" : "starttls");

function smtpOf({ config: { smtp }, secrets }: EmailChannel): MailLogin {
  return { host: smtp.host, port: smtp.port, tls: tlsOf(smtp), user: smtp.user, password: secrets.smtp_password };
}

/** The mailbox that a channel reads, if it reads one. Without a login of its own it has that of the sender. */
export function mailboxOf({ config: { imap, smtp }, secrets }: EmailChannel): MailboxLogin | null {
  if (imap === undefined) return null;
  const { host, port, user = smtp.user, folder = "INBOX" } = imap;
  return { host, port, tls: tlsOf(imap), user, password: secrets.imap_password ?? secrets.smtp_password, folder };
}

/** One address in its one form; null for anything that could be read as several, or as none. */
export function mailAddress(text: string | null | undefined): string | null {
  const one = text != null && text.length <= 254 && /^[^\s\p{C}<>@,;:"()[\]\\]+@[^\s\p{C}<>@,;:"()[\]\\]+$/u.test(text);
  return one ? text.toLowerCase() : null;
}

export const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** The Message-ID of one of our messages: the same for every attempt, so that a mailbox knows a second copy. */
export const messageIdOf = (id: string, { config }: EmailChannel) => `<${id}@${domainOf(config.from)}>`;

/** Names the channel in the header `X-<brand>-Origin`. */
export const originHeader = (brand: string) => `X-${brand}-Origin`;

/** The address for answers, which names the conversation. */
function replyTo({ from, plus_address = true }: EmailConfig, reply_token: string): string {
  const at = from.lastIndexOf("@");
  return plus_address ? `${from.slice(0, at)}+${reply_token}${from.slice(at)}` : from;
}

/** Without a subject of its own, a message has the beginning of its text. */
function subjectOf({ subject, text }: Outgoing): string {
  const words = subject ?? text.trim().split("\n")[0] ?? "";
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= SUBJECT_LENGTH_MAX ? line : `${line.slice(0, SUBJECT_LENGTH_MAX - 1).toWellFormed()}…`;
}

/** Sends a message over SMTP. */
export async function sendMail(channel: EmailChannel, message: Outgoing, net: Net): Promise<Sent> {
  const { config } = channel;
  const { id, to, text, html, thread, reply_token, automatic } = message;
  if (message.attachments.reduce((sum, { bytes }) => sum + bytes, 0) > FILES_BYTES_MAX)
    return { result: "permanent", code: "too_large", detail: "The files of an e-mail have at most 25 MiB together." };
  const message_id = messageIdOf(id, channel);
  try {
    const attachments: { name: string; media_type: string; bytes: Buffer }[] = [];
    for (const { name, media_type, read } of message.attachments) attachments.push({ name, media_type, bytes: await read() });
    await submitMail(net.mail, smtpOf(channel), {
      from: { name: config.name ?? "", address: config.from },
      to,
      reply_to: replyTo(config, reply_token),
      subject: subjectOf(message),
      text,
      html,
      message_id,
      in_reply_to: thread.message_id ?? null,
      references: (thread.references ?? []).slice(-REFERENCES_MAX),
      headers: { [originHeader(net.brand)]: channel.id, ...(automatic ? { "Auto-Submitted": "auto-replied" } : {}) },
      attachments,
    });
    return { result: "accepted", provider_id: message_id };
  } catch (error) {
    return failureOf(error, to);
  }
}

function failureOf(error: unknown, to: string): Sent {
  if (error instanceof EgressRefused) return { result: "config", code: "not_allowed", detail: sentence(error.message) };
  const failure = smtpFailureOf(error);
  const { status, code, detail } = failure;
  return {
    result: classOf(failure),
    code: status !== null ? `smtp_${status}` : code === "ETIMEDOUT" ? "timeout" : "no_answer",
    detail: withoutAddress(detail, to),
  };
}

const LOGIN_STATUSES = new Set([530, 534, 535, 538]);

/** A login or a sender that is refused is the channel's fault; of the rest, what begins with 5 stays refused. */
function classOf({ code, status, command }: SmtpFailure): FailureClass {
  if (status === null) return code === "EAUTH" ? "config" : "passing";
  if (status < 500) return "passing";
  return LOGIN_STATUSES.has(status) || code === "EAUTH" || command === "MAIL FROM" ? "config" : "permanent";
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.slice(0, 300);

/** Logs in to the server that sends, and to the mailbox that is read. */
export async function checkMail(channel: EmailChannel, { mail }: Net): Promise<Check> {
  try {
    await checkSubmission(mail, smtpOf(channel));
  } catch (error) {
    const { status, detail } = smtpFailureOf(error);
    return { ok: false, code: status === null ? "smtp_failed" : `smtp_${status}`, detail: sentence(`SMTP: ${detail}`) };
  }
  const login = mailboxOf(channel);
  if (login === null) return { ok: true, code: null, detail: "The server accepts the login for sending." };
  try {
    await checkMailbox(mail, login);
    return { ok: true, code: null, detail: "The servers accept the logins for sending and for reading." };
  } catch (error) {
    const code = isLoginRefused(error) ? "imap_login" : "imap_failed";
    return { ok: false, code, detail: sentence(`IMAP: ${(error as Error).message}`) };
  }
}
