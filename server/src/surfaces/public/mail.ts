import { channelByToken, type EmailChannel, type Receive, takeMail } from "../../features/inbox/channels/index.ts";
import { networkOf } from "../../platform/http/cidr.ts";
import type { Limit } from "../../platform/limits/limiter.ts";
import { createLocalLimiter } from "../../platform/limits/local.ts";
import { createMailListener, type MailListener } from "../../platform/mail/listener.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { Services } from "../../platform/record/context.ts";

const NETWORK_LIMIT: Limit = { per_minute: 600, burst: 200 };

/** Mail for `<token of a channel>@…`, where other servers deliver or forward it. Nothing is taken for anybody else. */
export function openMailListener(services: Services, receive: Receive, log: Logger): MailListener {
  const { db, sealer, clock, settings } = services;
  const flood = createLocalLimiter();
  const unreadable = (error: unknown) => log.warn({ err: error }, "a mail could not be read and was left out");

  async function channelOf(recipient: string): Promise<EmailChannel | null> {
    const token = recipient.slice(0, recipient.lastIndexOf("@")).split("+")[0] ?? "";
    const channel = await channelByToken(db.byKey, sealer, token);
    return channel?.kind === "email" ? (channel as EmailChannel) : null;
  }

  return createMailListener({
    admits: (address) => flood.take(networkOf(address), NETWORK_LIMIT).admitted,
    knows: async (recipient) => (await channelOf(recipient)) !== null,
    async take({ from, to, raw }) {
      const channels = new Map((await Promise.all(to.map(channelOf))).map((channel) => [channel?.id, channel]));
      const mail = { raw, envelope: { from, to }, at: clock.now(), truncated: false, brand: settings.brand };
      for (const channel of channels.values()) if (channel !== null) await takeMail(services, channel, mail, receive, unreadable);
    },
    delayed: (error) => log.warn({ err: error }, "a mail could not be stored; the sender will try again"),
  });
}
