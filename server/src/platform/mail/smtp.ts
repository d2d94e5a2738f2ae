import type { Transporter } from "nodemailer";
import type { Message } from "./message.ts";

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 30_000;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Where e-mail is handed over, and who it is from. */
export type MailOptions = { url: string; from: string };

export type MailSender = { send(id: string, message: Message): Promise<void>; close(): void };

/**
 * Sends over SMTP. `smtps:` is encrypted from the start, `smtp:` by STARTTLS, which is required, because a server in between could hide
 * it: except on this machine, or with `?tls=off`.
 */
export function createMailSender({ url, from }: MailOptions): MailSender {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  const plain = searchParams.get("tls") === "off";
  let transport: Transporter | null = null;

  async function open(): Promise<Transporter> {
    // Imported lazily: most processes never send e-mail.
    const { createTransport } = await import("nodemailer");
    return createTransport({
      host: hostname.replaceAll(/[[\]]/g, ""),
      port: port === "" ? (secure ? 465 : 587) : Number(port),
      secure,
      ignoreTLS: plain,
      requireTLS: !secure && !plain && !LOOPBACK.has(hostname),
      ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    async send(id, { to, subject, text, html }) {
      transport ??= await open();
      const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? "localhost";
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        subject,
        text,
        html,
        // The same for every attempt, so that a mailbox can recognise an e-mail that arrived twice.
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
    close: () => transport?.close(),
  };
}
