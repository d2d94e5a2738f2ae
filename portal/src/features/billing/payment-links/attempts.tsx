import { Button } from "@mantine/core";
import { Listed } from "../../../ui/brief.tsx";
import { money } from "../../../ui/money.tsx";
import { Section } from "../../../ui/section.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { When } from "../../../ui/when.tsx";
import { type Attempt, type PaymentLink, useAttempts } from "./data.ts";
import classes from "./links.module.css";

const STATES: Record<Attempt["state"], { name: string; tone: Tone }> = {
  created: { name: "begun", tone: "wait" },
  pending: { name: "at the provider", tone: "wait" },
  processing: { name: "being processed", tone: "wait" },
  expiring: { name: "being ended", tone: "wait" },
  succeeded: { name: "paid", tone: "live" },
  failed: { name: "failed", tone: "bad" },
  cancelled: { name: "cancelled", tone: "ended" },
  expired: { name: "not completed", tone: "ended" },
};

/** Who has tried to pay, and why it did not work. */
export function Attempts({ link }: { link: PaymentLink }) {
  const list = useAttempts(link.id);
  return (
    <Section title="Attempts" aside="Each begins with a click on the page">
      <Listed list={list} what="attempts" none="Nobody has tried to pay yet.">
        {(rows) => (
          <ul className={classes.attempts}>
            {rows.map(({ id, state, failure, amount_cents, tip_cents, currency, provider, created_at }) => (
              <li key={id}>
                <State tone={STATES[state].tone}>{STATES[state].name}</State>
                <span className="soft">{failure ?? `by ${provider}`}</span>
                <b className="num">{money(amount_cents + tip_cents, currency)}</b>
                <When muted at={created_at} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {list.more && (
        <Button variant="default" size="xs" loading={list.loadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </Section>
  );
}
