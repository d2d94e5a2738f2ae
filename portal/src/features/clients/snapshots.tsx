import { useMay } from "../../api/session.ts";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Section } from "../../ui/section.tsx";
import { type Install, useClientSnapshots } from "../snapshots/data.ts";
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
      ) : data.length === 0 ? (
        <p className="muted">None runs here.</p>
      ) : (
        <ul className={classes.snapshots}>
          {data.map((install) => (
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
