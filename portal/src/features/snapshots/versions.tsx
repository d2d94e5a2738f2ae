import { Listed } from "../../ui/brief.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { useUrl } from "../../ui/url.ts";
import { When } from "../../ui/when.tsx";
import { type Snapshot, useDiff, useVersions } from "./data.ts";
import classes from "./snapshots.module.css";
import { DiffSteps } from "./steps.tsx";
import { countsText } from "./words.tsx";

/** The versions, newest first; an open one shows what it changed. */
export function Versions({ snapshot: { id } }: { snapshot: Snapshot }) {
  const [url, setUrl] = useUrl();
  const list = useVersions(id);
  const open = Number(url.version ?? list.rows[0]?.version ?? 0);
  return (
    <Listed list={list} what="versions" none="There is no version yet.">
      {(rows) => (
        <ol className={classes.versions}>
          {rows.map(({ version, changelog, asset_counts, created_at }) => (
            <li key={version} data-open={version === open || undefined}>
              <button type="button" aria-expanded={version === open} onClick={() => setUrl({ version: String(version) })}>
                <b>v{version}</b>
                <span className="cut">{changelog ?? (version === 1 ? "The first version" : "No word about it")}</span>
                <span className="muted only-desk">{countsText(asset_counts)}</span>
                <When at={created_at} muted />
              </button>
              {version === open && <Changed id={id} version={version} />}
            </li>
          ))}
        </ol>
      )}
    </Listed>
  );
}

function Changed({ id, version }: { id: string; version: number }) {
  const { data, error, refetch } = useDiff(id, version - 1, version, version > 1);
  if (version === 1) return null;
  if (error) return <Failure small title="The difference did not load" error={error} retry={refetch} />;
  return data === undefined ? <Loading rows={2} /> : <DiffSteps steps={data.steps} />;
}
