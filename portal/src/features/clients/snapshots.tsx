import { useMay } from "../../api/session.ts";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Deployment, type Install, useClientSnapshots, useRetryDeployment, useSnapshot } from "../snapshots/data.ts";
import classes from "./clients.module.css";

const noteOf = ({ version, latest_version, differences }: Install) =>
  [
    version < latest_version ? `v${version}, v${latest_version} is out` : `v${version}, up to date`,
    ...(differences.length > 0 ? [`${differences.length} changed here`] : []),
  ].join(", ");

/** Which snapshots run in the account, in which version, and whether they were changed there. */
export function ClientSnapshots({ id }: { id: string }) {
  const may = useMay();
  const reads = may("snapshots:read");
  const { data, error, refetch } = useClientSnapshots(id, reads);
  if (!reads) return null;
  return (
    <Section
      title="Snapshots"
      aside={
        may("snapshots:deploy") && (
          <Link className="link" to={`/snapshots?deploy=${id}`}>
            Deploy a snapshot…
          </Link>
        )
      }
    >
      {error ? (
        <Failure small title="The snapshots did not load" error={error} retry={refetch} />
      ) : data === undefined ? (
        <Loading rows={2} />
      ) : data.installs.length + data.undone.length === 0 ? (
        <p className="muted">None runs here.</p>
      ) : (
        <ul className={classes.snapshots}>
          {data.undone.map((deployment) => (
            <Undone key={deployment.id} deployment={deployment} />
          ))}
          {data.installs.map((install) => (
            <li key={install.snapshot_id}>
              <Link className="cut" to={`/snapshots/${install.snapshot_id}?deploy=${id}`}>
                <b>{install.name}</b>
              </Link>
              <span className="muted">{noteOf(install)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** A snapshot that the account was to get when it was made: it still waits, or could not be deployed. */
function Undone({ deployment: { id, client_id, snapshot_id, version, status, failure } }: { deployment: Deployment }) {
  const { data: snapshot } = useSnapshot(snapshot_id);
  const retry = useRetryDeployment();
  const deploys = useMay()("snapshots:deploy");
  const name = snapshot?.name ?? "Snapshot";
  const again = () =>
    retry.mutateAsync(id).then(
      () => toast(`${name} is queued again`),
      (error: Error) => toastError(`${name} was not queued again`, error),
    );
  return (
    <li>
      <span className={classes.undone}>
        <Link className="cut" to={`/snapshots/${snapshot_id}?deploy=${client_id}`}>
          <b>{name}</b>
        </Link>
        {status === "failed" && deploys && (
          <button
            type="button"
            className="link"
            aria-label={`Retry ${name}`}
            disabled={retry.isPending}
            onClick={() => void again()}
          >
            Retry
          </button>
        )}
      </span>
      <State tone={status === "failed" ? "bad" : "wait"}>
        v{version} {status}
      </State>
      {failure && <span className="muted">{failure.detail}</span>}
    </li>
  );
}
