import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { PERIODS, periodOf, Simulated, SimulationBar } from "../../ui/simulation.tsx";
import { useSimulate } from "./data.ts";
import { bodyOf, type RuleValues } from "./values.ts";

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
    setTold(asked);
    simulate.mutate({ rule, ...periodOf(days), ...(rule_id ? { rule_id } : {}) });
  };
  const unready =
    (values.scope === "grade" && !values.grade) ||
    (values.scope === "partner" && !values.partner_id) ||
    (values.scope === "link" && !values.link_id);
  return (
    <Section title="What it would have paid">
      <SimulationBar>
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
      </SimulationBar>
      <Problem error={simulate.error} />
      {simulate.data === undefined ? (
        <p className="muted">
          {unready
            ? "Choose whom the rule is for."
            : "Looks at charges that were reported, as if the rule had been in force. Nothing is written."}
        </p>
      ) : (
        <Simulated result={simulate.data} stale={told !== asked} verb="paid" to={(charge_id) => `/charges/${charge_id}`} />
      )}
    </Section>
  );
}
