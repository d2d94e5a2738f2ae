import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Money, money } from "../../ui/money.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "../operator.module.css";
import { type Simulation, useSimulate } from "./data.ts";
import { bodyOf, type RuleValues } from "./values.ts";

const PERIODS = [
  { value: "30", label: "the last 30 days" },
  { value: "90", label: "the last 90 days" },
  { value: "365", label: "the last year" },
];
const DAY_MS = 86_400_000;

/** A rule is tried before it has a name. */
function simulated(values: RuleValues) {
  const rule = bodyOf(values);
  return { ...rule, name: rule.name.trim() || "New rule" };
}

/** Before it is saved: what the rule would have paid for the charges of a time, beside what was paid. */
export function Simulate({ values, rule_id }: { values: RuleValues; rule_id?: string }) {
  const [days, setDays] = useState("365");
  const [told, setTold] = useState("");
  const simulate = useSimulate();
  const rule = simulated(values);
  const asked = JSON.stringify([rule, days]);
  const run = () => {
    const to = new Date();
    const from = new Date(to.getTime() - Number(days) * DAY_MS);
    setTold(asked);
    simulate.mutate({ rule, from: from.toISOString(), to: to.toISOString(), ...(rule_id ? { rule_id } : {}) });
  };
  const unready = (values.scope === "grade" && !values.grade) || (values.scope === "partner" && !values.partner_id);
  return (
    <Section title="What it would have paid">
      <div className={classes.period}>
        <Select
          aria-label="For the charges of"
          allowDeselect={false}
          data={PERIODS}
          value={days}
          onChange={(value) => setDays(value ?? "365")}
        />
        <Button variant="default" loading={simulate.isPending} disabled={unready} onClick={run}>
          Simulate
        </Button>
      </div>
      <Problem error={simulate.error} />
      {simulate.data === undefined ? (
        <p className="muted">
          {unready
            ? "Choose whom the rule is for."
            : "Looks at charges that were reported, as if the rule had been in force. Nothing is written."}
        </p>
      ) : (
        <div aria-live="polite" data-stale={told !== asked || undefined} className={classes.simulation}>
          <Totals result={simulate.data} />
          {told !== asked && <p className="muted">The form has changed since. Simulate again.</p>}
        </div>
      )}
    </Section>
  );
}

/** A difference says its direction. */
const signed = (cents: number, currency: string) => `${cents > 0 ? "+" : ""}${money(cents, currency)}`;

function Totals({ result: { totals, data, complete } }: { result: Simulation }) {
  if (totals.length === 0) return <p className="soft">No charge of that time is concerned.</p>;
  return (
    <>
      {totals.map(({ currency, charges, current_cents, simulated_cents, difference_cents }) => (
        <dl key={currency} className={classes.totals}>
          <div>
            <dt>
              Paid for {charges} charge{charges === 1 ? "" : "s"}
            </dt>
            <dd>
              <Money cents={current_cents} currency={currency} />
            </dd>
          </div>
          <div>
            <dt>Would have paid</dt>
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
      <Changed rows={data} />
      <p className="muted">
        Less refunds, without overrides.
        {!complete && " There were more charges than could be looked at: these are the first of them."}
      </p>
    </>
  );
}

const SHOWN = 6;

/** The charges whose commission would differ most. */
function Changed({ rows }: { rows: Simulation["data"] }) {
  const changed = rows
    .filter(({ difference_cents }) => difference_cents !== 0)
    .toSorted((one, other) => Math.abs(other.difference_cents) - Math.abs(one.difference_cents))
    .slice(0, SHOWN);
  if (changed.length === 0) return null;
  return (
    <Rows heads={["Client", "Paid", "Difference"]} ends={2}>
      {changed.map(({ charge_id, client_company, current_cents, difference_cents, currency }) => (
        <tr key={charge_id}>
          <td>
            <Link className="link" to={`/charges/${charge_id}`}>
              {client_company}
            </Link>
          </td>
          <td className="muted">{money(current_cents, currency)}</td>
          <td className="strong">{signed(difference_cents, currency)}</td>
        </tr>
      ))}
    </Rows>
  );
}
