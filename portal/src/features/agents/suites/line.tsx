import { Button } from "@mantine/core";
import { Tag } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { DiffLines } from "../diff.tsx";
import { formatJson } from "../editor/json.ts";
import { assertionWords } from "../sandbox/checks.ts";
import type { SandboxAssertion } from "../sandbox/data.ts";
import { plural } from "../words.tsx";
import { type AgentTest, isUnderWay, type TestResult, type TestRun } from "./data.ts";
import classes from "./suites.module.css";

type Props = { test: AgentTest; result: TestResult | undefined; run: TestRun | undefined; edit: (() => void) | null };

/** A test with its result in the run that is shown. It opens itself where it is red. */
export function TestLine({ test, result, run, edit }: Props) {
  const { name, request } = test;
  const differs = result?.compared?.differences.length ?? 0;
  return (
    <li>
      <details open={result?.passed === false || undefined}>
        <summary>
          <span className={classes.state}>
            {result ? (
              <State tone={result.passed ? "live" : "bad"}>{result.passed ? "green" : "red"}</State>
            ) : (
              <State tone="ended">{run && isUnderWay(run) ? "waits" : "not run"}</State>
            )}
          </span>
          <b className="cut">{name}</b>
          {differs > 0 && <Tag>{plural(differs, "difference")}</Tag>}
          <span className="muted only-desk">
            {request.mode === "simulate" ? "a simulated person" : plural(request.messages?.length ?? 0, "message")},{" "}
            {plural(request.assert?.length ?? 0, "check")}
          </span>
        </summary>
        <div className={classes.opened}>
          {result?.error && <p className={classes.broken}>{result.error}</p>}
          <Asserted test={test} result={result} />
          <Conversation test={test} result={result} />
          {result?.compared && (
            <>
              <h3>Compared with version {run?.compare_to}</h3>
              <DiffLines changes={result.compared.differences} />
            </>
          )}
          {edit && (
            <Button variant="default" size="xs" onClick={edit}>
              Edit test
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

function Asserted({ test, result }: { test: AgentTest; result: TestResult | undefined }) {
  const checks = test.request.assert ?? [];
  const failed = new Set(result?.failures.map((failure) => formatJson(assertionIn(failure))));
  if (checks.length === 0) return <p className="muted">It passes if the conversation comes to its end.</p>;
  return (
    <ul className={classes.asserted}>
      {checks.map((check) => (
        <li key={formatJson(check)}>
          {result && (
            <State tone={failed.has(formatJson(check)) ? "bad" : "live"}>
              {failed.has(formatJson(check)) ? "fails" : "holds"}
            </State>
          )}
          <span>{assertionWords(check)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A failure is the assertion, or has it. */
const assertionIn = (failure: object): SandboxAssertion =>
  ("assertion" in failure ? failure.assertion : failure) as SandboxAssertion;

function Conversation({ test, result }: { test: AgentTest; result: TestResult | undefined }) {
  const written = test.request.messages?.map(({ text }) => text).join(" · ");
  return (
    <dl className={classes.talk}>
      <div>
        <dt>The person writes</dt>
        <dd>{written ?? "Simulated"}</dd>
      </div>
      {result && result.said.length > 0 && (
        <div>
          <dt>The agent said</dt>
          <dd>{result.said.join(" · ")}</dd>
        </div>
      )}
    </dl>
  );
}
