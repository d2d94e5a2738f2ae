import { Link } from "../../../ui/link.tsx";
import { Section } from "../../../ui/section.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { day, When } from "../../../ui/when.tsx";
import type { Account } from "../../crm/records/data.ts";
import type { PaymentLink } from "./data.ts";
import classes from "./links.module.css";
import { CHANNELS } from "./send.tsx";

const TONES: Record<string, Tone> = { delivered: "live", read: "live", sent: "live", failed: "bad", cancelled: "ended" };

const reasonOf = (reason: string | null) => reason?.replaceAll("_", " ");

/** With which messages the customer was asked, what became of them, and when the next reminder goes out. */
export function Deliveries({ account, link }: { account: Account; link: PaymentLink }) {
  const { deliveries, reminders } = link;
  const next = reminders.find(({ state }) => state === "planned");
  const skipped = reminders.filter(({ state }) => state === "skipped");
  return (
    <Section title="Messages" aside={next && `The next reminder goes out on ${day(next.at)}`}>
      {deliveries.length === 0 && skipped.length === 0 && (
        <p className="muted">It was not sent from here. Copy the link, or send it.</p>
      )}
      <ul className={classes.attempts}>
        {deliveries.map(({ message_id, conversation_id, channel, reminder, status, created_at }) => (
          <li key={message_id}>
            <State tone={TONES[status] ?? "wait"}>{status}</State>
            <Link className="link" to={`/crm/${account.id}/inbox/${conversation_id}`}>
              {reminder ? "Reminder" : "The link"} by {CHANNELS[channel].name}
            </Link>
            <span />
            <When muted at={created_at} />
          </li>
        ))}
        {skipped.map(({ at, reason }) => (
          <li key={at}>
            <State tone="ended">skipped</State>
            <span className="soft">Reminder: {reasonOf(reason)}</span>
            <span />
            <When muted at={at} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
