import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { Problem } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { PERIODS, periodOf, Simulated, SimulationBar } from "../../../ui/simulation.tsx";
import type { Standing, Tier } from "./data.ts";
import { useSimulate } from "./simulate.data.ts";

/** What the charges of a time would have earned with another grade. */
export function Simulate({ tiers, standing }: { tiers: readonly Tier[]; standing: Standing }) {
  const [grade, setGrade] = useState(standing.next?.grade ?? standing.grade);
  const [days, setDays] = useState("365");
  const [told, setTold] = useState("");
  const simulate = useSimulate();
  const asked = `${grade} ${days}`;
  const run = () => {
    setTold(asked);
    simulate.mutate({ grade, ...periodOf(days) });
  };
  return (
    <Section title="What would I have earned?">
      <Select
        label="As a partner of the tier"
        allowDeselect={false}
        data={tiers.map((tier) => ({ value: tier.grade, label: tier.name }))}
        value={grade}
        onChange={(value) => setGrade(value ?? grade)}
        mb={8}
      />
      <SimulationBar>
        <Select
          aria-label="For the charges of"
          allowDeselect={false}
          data={PERIODS}
          value={days}
          onChange={(value) => setDays(value ?? days)}
        />
        <Button variant="default" loading={simulate.isPending} onClick={run}>
          Simulate
        </Button>
      </SimulationBar>
      <Problem error={simulate.error} />
      {simulate.data === undefined ? (
        <p className="muted">Looks at what your clients paid, by the rules of today. Nothing is written.</p>
      ) : (
        <Simulated
          result={simulate.data}
          stale={told !== asked}
          verb="earned"
          to={(charge_id) => `/earn/charges?open=${charge_id}`}
        />
      )}
    </Section>
  );
}
