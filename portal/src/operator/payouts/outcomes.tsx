import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useRef, useState } from "react";
import { Problem } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Section } from "../../ui/section.tsx";
import operator from "../operator.module.css";
import { PastedTable } from "../pasted.tsx";
import { HEADER, outcomesOf, type Parsed } from "./csv.ts";
import { OUTCOMES_MAX, type OutcomesResult, type Payout, useOutcomes, useOutcomesPreview } from "./data.ts";
import { Results } from "./results.tsx";
import { plural } from "./words.tsx";

const EXAMPLE = `${HEADER}\npay_01…,paid,TRB-2026-11-0001,\npay_01…,failed,,Account closed`;
const NONE: Parsed = { outcomes: [], faults: [] };

/** Outcomes from a table: pasted or chosen, tried without a change, then reported in one request. */
export function OutcomesFile({ known, close }: { known: readonly Payout[]; close(): void }) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 300);
  const [result, setResult] = useState<OutcomesResult | null>(null);
  const send = useOutcomes();
  const key = useRef(crypto.randomUUID());
  const { outcomes, faults } = useMemo(() => (settled.trim() === "" ? NONE : outcomesOf(settled)), [settled]);
  const ready = faults.length === 0 && outcomes.length <= OUTCOMES_MAX && result === null;
  const preview = useOutcomesPreview(ready ? outcomes : NONE.outcomes);
  const change = (next: string) => {
    key.current = crypto.randomUUID();
    setText(next);
    setResult(null);
  };
  const report = () => send.mutateAsync({ outcomes, key: key.current }).then(setResult, () => undefined);
  const changing = ready && text === settled ? (preview.data?.changed ?? 0) : 0;
  const tooMany =
    outcomes.length > OUTCOMES_MAX ? [`At most ${OUTCOMES_MAX} outcomes at once; there are ${outcomes.length}.`] : [];
  return (
    <Panel
      title="Report outcomes"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            {result ? "Close" : "Cancel"}
          </Button>
          {result === null && (
            <Button loading={send.isPending} disabled={changing === 0} onClick={() => void report()}>
              {changing === 0 ? "Report outcomes" : `Report ${plural(changing, "outcome")}`}
            </Button>
          )}
        </>
      }
    >
      <div className={operator.fields}>
        <PastedTable
          description="With the names of the columns in the first line. The outcome is paid or failed; a failed one needs the reason"
          placeholder={EXAMPLE}
          minRows={6}
          value={text}
          change={change}
          faults={[...tooMany, ...faults]}
        />
        <Problem error={send.error ?? preview.error} />
        {result ? (
          <Section title={countsOf(result, "changed", "refused")}>
            <Results done result={result} outcomes={outcomes} known={known} />
          </Section>
        ) : (
          ready && outcomes.length > 0 && <Preview data={preview.data} outcomes={outcomes} known={known} />
        )}
      </div>
    </Panel>
  );
}

/** "3 will change, 1 would be refused": what is none is left out. */
const countsOf = ({ changed, unchanged, failed }: OutcomesResult, change: string, refuse: string) =>
  [`${changed} ${change}`, unchanged > 0 && `${unchanged} as before`, failed > 0 && `${failed} ${refuse}`]
    .filter(Boolean)
    .join(", ");

type PreviewProps = { data: OutcomesResult | undefined; outcomes: Parsed["outcomes"]; known: readonly Payout[] };

function Preview({ data, outcomes, known }: PreviewProps) {
  if (data === undefined) return <Loading rows={3} />;
  return (
    <Section title={countsOf(data, "will change", "would be refused")}>
      <Results done={false} result={data} outcomes={outcomes} known={known} />
      {data.failed > 0 && <p className="muted">What is refused stays as it is; the other lines count.</p>}
    </Section>
  );
}
