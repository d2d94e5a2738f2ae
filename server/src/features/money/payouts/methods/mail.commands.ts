import type { Compose } from "../../../../platform/mail/mailer.ts";
import { renderMail } from "../../../../platform/mail/message.ts";
import { queueMail } from "../../../../platform/mail/queue.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { programmeName } from "../../../programme/users/index.ts";
import { ownersOf, recipientOrNull, type ToldMethod, toldMethodOrNull } from "./mail.queries.ts";

const DELIVERED_WITHIN_MS = 7 * 24 * 3_600_000;

type Told = "payout_method_changed" | "payout_method_removed";

/** Tells every owner by e-mail, where the service sends e-mail. */
export async function mailOwners(
  { settings }: Pick<Context, "settings">,
  tx: Tx,
  kind: Told,
  { partner_id, method_id }: { partner_id: string; method_id: string },
): Promise<void> {
  if (!settings.smtp) return;
  const expires_at = new Date(tx.now.getTime() + DELIVERED_WITHIN_MS);
  for (const owner of await ownersOf(tx, partner_id))
    await queueMail(tx, { kind, about: [partner_id, method_id, owner].join(" "), now: tx.now, expires_at });
}

const TEXTS: Record<Told, { did: string; text(method: ToldMethod): string }> = {
  payout_method_changed: {
    did: "changed",
    text: ({ kind, hint, created_at }) =>
      `was changed ${dated(created_at)}. ${kind === "sepa" ? `Payouts now go to the account ${hint}.` : "Payouts are now made by hand, as the new instructions say."}`,
  },
  payout_method_removed: {
    did: "removed",
    text: ({ hint, ended_at }) =>
      `(${hint}) was removed ${ended_at === null ? "" : dated(ended_at)}. Nothing is paid until another one is set.`,
  },
};

const dated = (at: Date) => `on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 16)} UTC`;

/** The e-mails of this feature, by kind. */
export const payoutMethodMails = Object.fromEntries(
  Object.entries(TEXTS).map(([kind, { did, text }]): [string, Compose] => [
    kind,
    async ({ db, settings }, about) => {
      const [partner_id = "", method_id = "", user_id = ""] = about.split(" ");
      const [user, method] = await Promise.all([
        recipientOrNull(db, user_id, partner_id),
        toldMethodOrNull(db, partner_id, method_id),
      ]);
      if (user === null || method === null) return null;
      return renderMail(user.email, {
        programme: programmeName(settings),
        subject: `Payout method of ${user.company} ${did}`,
        paragraphs: [`Hello ${user.name},`, `the payout method of ${user.company} ${text(method)}`],
        action: { label: "See the payout method", url: `${settings.baseUrl()}/portal/earn/payouts` },
        note: "If you did not expect this, somebody may have access who should not: set the right method, and see the audit log for who changed it. All owners get this e-mail.",
      });
    },
  ]),
);
