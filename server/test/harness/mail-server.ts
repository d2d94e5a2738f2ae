import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { eventually } from "../postgres/processes.ts";

/** An e-mail as a mail server got it: the envelope, the headers, and the decoded text. */
export type Received = { from: string; to: string[]; raw: string; headers: Record<string, string>; text: string; tls: boolean };

export type MailServer = {
  url: string;
  received: Received[];
  /** Refuses that many of the next e-mails, at the end of their data. */
  refuse(count: number): void;
  /** The e-mails to an address, once there are so many. */
  to(address: string, count?: number): Promise<Received[]>;
  close(): Promise<void>;
};

/** A real SMTP server on a free port of this machine. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ["STARTTLS"] : [],
    disableReverseLookup: true,
    closeTimeout: 100,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refused > 0) {
          refused -= 1;
          done(Object.assign(new Error("busy"), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const raw = Buffer.concat(chunks).toString();
        received.push({ from, to: rcptTo.map(({ address }) => address), raw, ...parse(raw), tls: session.secure });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${options.secure === true ? "smtps" : "smtp"}://127.0.0.1:${port}`,
    received,
    refuse(count) {
      refused = count;
    },
    to: (address, count = 1) =>
      eventually(`${count} e-mails to ${address}`, () => {
        const found = received.filter(({ to }) => to.includes(address));
        return found.length >= count ? found : null;
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The headers, and the plain text of the first part. */
function parse(raw: string): { headers: Record<string, string>; text: string } {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => [line.split(":")[0]?.toLowerCase(), line.slice(line.indexOf(":") + 2)]));
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const body = rest.join("\r\n\r\n").split(`--${boundary}`)[1] ?? "";
  const [partHead = "", ...part] = body.split("\r\n\r\n");
  const encoded = part.join("\r\n\r\n");
  const text = /quoted-printable/i.test(partHead)
    ? encoded
        .replaceAll("=\r\n", "")
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : encoded;
  return { headers, text };
}
