import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../observe/log.ts";
import type { Services } from "../record/context.ts";
import type { Message } from "./message.ts";
import { type ClaimedMail, claimMail, forgetMail, retryMail } from "./queue.ts";
import type { MailSender } from "./smtp.ts";

/** Makes an e-mail when it is about to be sent; null if there is no reason for it any more. */
export type Compose = (services: Services, about: string, attempt: number) => Promise<Message | null>;

const POLL_EVERY_MS = 1_000;
const CONCURRENT_MAX = 4;
/** Longer than all timeouts of an attempt together. */
const LEASE_MS = 5 * 60_000;
const RETRY_FIRST_MS = 15_000;
const RETRY_LAST_MS = 3_600_000;

export type MailerOptions = {
  services: Services;
  compose: Readonly<Record<string, Compose>>;
  sender: MailSender;
  log: Logger;
};

/**
 * Sends the queued e-mail, at least once: a row is deleted only after the server has accepted it. What fails is tried again, less and
 * less often, until it has expired.
 */
export function createMailer(options: MailerOptions): { start(): void; stop(): Promise<void> } {
  const { services, sender, log } = options;
  const stopping = new AbortController();
  let running = Promise.resolve();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const found = await sendDue(options).catch((error: unknown) => {
        log.warn({ err: error }, "e-mail could not be read; will retry");
        return 0;
      });
      if (found === 0) await sleep(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    sender.close();
  }

  async function sendDue({ compose }: MailerOptions): Promise<number> {
    const now = services.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const claimed = await claimMail(services.db, { now, until, limit: CONCURRENT_MAX });
    await Promise.all(claimed.map((mail) => sendOne(compose[mail.kind], mail)));
    return claimed.length;
  }

  async function sendOne(compose: Compose | undefined, mail: ClaimedMail): Promise<void> {
    const { id, kind, about, attempts, expires_at } = mail;
    try {
      const message = await compose?.(services, about, attempts);
      if (message !== null && message !== undefined) await sender.send(`mail.${id}`, message);
      await forgetMail(services.db, id);
    } catch (error) {
      const now = services.clock.now();
      const due_at = new Date(now.getTime() + Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_LAST_MS));
      const lost = due_at > expires_at || isRefusedAddress(error);
      log[lost ? "error" : "warn"](
        { ...describe(error), mail: { id, kind, attempts } },
        lost ? "e-mail given up" : "e-mail delayed; will retry",
      );
      await (lost
        ? forgetMail(services.db, id)
        : retryMail(services.db, id, due_at, String((error as Error).message).slice(0, 500)));
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

/** Replies of mail servers repeat the address of the recipient, which stays out of the log. */
function describe(error: unknown): object {
  const { code, responseCode, command } = error as Record<"code" | "responseCode" | "command", unknown>;
  return command === undefined ? { err: error } : { smtp: { code, response: responseCode, command } };
}

/** The server will never accept this address. Other refusals, such as that of a login, are the operator's to correct. */
function isRefusedAddress(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return code === "EENVELOPE" && responseCode >= 500;
}
