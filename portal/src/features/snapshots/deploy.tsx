import { Button, Select } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { useRef, useState } from "react";
import { Blocker } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Problem } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { When } from "../../ui/when.tsx";
import { ClientSelect } from "./create.tsx";
import {
  type Deployment,
  type DeploymentDetail,
  type Policy,
  type Snapshot,
  useDeploy,
  useDeployments,
  usePlan,
  useRetryDeployment,
  useRollbackDeployment,
  useVersions,
} from "./data.ts";
import classes from "./snapshots.module.css";
import { PlanSteps } from "./steps.tsx";
import { changesText, DeploymentState, POLICIES, plural } from "./words.tsx";

type Props = { snapshot: Snapshot; client_id: string | null; close(): void };

/** The plan for one client first; what runs is that plan, or nothing. */
export function Deploy({ snapshot, client_id, close }: Props) {
  const [, setUrl] = useUrl();
  const versions = useVersions(snapshot.id).rows;
  const [version, setVersion] = useState(snapshot.latest_version ?? 1);
  const [policy, setPolicy] = useState<Policy>("merge");
  const asked = { snapshot_id: snapshot.id, version, conflict_policy: policy };
  const plan = usePlan(client_id, asked);
  const deploy = useDeploy();
  const key = useRef(crypto.randomUUID());
  const run = async () => {
    if (client_id === null || plan.data === undefined) return;
    const { plan_hash } = plan.data;
    try {
      const done = await deploy.mutateAsync({
        client_id,
        body: { ...asked, ...(plan_hash === null ? {} : { plan_hash }) },
        key: key.current,
      });
      toast(done.status === "unchanged" ? "Nothing had to be changed" : `v${version} of ${snapshot.name} is deployed`);
    } catch {
      // What stands in the way is shown below.
    } finally {
      key.current = crypto.randomUUID();
    }
  };
  const nothing = plan.data !== undefined && isEmpty(plan.data);
  return (
    <Panel
      title={`Deploy ${snapshot.name}`}
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button disabled={plan.data === undefined || nothing} loading={deploy.isPending} onClick={() => void run()}>
            {nothing ? "Nothing to deploy" : `Deploy v${version}`}
          </Button>
        </>
      }
    >
      <div className={classes.asked}>
        <ClientSelect label="Client" value={client_id} onChange={(id) => setUrl({ deploy: id ?? "" })} />
        <Select
          label="Version"
          allowDeselect={false}
          data={versions.map((one) => ({ value: String(one.version), label: `v${one.version}` }))}
          value={String(version)}
          onChange={(to) => setVersion(Number(to))}
        />
        <Select
          label="Where the client changed something"
          description={POLICIES.find(({ value }) => value === policy)?.note}
          allowDeselect={false}
          data={POLICIES.map(({ value, label }) => ({ value, label }))}
          value={policy}
          onChange={(to) => setPolicy(to as Policy)}
        />
      </div>
      {deploy.error && <Refused error={deploy.error} again={() => void plan.refetch()} />}
      {client_id === null ? (
        <p className="muted">Choose a client to see what would change there. Nothing changes before you deploy.</p>
      ) : plan.error ? (
        <Refused error={plan.error} again={() => void plan.refetch()} />
      ) : plan.data === undefined ? (
        <Loading rows={4} />
      ) : (
        <ThePlan plan={plan.data} />
      )}
      {client_id !== null && <History client_id={client_id} snapshot={snapshot} />}
    </Panel>
  );
}

const isEmpty = ({ counts, version, previous_version }: DeploymentDetail) =>
  counts !== null && counts.create + counts.update + counts.remove === 0 && version === previous_version;

function Refused({ error, again }: { error: Error; again(): void }) {
  if (error instanceof ApiError && error.code === "plan_stale") {
    return (
      <Blocker title="The client has changed meanwhile" action={<Button onClick={again}>Plan again</Button>}>
        Nothing was deployed: the plan that you saw no longer fits.
      </Blocker>
    );
  }
  if (error instanceof ApiError) return <Problem error={error} />;
  return <Failure small title="The plan did not load" error={error} retry={again} />;
}

function ThePlan({ plan: { counts, steps, conflicts, previous_version, version } }: { plan: DeploymentDetail }) {
  const { create = 0, update = 0, remove = 0, unchanged = 0 } = counts ?? {};
  return (
    <Section
      title={changesText({ create, update, remove })}
      aside={previous_version === null ? `v${version} is new here` : `from v${previous_version} to v${version}`}
    >
      {conflicts.length > 0 && (
        <Blocker title={plural(conflicts.length, "conflict")}>
          The client changed what the snapshot changes too: see below what stays.
        </Blocker>
      )}
      <PlanSteps steps={steps ?? []} />
      {unchanged > 0 && <p className="muted">{plural(unchanged, "asset")} as they should be.</p>}
    </Section>
  );
}

/** What was deployed before, and the way back from the newest one. */
function History({ client_id, snapshot }: { client_id: string; snapshot: Snapshot }) {
  const { rows } = useDeployments(client_id, snapshot.id);
  const rollback = useRollbackDeployment();
  const retry = useRetryDeployment();
  const again = (id: string) =>
    retry.mutateAsync(id).then(
      () => toast(`${snapshot.name} is queued again`),
      (error: Error) => toastError(`${snapshot.name} was not queued again`, error),
    );
  const [asks, setAsks] = useState<Deployment | null>(null);
  const newest = rows.find(({ status }) => status === "succeeded" || status === "partial");
  if (rows.length === 0) return null;
  return (
    <Section title="Deployed before">
      <ul className={classes.history}>
        {rows.slice(0, 8).map((deployment) => (
          <li key={deployment.id}>
            <b>v{deployment.version}</b>
            <DeploymentState status={deployment.status} />
            <When at={deployment.finished_at ?? deployment.created_at} muted />
            {deployment.id === newest?.id && (
              <button type="button" className="link" onClick={() => setAsks(deployment)}>
                Roll back…
              </button>
            )}
            {deployment.id === rows[0]?.id && deployment.status === "failed" && deployment.rollout_id === null && (
              <button type="button" className="link" disabled={retry.isPending} onClick={() => void again(deployment.id)}>
                Retry
              </button>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        opened={asks !== null}
        close={() => setAsks(null)}
        title={`Roll back v${asks?.version}?`}
        action="Roll back"
        danger
        onConfirm={async () => {
          if (asks === null) return;
          const done = await rollback.mutateAsync(asks.id);
          toast(
            done.previous_version === null ? `${snapshot.name} is no longer deployed here` : `Back at v${done.previous_version}`,
          );
        }}
      >
        <p>
          The client gets back what it had before, as{" "}
          <b>{asks?.previous_version === null ? "without it" : `v${asks?.previous_version}`}</b>. What the client has changed
          since stays.
        </p>
      </Confirm>
    </Section>
  );
}
