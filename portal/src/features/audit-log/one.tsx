import { Changes } from "../../ui/changes.tsx";
import { Id } from "../../ui/copy.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { exactly } from "../../ui/when.tsx";
import { useClientNames } from "../clients/data.ts";
import classes from "./audit-log.module.css";
import { type Entry, useEntry } from "./data.ts";

/** An entry beside the log: who, what, from which value to which. */
export function OneEntry({ id, close }: { id: string; close(): void }) {
  const { data, error, refetch } = useEntry(id);
  return (
    <Panel title={<code>{data?.action ?? "Entry"}</code>} close={close}>
      {data ? (
        <Shown entry={data} />
      ) : error ? (
        <Failure small title="The entry did not load" error={error} retry={refetch} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}

function Shown({ entry }: { entry: Entry }) {
  const names = useClientNames(entry.client_id === null ? [] : [entry.client_id]);
  return (
    <div className={classes.parts}>
      <Facts
        rows={[
          ["When", exactly(entry.occurred_at)],
          ["Who", <Who key="who" entry={entry} />],
          [
            "Outcome",
            <State key="outcome" tone={entry.outcome === "success" ? "live" : "bad"}>
              {entry.outcome === "success" ? "done" : `denied${entry.code === null ? "" : `: ${entry.code}`}`}
            </State>,
          ],
          ["Times", entry.count > 1 ? entry.count : null],
          ["Target", entry.target && <Id key="target">{entry.target}</Id>],
          [
            "Client",
            entry.client_id && (
              <Link key="client" className="link" to={`/clients/${entry.client_id}`}>
                {names.get(entry.client_id) ?? entry.client_id}
              </Link>
            ),
          ],
          ["Address", entry.ip],
          ["Request", entry.request_id && <Id key="request">{entry.request_id}</Id>],
          ["Entry", <Id key="id">{entry.id}</Id>],
          ["Hash", <code key="hash">{entry.leaf_hash}</code>],
        ]}
      />
      <Changes changes={entry.changes} />
    </div>
  );
}

const KINDS: Readonly<Record<Entry["actor"]["type"], string>> = {
  key: "key",
  user: "person",
  operator: "operator",
  system: "",
  agent: "agent",
  channel: "channel",
  visitor: "visitor",
  payer: "payer",
  provider: "payment provider",
};

function Who({ entry }: { entry: Entry }) {
  const { actor } = entry;
  const kind = KINDS[actor.type];
  return (
    <>
      {actor.name ?? (actor.type === "system" ? "The service" : <Id>{actor.id}</Id>)}{" "}
      {kind && <span className="muted">{kind}</span>}
    </>
  );
}
