import { Button } from "@mantine/core";
import { CircleDot, Handshake, Layers, Pause, Play, ScrollText, UserMinus, UserPlus } from "lucide-react";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";
import { type Activity, useClientActivity } from "./data.ts";

const ICONS: Record<string, React.ReactNode> = {
  "client.created": <UserPlus />,
  "client.activated": <Play />,
  "client.suspended": <Pause />,
  "client.churned": <UserMinus />,
  "deal.won": <Handshake />,
  "snapshot.deployed": <Layers />,
};

/** "client.suspended" as a sentence: "Client suspended". */
function sentence(name: string): string {
  const words = name.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The fields of a change, and who made it. */
function more({ type, data }: Activity): React.ReactNode {
  if (type === "event") return typeof data.reason === "string" ? data.reason : null;
  const actor = (data.actor as { name?: string; type?: string } | undefined)?.name;
  const fields = Object.keys((data.changes as Record<string, unknown> | undefined) ?? {}).filter((field) => field !== "version");
  return [actor, fields.length > 0 ? fields.slice(0, 6).join(", ") : null].filter(Boolean).join(": ") || null;
}

const momentOf = (activity: Activity): Moment => ({
  id: activity.id,
  at: activity.at,
  icon: activity.type === "event" ? (ICONS[activity.name] ?? <CircleDot />) : <ScrollText />,
  tone: activity.type === "event" ? (activity.name.endsWith("suspended") ? "bad" : "accent") : undefined,
  what: activity.type === "event" ? <b>{sentence(activity.name)}</b> : sentence(activity.name),
  more: more(activity),
});

export function ClientActivity({ id }: { id: string }) {
  const { rows, loading, error, more: hasMore, loadingMore, loadMore, retry } = useClientActivity(id);
  if (error) return <Failure small title="The activity did not load" error={error} retry={retry} />;
  if (loading) return <Loading rows={6} />;
  if (rows.length === 0) return <p className="muted">Nothing has happened yet.</p>;
  return (
    <>
      <Timeline moments={rows.map(momentOf)} />
      {hasMore && (
        <Button variant="default" size="xs" loading={loadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </>
  );
}
