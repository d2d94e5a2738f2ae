import { Button, Group, Select } from "@mantine/core";
import { Download, Play } from "lucide-react";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Brief, Listed } from "../../../ui/brief.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Content, curl } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { useUrl } from "../../../ui/url.ts";
import shared from "../agents.module.css";
import type { Agent } from "../data.ts";
import type { PartProps } from "../part.ts";
import { plural } from "../words.tsx";
import {
  type AgentTest,
  isUnderWay,
  junitAddress,
  type TestRun,
  type TestRunListed,
  useStartTestRun,
  useTestRun,
  useTestRuns,
  useTests,
} from "./data.ts";
import { EditTest } from "./edit.tsx";
import { TestLine } from "./line.tsx";
import classes from "./suites.module.css";

/** The suite of an agent: red or green, on which version, and what differs from another one. */
export function Tests({ account, agent, writes }: PartProps) {
  const [url, setUrl] = useUrl();
  const tests = useTests(agent.id);
  const runs = useTestRuns(agent.id);
  const chosen = url.run ?? runs.rows[0]?.id;
  const run = useTestRun(chosen).data;
  const edited = tests.data?.find(({ id }) => id === url.edit);
  if (tests.error) return <Failure title="The tests did not load" error={tests.error} retry={tests.refetch} />;
  if (tests.data === undefined) return <Loading />;
  if (tests.data.length === 0) return <NoTests agent={agent} />;
  return (
    <div className={shared.scroll}>
      <Content>
        <Verdict run={run} tests={tests.data} />
        <Start agent={agent} />
        <Section title="Tests" aside={run && `as of the run on version ${run.agent_version}`}>
          <ul className={classes.tests}>
            {tests.data.map((test) => (
              <TestLine
                key={test.id}
                test={test}
                result={run?.results.find(({ test_id }) => test_id === test.id)}
                run={run}
                edit={writes ? () => setUrl({ edit: test.id }, true) : null}
              />
            ))}
          </ul>
        </Section>
        <Section title="Runs">
          <Listed list={runs} what="runs" none="The tests have not run yet.">
            {(rows) => (
              <Brief
                lines={rows.map((row) => ({
                  id: row.id,
                  to: `/crm/${account.id}/agents/${agent.id}?show=tests&run=${row.id}`,
                  what: `Version ${row.agent_version}${row.compare_to === null ? "" : `, compared with ${row.compare_to}`}`,
                  note: <RunState run={row} />,
                  at: row.created_at,
                }))}
              />
            )}
          </Listed>
        </Section>
      </Content>
      {writes && edited && <EditTest key={edited.id} test={edited} close={() => setUrl({ edit: undefined })} />}
    </div>
  );
}

function RunState({ run }: { run: TestRunListed }) {
  if (isUnderWay(run)) return <State tone="wait">{`${run.passed + run.failed} of ${run.total}`}</State>;
  return <State tone={run.status === "passed" ? "live" : "bad"}>{run.failed === 0 ? "green" : `${run.failed} red`}</State>;
}

function Verdict({ run, tests }: { run: TestRun | undefined; tests: readonly AgentTest[] }) {
  if (run === undefined)
    return (
      <Answer>
        <b>{plural(tests.length, "test")}</b>, not run yet
      </Answer>
    );
  const sub = (
    <>
      {run.error && <span>{run.error}</span>}
      {!isUnderWay(run) && (
        <a className="link" href={junitAddress(run.id)} download>
          <Download size={12} aria-hidden /> JUnit
        </a>
      )}
    </>
  );
  return (
    <div role="status">
      <Answer sub={sub}>
        <b>
          {run.passed} of {run.total}
        </b>{" "}
        {run.total === 1 ? "test" : "tests"} {isUnderWay(run) ? "passed so far" : "pass"} on <b>version {run.agent_version}</b>
      </Answer>
    </div>
  );
}

/** Runs all tests on the newest version, beside another one if that is wanted. */
function Start({ agent }: { agent: Agent }) {
  const [url, setUrl] = useUrl();
  const start = useStartTestRun(agent.id);
  const { latest_version, published_version } = agent;
  const others = Array.from({ length: Math.min(latest_version, 20) }, (_, index) => latest_version - index).filter(
    (number) => number !== latest_version,
  );
  if (!useMay()("agents:sandbox")) return null;
  const run = () => {
    const compare = url.compare === undefined ? {} : { compare_to: Number(url.compare) };
    start.mutateAsync({ version: "draft", ...compare }).then(
      ({ id }) => setUrl({ run: id }),
      () => {},
    );
  };
  return (
    <div>
      <Group gap={8} align="end">
        <Button leftSection={<Play />} variant="default" loading={start.isPending} onClick={run}>
          Run on {latest_version === published_version ? "version" : "draft"} {latest_version}
        </Button>
        {others.length > 0 && (
          <Select
            aria-label="Compare with"
            placeholder="Compare with nothing"
            clearable
            data={others.map((number) => ({
              value: String(number),
              label: `Compare with ${number}${number === published_version ? ", published" : ""}`,
            }))}
            value={url.compare ?? null}
            onChange={(compare) => setUrl({ compare: compare ?? undefined })}
          />
        )}
      </Group>
      <Problem error={start.error} />
    </div>
  );
}

function NoTests({ agent }: { agent: Agent }) {
  const [, setUrl] = useUrl();
  const sandbox = useMay()("agents:sandbox");
  return (
    <Empty
      title={`What must ${agent.name} never forget?`}
      action={sandbox && <Button onClick={() => setUrl({ show: "sandbox" }, true)}>Try it in the sandbox</Button>}
      curl={curl(`POST /v1/agents/${agent.id}/tests`, {
        name: "Hands over",
        request: { messages: [{ text: "human" }], assert: [{ type: "handed_off", value: true }] },
      })}
    >
      A test is a conversation and what has to come of it. Talk in the sandbox, add checks and save them as a test; or make one of
      a session that went well. All of them run before a version is published, if you ask for it.
    </Empty>
  );
}
