import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Pause, Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Answer, Blocker } from "../../ui/answer.tsx";
import { Stack, Swatch } from "../../ui/charts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Link } from "../../ui/link.tsx";
import { Page, PhoneActs, Split } from "../../ui/page.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { useSnapshot } from "./data.ts";
import { tell, useAct } from "./rollout-act.ts";
import { Health } from "./rollout-health.tsx";
import { Members } from "./rollout-members.tsx";
import { Plans } from "./rollout-plans.tsx";
import { doneOf, partsOf, RolloutState, targetText } from "./rollout-words.tsx";
import { isMoving, oneRequest, type Rollout, useRollout } from "./rollouts.data.ts";
import classes from "./rollouts.module.css";
import { POLICIES, plural } from "./words.tsx";

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
      foot={
        moving ? (
          "Live"
        ) : (
          <span>
            {rollout.finished_at === null ? "Changed" : "Ended"}{" "}
            <When at={rollout.finished_at ?? rollout.updated_at} as="since" />
          </span>
        )
      }
      actions={<Actions rollout={rollout} name={name} />}
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
        <PhoneActs>
          <Actions rollout={rollout} name={name} />
        </PhoneActs>
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
        {!rollout.dry_run && <Health rollout={rollout} moving={moving} />}
        {rollout.plans !== null && rollout.plans.length > 0 && <Plans plans={rollout.plans} />}
        <Members rollout={rollout} moving={moving} />
      </Split>
    </Page>
  );
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

function Settings({ rollout, snapshot }: { rollout: Rollout; snapshot: string }) {
  return (
    <Section title="Settings">
      <Facts
        rows={[
          ["For", targetText(rollout)],
          ["Conflicts", POLICIES.find(({ value }) => value === rollout.conflict_policy)?.label],
          ["Canary", rollout.canary_members === 0 ? "none" : plural(rollout.canary_members, "client")],
          ["Halts above", `${rollout.max_failure_percent}% failed`],
          ["Started", <When key="at" at={rollout.created_at} as="moment" />],
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
