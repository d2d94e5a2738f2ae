import { Bar, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import type { PartProps } from "../part.ts";
import { type AgentSession, type SessionFilter, type SessionStatus, useSessions } from "./data.ts";
import { channelOf, reasonOf, SessionState, slotsText } from "./words.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "under-way", name: "Under way" },
  { value: "handed_off", name: "Handed over" },
  { value: "completed", name: "Completed" },
  { value: "expired", name: "Expired" },
  { value: "failed", name: "Failed" },
  { value: "bad", name: "Rated bad" },
];

const filterOf = (status: string | undefined): SessionFilter => {
  if (!status) return {};
  if (status === "bad") return { rating: "bad" };
  return { status: status === "under-way" ? ["active", "waiting"] : [status as SessionStatus] };
};

const COLUMNS: readonly Column<AgentSession>[] = [
  { key: "status", head: "Status", width: "164px", cell: (row) => <SessionState session={row} /> },
  {
    key: "outcome",
    head: "What came of it",
    width: "minmax(140px, 1fr)",
    cell: (row) => <span className="cut">{reasonOf(row) ?? "—"}</span>,
  },
  {
    key: "slots",
    head: "Answers",
    width: "minmax(120px, 1.6fr)",
    from: 820,
    cell: (row) => <span className="soft cut">{slotsText(row)}</span>,
  },
  { key: "channel", head: "Channel", width: "120px", from: 680, cell: (row) => <span className="soft">{channelOf(row)}</span> },
  {
    key: "version",
    head: "Version",
    width: "72px",
    from: 600,
    cell: (row) => <span className="soft">v{row.agent_version}</span>,
  },
  { key: "turns", head: "Turns", width: "56px", end: true, from: 520, cell: (row) => row.turns },
  whenColumn({ key: "last", head: "Last turn", at: (row) => row.last_turn_at }),
];

/** The conversations of an agent, newest first. */
export function Sessions({ account, agent }: PartProps) {
  const [url, setUrl] = useUrl();
  const go = useGo();
  const list = useSessions(agent.id, filterOf(url.status));
  return (
    <>
      <Bar>
        <Tabs label="Sessions that" value={url.status ?? ""} tabs={TABS} onChange={(status) => setUrl({ status })} />
      </Bar>
      <Table
        label="Sessions"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.outcome?.reason ?? row.id}
        onOpen={(row) => go(`/crm/${account.id}/agents/${agent.id}/sessions/${row.id}`)}
        phone={(row) => (
          <Lines
            title={reasonOf(row) ?? (slotsText(row) || channelOf(row))}
            note={`${channelOf(row)}, v${row.agent_version}`}
            end={<SessionState session={row} />}
            endNote={`${row.turns} turns`}
          />
        )}
        empty={
          url.status ? (
            <Empty title="No session is like this">Another tab has the others.</Empty>
          ) : (
            <Empty title={`${agent.name} has talked with nobody yet`}>
              Once a version is published and a channel names it, each conversation stands here, with every turn opened up. The
              sandbox is not counted.
            </Empty>
          )
        }
      />
    </>
  );
}
