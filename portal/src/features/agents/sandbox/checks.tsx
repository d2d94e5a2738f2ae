import { ActionIcon, Button, Group, Select, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Problem } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import type { Agent } from "../data.ts";
import { KeepAsTest } from "../suites/keep.tsx";
import { type Chat, scriptOf, testOf } from "./chat.ts";
import { assertionOf, type Check, expected, KINDS, nameOf } from "./checks.ts";
import { type SandboxRun, useRunSandbox } from "./data.ts";
import classes from "./sandbox.module.css";

/** What the conversation has to show. It is had once more from its beginning, and each check passes or fails. */
export function Checks({ agent, chat, writes }: { agent: Agent; chat: Chat; writes: boolean }) {
  const [checks, setChecks] = useState<readonly Check[]>([]);
  const [judged, setJudged] = useState<SandboxRun | null>(null);
  const [keeps, setKeeps] = useState(false);
  const run = useRunSandbox(agent.id);
  const change = (next: readonly Check[]) => {
    setChecks(next);
    setJudged(null);
  };
  const ready =
    checks.length > 0 && chat.runs.length > 0 && checks.every(({ text, kind }) => kind === "handed_off" || text.trim() !== "");
  const assertions = () => checks.map((check) => assertionOf(check, chat.runs));
  const judge = () => {
    run.mutateAsync({ ...scriptOf(chat), assert: assertions() }).then(setJudged, () => setJudged(null));
  };
  return (
    <Section title="Checks" aside={judged && <Verdict run={judged} />}>
      {checks.length === 0 && (
        <p className={`${classes.ask} muted`}>
          Say what has to come of this conversation, and have it once more to see whether it does.
        </p>
      )}
      <ul className={classes.checks}>
        {checks.map((check, index) => (
          <li key={check.id}>
            <CheckFields
              check={check}
              passed={judged?.assertions[index]?.passed}
              change={(values) => change(checks.map((one) => (one === check ? { ...one, ...values } : one)))}
              remove={() => change(checks.filter((one) => one !== check))}
            />
          </li>
        ))}
      </ul>
      <Problem error={run.error} />
      <Group gap={8}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Plus />}
          onClick={() => change([...checks, { id: crypto.randomUUID(), kind: "text_matches", text: "", value: "", holds: true }])}
        >
          Add a check
        </Button>
        {checks.length === 0 && chat.runs.length > 0 && (
          <Button variant="subtle" size="xs" onClick={() => change(expected(chat.runs))}>
            Expect what happened
          </Button>
        )}
        {checks.length > 0 && (
          <Button size="xs" variant="default" loading={run.isPending} disabled={!ready} onClick={judge}>
            Run the checks
          </Button>
        )}
        {writes && ready && (
          <Button size="xs" variant="subtle" onClick={() => setKeeps(true)}>
            Save as a test…
          </Button>
        )}
      </Group>
      {keeps && <KeepAsTest agent={agent} request={{ ...testOf(chat), assert: assertions() }} close={() => setKeeps(false)} />}
    </Section>
  );
}

function Verdict({ run: { status, error } }: { run: SandboxRun }) {
  return (
    <span role="status">
      <State tone={status === "passed" ? "live" : "bad"}>{error ?? status}</State>
    </span>
  );
}

type FieldsProps = { check: Check; passed: boolean | undefined; change(values: Partial<Check>): void; remove(): void };

function CheckFields({ check, passed, change, remove }: FieldsProps) {
  const { kind, text, value, holds } = check;
  return (
    <div className={classes.check}>
      <Select
        className={classes.kind}
        size="xs"
        aria-label="Check"
        allowDeselect={false}
        data={Object.entries(KINDS).map(([of, { name }]) => ({ value: of, label: name }))}
        value={kind}
        onChange={(of) => change({ kind: of as Check["kind"], text: "", value: "" })}
      />
      {kind !== "handed_off" && (
        <TextInput
          className={classes.grows}
          size="xs"
          aria-label={KINDS[kind].asks}
          placeholder={KINDS[kind].asks}
          value={text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value })}
        />
      )}
      {kind === "judge" ? null : kind === "slot" ? (
        <TextInput
          className={classes.whether}
          size="xs"
          aria-label="Its value"
          placeholder="Its value"
          value={value}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        />
      ) : (
        <Select
          className={kind === "handed_off" ? classes.grows : classes.whether}
          size="xs"
          aria-label="Whether"
          allowDeselect={false}
          data={[
            { value: "yes", label: "does" },
            { value: "no", label: "does not" },
          ]}
          value={holds ? "yes" : "no"}
          onChange={(next) => change({ holds: next === "yes" })}
        />
      )}
      <span className={classes.passed}>
        {passed !== undefined && <State tone={passed ? "live" : "bad"}>{passed ? "holds" : "fails"}</State>}
      </span>
      <ActionIcon aria-label={`Remove ${nameOf(check)}`} onClick={remove}>
        <X size={14} />
      </ActionIcon>
    </div>
  );
}
