import type { components } from "@tributary/sdk";
import type { ReactNode } from "react";
import { Link } from "./link.tsx";
import { Money, money } from "./money.tsx";
import { Rows } from "./rows.tsx";
import classes from "./simulation.module.css";
import { day } from "./when.tsx";

type SimulationResult = components["schemas"]["SimulationResult"];

/** The times whose charges can be looked at. */
export const PERIODS = [
  { value: "30", label: "the last 30 days" },
  { value: "90", label: "the last 90 days" },
  { value: "365", label: "the last year" },
];

const DAY_MS = 86_400_000;

/** A time of some days until now. */
export function periodOf(days: string): { from: string; to: string } {
  const to = new Date();
  return { from: new Date(to.getTime() - Number(days) * DAY_MS).toISOString(), to: to.toISOString() };
}

/** What is simulated, and the button. */
export function SimulationBar({ children }: { children: ReactNode }) {
  return <div className={classes.bar}>{children}</div>;
}

type Props = {
  result: SimulationResult;
  stale: boolean;
  /** How it is said: the programme paid it, a partner earned it. */
  verb: "paid" | "earned";
  to: (charge_id: string) => string;
};

/** What charges would have earned, beside what they earned. */
export function Simulated({ result, stale, verb, to }: Props) {
  return (
    <div aria-live="polite" data-stale={stale || undefined} className={classes.simulation}>
      <Totals result={result} verb={verb} to={to} />
      {stale && <p className="muted">The form has changed since. Simulate again.</p>}
    </div>
  );
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A difference says its direction. */
const signed = (cents: number, currency: string) => `${cents > 0 ? "+" : ""}${money(cents, currency)}`;

function Totals({ result: { totals, data, complete }, verb, to }: Omit<Props, "stale">) {
  if (totals.length === 0) return <p className="soft">No charge of that time is concerned.</p>;
  return (
    <>
      {totals.map(({ currency, charges, current_cents, simulated_cents, difference_cents }) => (
        <dl key={currency} className={classes.totals}>
          <div>
            <dt>
              {capital(verb)} for {charges} charge{charges === 1 ? "" : "s"}
            </dt>
            <dd>
              <Money cents={current_cents} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>Would have {verb}</dt>
            <dd>
              <Money cents={simulated_cents} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>Difference</dt>
            <dd>
              <b>{signed(difference_cents, currency)}</b>
            </dd>
          </div>
        </dl>
      ))}
      <Changed rows={data} verb={verb} to={to} />
      <p className="muted">
        Less refunds, without overrides.
        {!complete && " There were more charges than could be looked at: these are the first of them."}
      </p>
    </>
  );
}

const SHOWN = 6;

/** The charges whose commission would differ most. */
function Changed({ rows, verb, to }: { rows: SimulationResult["data"] } & Pick<Props, "verb" | "to">) {
  const changed = rows
    .filter(({ difference_cents }) => difference_cents !== 0)
    .toSorted((one, other) => Math.abs(other.difference_cents) - Math.abs(one.difference_cents))
    .slice(0, SHOWN);
  if (changed.length === 0) return null;
  return (
    <Rows heads={["Charge", capital(verb), "Difference"]} ends={2}>
      {changed.map(({ charge_id, client_company, charged_at, current_cents, difference_cents, currency }) => (
        <tr key={charge_id}>
          <td data-name>
            <Link className="link" to={to(charge_id)}>
              {client_company}
            </Link>
            <span className="muted">{day(charged_at)}</span>
          </td>
          <td className="muted">{money(current_cents, currency)}</td>
          <td className="strong">{signed(difference_cents, currency)}</td>
        </tr>
      ))}
    </Rows>
  );
}
