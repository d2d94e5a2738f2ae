import type { AddressInfo } from "node:net";
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import { MAIL_BYTES_MAX } from "./mailbox.ts";

const CLIENTS_MAX = 100;
const RECIPIENTS_MAX = 20;
const IDLE_MS = 60_000;
const CLOSE_WITHIN_MS = 5_000;

/** A mail as another server hands it over. */
export type ArrivedMail = { from: string; to: readonly string[]; raw: Buffer };

export type ListenerRules = {
  /** Whether a server with this address may speak at the moment. */
  admits(address: string): boolean;
  /** Whether mail for an address is taken: everything else is refused, so nothing is ever relayed. */
  knows(recipient: string): Promise<boolean>;
  /** Stores a mail. What it throws has the other server try again. */
  take(mail: ArrivedMail): Promise<void>;
  /** Told of what `knows` and `take` throw. */
  delayed(error: unknown): void;
};

export type MailListener = { listen(host: string, port: number): Promise<number>; close(): Promise<void> };

const refusal = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

/** Accepts mail over SMTP for recipients that are known, without logins. */
export function createMailListener(rules: ListenerRules): MailListener {
  let server: SMTPServer | null = null;
  return {
    async listen(host, port) {
      // Imported lazily: few processes listen.
      const smtp = await import("smtp-server");
      const opened = new smtp.SMTPServer(optionsOf(rules));
      // Errors of single connections: the other server sees them, too. Those of listening are rejected below.
      opened.on("error", () => undefined);
      server = opened;
      await new Promise<void>((resolve, reject) => {
        opened.server.once("error", reject);
        opened.listen(port, host, resolve);
      });
      return (opened.server.address() as AddressInfo).port;
    },
    close: () => new Promise((resolve) => (server === null ? resolve() : server.close(() => resolve()))),
  };
}

function optionsOf({ admits, knows, take, delayed }: ListenerRules): SMTPServerOptions {
  const later = (error: unknown) => {
    delayed(error);
    return refusal(451, "4.3.0 Please try again later");
  };
  return {
    authOptional: true,
    disabledCommands: ["AUTH"],
    disableReverseLookup: true,
    logger: false,
    size: MAIL_BYTES_MAX,
    maxClients: CLIENTS_MAX,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_WITHIN_MS,
    onConnect: ({ remoteAddress }, done) =>
      admits(remoteAddress) ? done() : done(refusal(421, "4.7.0 Too many connections, please try again later")),
    onRcptTo({ address }, { envelope }, done) {
      if (envelope.rcptTo.length >= RECIPIENTS_MAX) return done(refusal(452, "4.5.3 Too many recipients"));
      knows(address).then(
        (known) => (known ? done() : done(refusal(550, "5.1.1 No such mailbox here"))),
        (error) => done(later(error)),
      );
    },
    onData(stream, session, done) {
      receive(stream, session, take).then(
        (kept) => (kept ? done() : done(refusal(552, "5.3.4 The message is too large"))),
        (error) => done(later(error)),
      );
    },
  };
}

/** Reads a mail to its end, and has it stored unless it is too large. */
async function receive(
  stream: SMTPServerDataStream,
  { envelope: { mailFrom, rcptTo } }: SMTPServerSession,
  take: ListenerRules["take"],
): Promise<boolean> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= MAIL_BYTES_MAX) pieces.push(piece);
  }
  if (bytes > MAIL_BYTES_MAX) return false;
  const from = mailFrom === false ? "" : mailFrom.address;
  await take({ from, to: rcptTo.map(({ address }) => address), raw: Buffer.concat(pieces) });
  return true;
}
