import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isLoginRefused, readMailbox, type StoredMail } from "../../../../platform/mail/mailbox.ts";
import type { Services } from "../../../../platform/record/context.ts";
import { openChannel } from "../commands.ts";
import type { Receive } from "../hooks.commands.ts";
import { saveError } from "../queries.ts";
import { type ClaimedMailbox, claimMailboxes, deleteMailbox, releaseMailbox, savePosition } from "./mailbox.queries.ts";
import { type RawMail, readMail } from "./parse.ts";
import { type EmailChannel, mailboxOf } from "./wire.ts";

const LOOK_EVERY_MS = 5_000;
const READ_EVERY_MS = 30_000;
const AFTER_FAILURE_MS = 5 * 60_000;
const LEASE_MS = 10 * 60_000;
const CONCURRENT_MAX = 4;
const MAILS_MAX = 100;

export type MailboxReaderOptions = {
  receive: Receive;
  /** Told of an error after which it goes on. */
  delayed(error: unknown): void;
  /** For tests: other times. */
  look_every_ms?: number;
  read_every_ms?: number;
};

/** Reads the mailboxes of e-mail channels, each in one process at a time. A mail is behind it only once it is stored. */
export function createMailboxReader(services: Services, options: MailboxReaderOptions) {
  const { db, clock } = services;
  const { receive, delayed, look_every_ms = LOOK_EVERY_MS, read_every_ms = READ_EVERY_MS } = options;
  const owner = randomBytes(6).toString("hex");
  const stopping = new AbortController();
  let running = Promise.resolve();
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  async function readOne(claimed: ClaimedMailbox): Promise<void> {
    const { partner_id, channel_id } = claimed;
    const opened = await openChannel(db, services.sealer, { partner_id, clients: "all" }, channel_id);
    const channel = opened as EmailChannel | null;
    const login = channel === null || Object.keys(channel.secrets).length === 0 ? null : mailboxOf(channel);
    if (channel === null) return deleteMailbox(db, { partner_id, id: channel_id });
    if (login === null) return releaseMailbox(db, claimed, owner, after(AFTER_FAILURE_MS));
    try {
      await readMailbox(login, claimed, {
        reach: services.outbound.mail,
        now: clock.now(),
        signal: stopping.signal,
        limit: MAILS_MAX,
        take: (mail) =>
          takeMail(services, channel, { ...mail, envelope: null, brand: services.settings.brand }, receive, delayed),
        async reached(position) {
          if (stopping.signal.aborted || !(await savePosition(db, claimed, owner, position))) throw new Ended();
        },
      });
      await releaseMailbox(db, claimed, owner, after(read_every_ms));
    } catch (error) {
      const ended = error instanceof Ended || stopping.signal.aborted;
      if (isLoginRefused(error)) {
        const refused = { code: "imap_login", detail: "The mail server refuses the login of the mailbox.", at: clock.now() };
        await saveError(db, channel, refused, clock.now());
      } else if (!ended) delayed(error);
      await releaseMailbox(db, claimed, owner, ended ? clock.now() : after(AFTER_FAILURE_MS));
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claimed = await claimMailboxes(db, { owner, now: clock.now(), until: after(LEASE_MS) }, CONCURRENT_MAX).catch(
        (error: unknown) => {
          delayed(error);
          return [];
        },
      );
      await Promise.all(claimed.map((mailbox) => readOne(mailbox).catch(delayed)));
      if (claimed.length === 0) await sleep(look_every_ms, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running = loop();
    },
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** The reading ends: the process stops, or another one has the mailbox. */
class Ended extends Error {}

/** Stores what a mail says. One that nobody can read is told of and left behind: it would stop all that come after it. */
export async function takeMail(
  services: Services,
  channel: EmailChannel,
  mail: StoredMail & Pick<RawMail, "envelope" | "brand">,
  receive: Receive,
  unreadable: (error: unknown) => void,
): Promise<void> {
  const items = await readMail(channel, mail).catch((error: unknown) => {
    unreadable(error);
    return [];
  });
  if (items.length > 0) await receive(services, channel, items);
}
