import { isIP } from "node:net";
import type { ReachMail } from "../net/mail-host.ts";
import type { MailLogin } from "./submission.ts";

const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far back a mailbox is read whose numbers begin anew: what was read before is known by its id. */
const AGAIN_DAYS = 3;

/** Longer mails are cut. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024;

export type MailboxLogin = MailLogin & { folder: string };

/** How far a mailbox has been read. Its numbers hold as long as `uid_validity` does; null before the first time. */
export type Position = { uid_validity: number | null; last_uid: number };

export type StoredMail = { raw: Buffer; at: Date; truncated: boolean };

export type Reading = {
  reach: ReachMail;
  now: Date;
  /** Ends the reading at once. */
  signal: AbortSignal;
  /** How many mails are read at most. */
  limit: number;
  /** Takes a mail. What it throws ends the reading, and the mail is read again. */
  take(mail: StoredMail): Promise<void>;
  /** Told of the position after each mail. */
  reached(position: Position): Promise<void>;
};

async function open(reach: ReachMail, { host, port, tls, user, password }: MailLogin) {
  const address = await reach({ host, port, tls });
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host: address,
    port,
    secure: tls === "tls",
    ...(tls === "tls" ? {} : { doSTARTTLS: tls === "starttls" }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
  });
  // What goes wrong is thrown by the call under way.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Whether an error says that the login is refused. */
export const isLoginRefused = (error: unknown) => (error as { authenticationFailed?: boolean }).authenticationFailed === true;

/** Logs in and opens the folder. */
export async function checkMailbox(reach: ReachMail, login: MailboxLogin): Promise<void> {
  const client = await open(reach, login);
  try {
    const lock = await client.getMailboxLock(login.folder, { readOnly: true });
    lock.release();
  } finally {
    client.close();
  }
}

/** Reads what has come into a folder since, in its order, and changes nothing there. The first time it only notes where the folder ends. */
export async function readMailbox(login: MailboxLogin, position: Position, reading: Reading): Promise<void> {
  const { reach, now, signal, limit, take, reached } = reading;
  const client = await open(reach, login);
  const end = () => client.close();
  signal.addEventListener("abort", end);
  try {
    const lock = await client.getMailboxLock(login.folder, { readOnly: true });
    try {
      const { mailbox } = client;
      if (mailbox === false) throw new Error(`the folder ${login.folder} cannot be opened`);
      const uid_validity = Number(mailbox.uidValidity);
      if (position.uid_validity === null) return await reached({ uid_validity, last_uid: mailbox.uidNext - 1 });
      const same = position.uid_validity === uid_validity;
      const last_uid = same ? position.last_uid : 0;
      const wanted = same ? { uid: `${last_uid + 1}:*` } : { since: new Date(now.getTime() - AGAIN_DAYS * DAY_MS) };
      const found = (await client.search(wanted, { uid: true })) || [];
      // The range to the end always has the last mail, also when it is an old one.
      const uids = found.filter((uid) => uid > last_uid).toSorted((a, b) => a - b);
      for (const uid of uids.slice(0, limit)) {
        const mail = await client.fetchOne(
          String(uid),
          { source: { maxLength: MAIL_BYTES_MAX }, size: true, internalDate: true },
          { uid: true },
        );
        if (mail !== undefined && mail !== false && mail.source !== undefined) {
          const at = mail.internalDate instanceof Date ? mail.internalDate : now;
          await take({ raw: mail.source, at, truncated: (mail.size ?? 0) > mail.source.length });
        }
        await reached({ uid_validity, last_uid: uid });
      }
      if (uids.length === 0 && !same) await reached({ uid_validity, last_uid: mailbox.uidNext - 1 });
    } finally {
      lock.release();
    }
  } finally {
    signal.removeEventListener("abort", end);
    client.close();
  }
}
