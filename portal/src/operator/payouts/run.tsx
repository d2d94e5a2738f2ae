import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link, useGo } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Loaded, Page, PhoneActs } from "../../ui/page.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { day, time, When } from "../../ui/when.tsx";
import { Chosen } from "./chosen.tsx";
import { exportHref, usePayouts } from "./data.ts";
import { BankFiles, MakeFile } from "./files.tsx";
import { OutcomesFile } from "./outcomes.tsx";
import classes from "./payouts.module.css";
import { oneRequest, type Run, useRun } from "./runs.data.ts";
import { columns, filterOf, PayoutLines, STATUS_TABS } from "./table.tsx";
import { plural, RunState, rankOf, reasonOf, TRIGGERS, totalsText } from "./words.tsx";

const TRAIL = [["Payout runs", "/payout-runs"]] as const;

export default function OneRun() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRun(id);
  if (data !== undefined) return <Shown run={data} />;
  return (
    <Page title="Payout run" trail={TRAIL}>
      {error ? <Failure title="The run did not load" error={error} retry={refetch} /> : <Loading />}
    </Page>
  );
}

function Shown({ run }: { run: Run }) {
  const [url, setUrl] = useUrl();
  const go = useGo();
  const running = run.state === "running";
  const filter = { ...filterOf(url), run_id: run.id };
  const list = usePayouts(filter);
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen = list.rows.filter(({ id }) => ids.includes(id));
  const name = `Run of ${day(run.created_at)}`;
  return (
    <Page
      title={
        <>
          <span className="cut">{name}</span> <RunState run={run} />
        </>
      }
      name={name}
      fill
      trail={TRAIL}
      api={oneRequest(run.id)}
      foot={<Loaded list={list} />}
      actions={!running && <Actions />}
    >
      <Table
        label="Payouts"
        columns={columns(true)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.partner_company}
        onOpen={(row) => go(`/payouts/${row.id}`)}
        selection={{ ids, set: setIds, phone: true }}
        phone={(row) => <PayoutLines row={row} />}
        above={
          <>
            <Above run={run} />
            <Bar>
              <Tabs
                label="State"
                value={url.status ?? ""}
                tabs={STATUS_TABS}
                onChange={(status) => {
                  setIds([]);
                  setUrl({ status });
                }}
              />
              <Export href={exportHref(filter)} />
            </Bar>
          </>
        }
        empty={<NoPayout running={running} filtered={url.status !== undefined} />}
      />
      <Chosen chosen={chosen} clear={() => setIds([])} />
      {url.do === "file" && <MakeFile run={run} close={() => setUrl({ do: undefined })} />}
      {url.do === "outcomes" && <OutcomesFile known={list.rows} close={() => setUrl({ do: undefined })} />}
    </Page>
  );
}

function Actions() {
  const [, setUrl] = useUrl();
  return (
    <>
      <Button variant="default" onClick={() => setUrl({ do: "outcomes" }, true)}>
        Report outcomes…
      </Button>
      <Button onClick={() => setUrl({ do: "file" }, true)}>Make a bank file…</Button>
    </>
  );
}

function Above({ run }: { run: Run }) {
  return (
    <div className={classes.above}>
      <Sentence run={run} />
      {run.state !== "running" && (
        <PhoneActs>
          <Actions />
        </PhoneActs>
      )}
      {run.state === "running" ? (
        <div className={classes.progress}>
          <Progress label="Partners processed" value={run.partners_total === 0 ? 0 : run.partners_done / run.partners_total} />
          <span className="muted">
            {run.partners_done} of {plural(run.partners_total, "partner")}. It goes on when you leave this page.
          </span>
        </div>
      ) : (
        <div className={classes.two}>
          <BankFiles run_id={run.id} />
          <Blocked run={run} />
        </div>
      )}
    </div>
  );
}

function Sentence({ run }: { run: Run }) {
  const payouts = run.scheduled.reduce((sum, total) => sum + total.payouts, 0);
  return (
    <Answer
      sub={
        <>
          <span>
            Started {TRIGGERS[run.trigger]} <When at={run.created_at} as="since" />
          </span>
          <span>
            due by {day(run.cutoff)}, {time(run.cutoff)}
          </span>
          <span>to be paid on {day(run.scheduled_for)}</span>
          <Id>{run.id}</Id>
        </>
      }
    >
      <b>{totalsText(run.scheduled, "Nothing")}</b> {run.state === "running" ? "scheduled so far" : "scheduled"}
      {payouts > 0 && (
        <>
          {" "}
          in <b>{plural(payouts, "payout")}</b>
        </>
      )}
    </Answer>
  );
}

function Blocked({ run: { blocked } }: { run: Run }) {
  return (
    <Section
      title="Blocked"
      aside={
        blocked.length > 0 && (
          <Link className="link" to="/payout-runs/new?show=blocked">
            Who is blocked now
          </Link>
        )
      }
    >
      {blocked.length === 0 ? (
        <p className="muted">Nobody was.</p>
      ) : (
        <Rows heads={["Why", "Partners"]} ends={1}>
          {blocked
            .toSorted((one, other) => rankOf(one.code) - rankOf(other.code))
            .map(({ code, partners }) => (
              <tr key={code}>
                <td>{reasonOf(code).name}</td>
                <td className="strong">{partners}</td>
              </tr>
            ))}
        </Rows>
      )}
    </Section>
  );
}

function NoPayout({ running, filtered }: { running: boolean; filtered: boolean }) {
  return (
    <p className={classes.none}>
      {filtered
        ? "No payout of the run is in this state."
        : running
          ? "Payouts appear here as the run schedules them."
          : "The run paid nobody: what blocked it stands above."}
    </p>
  );
}
