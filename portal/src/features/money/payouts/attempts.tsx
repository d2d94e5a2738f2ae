import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { When } from "../../../ui/when.tsx";
import type { PayoutDetail } from "./data.ts";
import classes from "./payouts.module.css";

type Attempt = PayoutDetail["attempts"][number];

function outcome({ failure, ended_at }: Attempt, { status }: PayoutDetail) {
  if (failure !== null) return <span className={classes.bad}>{failure}</span>;
  if (ended_at === null) return <State tone="wait">{status}</State>;
  return <State tone={status === "paid" ? "live" : "ended"}>{status}</State>;
}

/** Each try to pay, oldest first, and what the bank said. */
export function Attempts({ row }: { row: PayoutDetail }) {
  return (
    <Section title="Attempts" aside={`${row.attempts.length}`}>
      <Rows heads={["Attempt", "To", "Outcome", "·Began", "Ended"]} ends={2}>
        {row.attempts.map((attempt) => (
          <tr key={attempt.attempt}>
            <td>{attempt.attempt}</td>
            <td className="soft">{attempt.method_hint}</td>
            <td>{outcome(attempt, row)}</td>
            <td className="muted" data-desk>
              <When at={attempt.started_at} as="day" />
            </td>
            <td className="muted">
              <When at={attempt.ended_at} as="day" never="–" />
            </td>
          </tr>
        ))}
      </Rows>
    </Section>
  );
}
