import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Pause, Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Answer, Blocker } from "../../ui/answer.tsx";
import { Export } from "../../ui/bar.tsx";
import { Listed } from "../../ui/brief.tsx";
import { Stack, Swatch } from "../../ui/charts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Link } from "../../ui/link.tsx";
import { Page, Split } from "../../ui/page.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { useSnapshot } from "./data.ts";
import { doneOf, partsOf, RolloutState, targetText } from "./rollout-words.tsx";
import {
  type Act,
  exportAddress,
  isMoving,
  type Member,
  oneRequest,
  type Rollout,
  useMembers,
  useMoveRollout,
  useRollout,
} from "./rollouts.data.ts";
import classes from "./rollouts.module.css";
import { DeploymentState, POLICIES, plural } from "./words.tsx";

const TRAIL = [["Rollouts", "/snapshots/rollouts"]] as const;

/** How far is it, and does anything fail? */
export default function OneRollout() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useRollout(id);
  return query.data === undefined ? <Waiting title="Rollout" trail={TRAIL} query={query} /> : <Shown rollout={query.data} />;
}

function Shown({ rollout }: { rollout: Rollout }) {
  const { data: snapshot } = useSnapshot(rollout.snapshot_id);
  const name = `${snapshot?.name ?? "Snapshot"} v${rollout.version}`;
  const parts = partsOf(rollout);
  const moving = isMoving(rollout);
  return (
    <Page
      title={name}
      trail={TRAIL}
      api={oneRequest(rollout.id)}
      foot={moving ? "Live" : <When at={rollout.finished_at ?? rollout.updated_at} as="since" />}
      actions={<Actions rollout={rollout} name={name} />}
      phoneAction={<PhoneAction rollout={rollout} />}
    >
      <Split side={<Settings rollout={rollout} snapshot={snapshot?.name ?? "Open"} />}>
        <Answer
          sub={
            <>
              <RolloutState rollout={rollout} />
              {moving && rollout.status !== "queued" && <span>It goes on when you leave this page.</span>}
              <Id>{rollout.id}</Id>
            </>
          }
        >
          <b>{doneOf(rollout).toLocaleString("en-US")}</b> of <b>{rollout.total.toLocaleString("en-US")}</b>{" "}
          {rollout.dry_run ? `clients planned for ${name}` : `clients done with ${name}`}
          {rollout.counts.failed > 0 && (
            <>
              , <b>{rollout.counts.failed.toLocaleString("en-US")}</b> failed
            </>
          )}
        </Answer>
        <div className={classes.progress}>
          <Stack height={14} label={parts.map(({ label, value }) => `${value} ${label}`).join(", ")} parts={parts} />
          <ul>
            {parts.map(({ label, value, tone }) => (
              <li key={label}>
                <Swatch tone={tone} />
                <b>{value.toLocaleString("en-US")}</b> {label}
              </li>
            ))}
          </ul>
        </div>
        <Halted rollout={rollout} />
        <Phases rollout={rollout} />
        {rollout.plans !== null && rollout.plans.length > 0 && <Plans rollout={rollout} />}
        <Members rollout={rollout} moving={moving} />
      </Split>
    </Page>
  );
}

function useAct(rollout: Rollout) {
  const move = useMoveRollout();
  const WORDS: Record<Act, string> = {
    pause: "Paused",
    resume: "It goes on",
    cancel: "Cancelled",
    retry: "What failed is tried again",
    rollback: "Rolling back",
  };
  return async (act: Act) => {
    await move.mutateAsync({ id: rollout.id, act });
    toast(WORDS[act]);
  };
}

const tell = (error: Error) => toastError("That was not possible", error);

function PhoneAction({ rollout }: { rollout: Rollout }) {
  const act = useAct(rollout);
  if (!useMay()("snapshots:deploy")) return null;
  if (rollout.status === "canary" || rollout.status === "running")
    return <Button onClick={() => void act("pause").catch(tell)}>Pause</Button>;
  if (rollout.status === "paused" || rollout.status === "halted")
    return <Button onClick={() => void act("resume").catch(tell)}>Resume</Button>;
  return null;
}

function Actions({ rollout, name }: { rollout: Rollout; name: string }) {
  const act = useAct(rollout);
  const [asks, setAsks] = useState<"cancel" | "rollback" | null>(null);
  if (!useMay()("snapshots:deploy")) return null;
  const { status, counts, dry_run } = rollout;
  const going = ["queued", "canary", "running", "paused", "halted"].includes(status);
  const touched = counts.succeeded + counts.partial > 0 && !dry_run;
  return (
    <>
      {going && (
        <Button variant="subtle" onClick={() => setAsks("cancel")}>
          Cancel…
        </Button>
      )}
      {touched && status !== "rolling_back" && status !== "rolled_back" && (
        <Button variant="default" leftSection={<RotateCcw />} onClick={() => setAsks("rollback")}>
          Roll back…
        </Button>
      )}
      {(status === "canary" || status === "running") && (
        <Button leftSection={<Pause />} onClick={() => void act("pause").catch(tell)}>
          Pause
        </Button>
      )}
      {(status === "paused" || status === "halted") && (
        <Button leftSection={<Play />} onClick={() => void act("resume").catch(tell)}>
          Resume
        </Button>
      )}
      <Confirm
        opened={asks === "cancel"}
        close={() => setAsks(null)}
        title={`Cancel the rollout of ${name}?`}
        action="Cancel the rollout"
        danger
        onConfirm={() => act("cancel")}
      >
        <p>
          <b>{plural(counts.queued, "client")}</b> will not get it. Those that have it keep it.
        </p>
      </Confirm>
      <Confirm
        opened={asks === "rollback"}
        close={() => setAsks(null)}
        title={`Roll ${name} back everywhere?`}
        action="Roll back"
        danger
        onConfirm={() => act("rollback")}
      >
        <p>
          <b>{plural(counts.succeeded + counts.partial, "client")}</b> get back what they had before it. What they have changed
          since stays. Nobody else gets it any more.
        </p>
      </Confirm>
    </>
  );
}

function Halted({ rollout }: { rollout: Rollout }) {
  if (rollout.status !== "halted") return null;
  return (
    <Blocker tone="bad" title="It has halted by itself">
      {rollout.status_reason === "too_many_failures"
        ? "Too many clients failed."
        : "Whoever it works for may no longer deploy. Resuming it takes over the work."}{" "}
      Nobody else gets it before you resume.
    </Blocker>
  );
}

function Phases({ rollout: { canary_members, total, counts, status, max_failure_percent } }: { rollout: Rollout }) {
  if (canary_members === 0) return null;
  const done = total - counts.queued;
  const passed = status === "halted" ? done > canary_members : done >= canary_members && status !== "canary";
  const rest = total - canary_members;
  return (
    <Section title="Phases" aside={`halts above ${max_failure_percent}% failed`}>
      <ol className={classes.phases}>
        <li data-done={passed || undefined} data-now={!passed || undefined}>
          <b>Canary</b>
          <span>
            {Math.min(done, canary_members)} of {plural(canary_members, "client")}
          </span>
        </li>
        <li data-now={(passed && counts.queued > 0) || undefined} data-done={(passed && counts.queued === 0) || undefined}>
          <b>Everyone</b>
          <span>
            {Math.max(0, done - canary_members).toLocaleString("en-US")} of {plural(rest, "client")}
          </span>
        </li>
      </ol>
    </Section>
  );
}

/** A dry run: clients in the same state have the same plan. */
function Plans({ rollout }: { rollout: Rollout }) {
  return (
    <Section title="Plans" aside={plural(rollout.plans?.length ?? 0, "different one", "different ones")}>
      <Rows heads={["Plan", "Clients", "Conflicts"]} ends={2}>
        {rollout.plans?.map(({ plan_hash, clients, conflicts }) => (
          <tr key={plan_hash}>
            <td>
              <code>{plan_hash.slice(0, 12)}</code>
            </td>
            <td className="strong">{clients.toLocaleString("en-US")}</td>
            <td>{conflicts}</td>
          </tr>
        ))}
      </Rows>
    </Section>
  );
}

function Members({ rollout, moving }: { rollout: Rollout; moving: boolean }) {
  const troubled = useMembers(rollout.id, ["failed", "partial", "skipped"], moving);
  const done = useMembers(rollout.id, ["succeeded", "unchanged", "planned", "rolled_back"], moving);
  const act = useAct(rollout);
  const retries = useMay()("snapshots:deploy") && rollout.counts.failed > 0 && !moving && rollout.status !== "rolled_back";
  return (
    <>
      {(troubled.rows.length > 0 || troubled.loading) && (
        <Section
          title="Failed, partial and skipped"
          aside={
            retries && (
              <Button variant="default" size="xs" onClick={() => void act("retry").catch(tell)}>
                Retry failed
              </Button>
            )
          }
        >
          <MemberRows list={troubled} />
        </Section>
      )}
      <Section title="Done" aside={<Export href={exportAddress(rollout.id)} />}>
        <MemberRows list={done} />
      </Section>
    </>
  );
}

function MemberRows({ list }: { list: ReturnType<typeof useMembers> }) {
  return (
    <Listed list={list} what="clients" none="Nobody yet.">
      {(rows) => (
        <>
          <Rows heads={["Client", "State", "·What happened", "At"]} ends={1}>
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <Link to={`/clients/${row.client_id}`}>
                    <b>{row.company}</b>
                  </Link>
                </td>
                <td>
                  <DeploymentState status={row.status} />
                </td>
                <td data-desk>{whatOf(row)}</td>
                <td>
                  <When at={row.finished_at} muted />
                </td>
              </tr>
            ))}
          </Rows>
          {list.more && (
            <Button variant="subtle" loading={list.loadingMore} onClick={list.loadMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </Listed>
  );
}

function whatOf({ failure, conflicts, previous_version, canary }: Member): React.ReactNode {
  if (failure) return failure.detail;
  const parts = [
    previous_version === null ? "" : `from v${previous_version}`,
    conflicts > 0 ? plural(conflicts, "conflict") : "",
    canary ? "canary" : "",
  ].filter(Boolean);
  return <span className="muted">{parts.join(", ")}</span>;
}

function Settings({ rollout, snapshot }: { rollout: Rollout; snapshot: string }) {
  return (
    <Section title="Settings">
      <Facts
        rows={[
          ["For", targetText(rollout)],
          ["Conflicts", POLICIES.find(({ value }) => value === rollout.conflict_policy)?.label],
          ["Canary", rollout.canary_members === 0 ? "none" : plural(rollout.canary_members, "client")],
          ["Halts above", `${rollout.max_failure_percent}% failed`],
          ["Started", <When key="at" at={rollout.created_at} as="since" />],
          [
            "Snapshot",
            <Link key="to" className="link" to={`/snapshots/${rollout.snapshot_id}`}>
              {snapshot}
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}
