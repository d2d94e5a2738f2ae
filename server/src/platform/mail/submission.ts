import { isIP } from "node:net";
import type { SendMailOptions } from "nodemailer";
import type { MailHost, ReachMail } from "../net/mail-host.ts";

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 25_000;

/** A mail server with a login. */
export type MailLogin = MailHost & { user: string; password: string };

/** An e-mail as it is handed over: the envelope is of its own sender and its one recipient. */
export type Submission = {
  from: { name: string; address: string };
  to: string;
  reply_to: string;
  subject: string;
  text: string;
  html: string | null;
  message_id: string;
  in_reply_to: string | null;
  references: readonly string[];
  headers: Readonly<Record<string, string>>;
  attachments: readonly { name: string; media_type: string; bytes: Buffer }[];
};

/** What a server said instead of taking an e-mail. `command` is what it refused. */
export type SmtpFailure = { code: string; status: number | null; command: string; detail: string };

/** Of an error of a submission, what the server or the connection says. */
export function smtpFailureOf(error: unknown): SmtpFailure {
  const { code = "", responseCode, command = "", response, message } = error as Record<string, unknown> & Error;
  const status = typeof responseCode === "number" ? responseCode : null;
  return { code: String(code), status, command: String(command), detail: String(response ?? message) };
}

/** A connection of its own, to the address that the egress has vetted; certificates are those of the name. */
async function open(reach: ReachMail, { host, port, tls, user, password }: MailLogin) {
  const address = await reach({ host, port, tls });
  // Imported lazily: most processes never send e-mail.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: address,
    port,
    secure: tls === "tls",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    tls: isIP(host) === 0 ? { servername: host } : {},
    auth: { user, pass: password },
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Hands an e-mail over. Throws what `smtpFailureOf` reads. */
export async function submitMail(reach: ReachMail, login: MailLogin, mail: Submission): Promise<void> {
  const transport = await open(reach, login);
  const content: SendMailOptions = {
    from: mail.from,
    to: { name: "", address: mail.to },
    envelope: { from: mail.from.address, to: [mail.to] },
    replyTo: mail.reply_to,
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    messageId: mail.message_id,
    ...(mail.in_reply_to === null ? {} : { inReplyTo: mail.in_reply_to }),
    references: [...mail.references],
    headers: { ...mail.headers },
    attachments: mail.attachments.map(({ name, media_type, bytes }) => ({
      filename: name,
      contentType: media_type,
      content: bytes,
    })),
  };
  try {
    await transport.sendMail(content);
  } finally {
    transport.close();
  }
}

/** Logs in, and sends nothing. */
export async function checkSubmission(reach: ReachMail, login: MailLogin): Promise<void> {
  const transport = await open(reach, login);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
