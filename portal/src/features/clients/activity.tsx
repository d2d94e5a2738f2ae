import { Button } from "@mantine/core";
import { Banknote, CircleDot, Handshake, Layers, Pause, Pencil, Play, UserMinus, UserPlus } from "lucide-react";
import { Failure } from "../../ui/failure.tsx";
import { Link } from "../../ui/link.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import { useSnapshot } from "../snapshots/data.ts";
import { type Activity, useClientActivity } from "./data.ts";
import { paidText } from "./paid.tsx";

type Look = { icon: React.ReactNode; name: string; tone?: "accent" | "bad" };

const EVENTS: Record<string, Look> = {
  "client.created": { icon: <UserPlus />, name: "Created" },
  "client.activated": { icon: <Play />, name: "Activated", tone: "accent" },
  "client.suspended": { icon: <Pause />, name: "Suspended", tone: "bad" },
  "client.churned": { icon: <UserMinus />, name: "Closed" },
  "deal.won": { icon: <Handshake />, name: "Deal won", tone: "accent" },
  "snapshot.deployed": { icon: <Layers />, name: "Snapshot deployed", tone: "accent" },
};
const ACTORS: Record<string, string> = { key: "by API", user: "by a person", operator: "by the operator" };

/** "mrr_cents" as people say it. */
const fieldName = (field: string) => (field === "mrr_cents" ? "monthly revenue" : field.replaceAll("_", " "));

type Changes = Record<string, { from: unknown; to: unknown } | "redacted">;

/** One field with its values, or the names of several. */
function changeText(changes: Changes): string {
  const fields = Object.keys(changes);
  const [first] = fields;
  const only = first !== undefined && fields.length === 1 ? changes[first] : undefined;
  const plain = (value: unknown) => value === null || typeof value === "string" || typeof value === "boolean";
  if (first !== undefined && only !== undefined && only !== "redacted" && plain(only.from) && plain(only.to)) {
    return `Changed ${fieldName(first)} from ${only.from ?? "nothing"} to ${only.to ?? "nothing"}`;
  }
  return `Changed ${fields.map(fieldName).join(", ")}`;
}

/** An event says what happened; the audit entry of the same moment only adds who did it, and is not shown beside it. */
function momentsOf(client: string, rows: readonly Activity[]): Moment[] {
  const events = new Set(rows.filter(({ type }) => type === "event").map(({ at }) => at));
  const actors = new Map(rows.filter(({ type }) => type === "audit").map(({ at, data }) => [at, actorOf(data)]));
  return rows
    .filter(({ type, at }) => type === "event" || !events.has(at))
    .map((row): Moment => {
      const { id, at, type, name, data } = row;
      if (type === "audit") {
        const changes = (data.changes as Changes | undefined) ?? {};
        const paid = paidText(client, name, changes);
        return paid === null
          ? { id, at, icon: <Pencil />, what: changeText(changes), more: actorOf(data) }
          : { id, at, icon: <Banknote />, what: paid };
      }
      const look: Look = EVENTS[name] ?? { icon: <CircleDot />, name };
      const who = actors.get(at);
      return {
        id,
        at,
        icon: look.icon,
        tone: look.tone,
        what: (
          <>
            {name === "snapshot.deployed" ? <Deployed data={data} /> : <b>{look.name}</b>} {who}
          </>
        ),
        more: typeof data.reason === "string" ? data.reason : null,
      };
    });
}

/** Which snapshot, and in which version. A rollback tells of the version that no longer runs. */
function Deployed({ data }: { data: Record<string, unknown> }) {
  const { snapshot_id, version, previous_version, status } = data as {
    snapshot_id: string;
    version: number;
    previous_version: number | null;
    status: string;
  };
  const { data: snapshot } = useSnapshot(snapshot_id);
  const link = (
    <Link className="link" to={`/snapshots/${snapshot_id}`}>
      {snapshot?.name ?? "A snapshot"} v{version}
    </Link>
  );
  if (status === "rolled_back") {
    return (
      <>
        {link} <b>rolled back</b>
        {previous_version === null ? "" : `, v${previous_version} runs again`}
      </>
    );
  }
  return (
    <>
      {link} <b>deployed</b>
      {previous_version === null || previous_version === version ? "" : ` over v${previous_version}`}
      {status === "partial" ? ", something stayed the client's" : ""}
    </>
  );
}

function actorOf(data: Record<string, unknown>): string | null {
  const actor = data.actor as { type?: string; name?: string | null } | undefined;
  return actor?.name ? `by ${actor.name}` : (ACTORS[actor?.type ?? ""] ?? null);
}

export function ClientActivity({ id }: { id: string }) {
  const { rows, loading, error, more, loadingMore, loadMore, retry } = useClientActivity(id);
  if (error) return <Failure small title="The activity did not load" error={error} retry={retry} />;
  if (loading) return <Loading rows={6} />;
  if (rows.length === 0) return <p className="muted">Nothing has happened yet.</p>;
  return (
    <>
      <Timeline moments={momentsOf(id, rows)} />
      {more && (
        <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}
