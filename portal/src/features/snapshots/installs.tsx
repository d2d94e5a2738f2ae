import { Button } from "@mantine/core";
import { useMay } from "../../api/session.ts";
import { Listed } from "../../ui/brief.tsx";
import { Link } from "../../ui/link.tsx";
import { Rows } from "../../ui/rows.tsx";
import { useUrl } from "../../ui/url.ts";
import { When } from "../../ui/when.tsx";
import { type Install, type Snapshot, useInstalls } from "./data.ts";
import classes from "./snapshots.module.css";
import { Drift } from "./words.tsx";

/** The clients that run it: in which version, and whether they changed what it brought. */
export function Installs({ snapshot }: { snapshot: Snapshot }) {
  const list = useInstalls(snapshot.id);
  return (
    <Listed list={list} what="clients" none="No client runs it yet. Deploy it to one, or roll it out to many.">
      {(rows) => (
        <>
          <Rows heads={["Client", "Version", "Account", "·Since", ""]}>
            {rows.map((install) => (
              <Row key={install.client_id} install={install} snapshot={snapshot} />
            ))}
          </Rows>
          {list.more && (
            <Button variant="subtle" className={classes.more ?? ""} loading={list.loadingMore} onClick={list.loadMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </Listed>
  );
}

function Row({ install, snapshot }: { install: Install; snapshot: Snapshot }) {
  const [, setUrl] = useUrl();
  const deploys = useMay()("snapshots:deploy");
  const behind = install.version !== snapshot.latest_version;
  return (
    <tr>
      <td>
        <Link to={`/clients/${install.client_id}`}>
          <b>{install.company}</b>
        </Link>
      </td>
      <td>
        v{install.version} {behind && <span className="muted only-desk">of v{snapshot.latest_version}</span>}
      </td>
      <td>
        <Drift install={install} />
      </td>
      <td data-desk>
        <When at={install.updated_at} muted />
      </td>
      <td className={classes.act}>
        {deploys && (
          <button type="button" className="link" onClick={() => setUrl({ deploy: install.client_id }, true)}>
            {behind ? "Update…" : "Plan…"}
          </button>
        )}
      </td>
    </tr>
  );
}
