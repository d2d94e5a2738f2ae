import { Button } from "@mantine/core";
import { useMay } from "../../api/session.ts";
import { Bar, Filter, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Link, useGo } from "../../ui/link.tsx";
import { curl, newAction, Page } from "../../ui/page.tsx";
import { allRows, type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { InAccount, ReadOnly } from "../crm/records/account.tsx";
import type { Account } from "../crm/records/data.ts";
import { useChannels } from "../inbox/channels/data.ts";
import { CreateAgent } from "./create.tsx";
import { type Agent, listRequest, useAgents } from "./data.ts";
import { AgentState, MODES } from "./words.tsx";

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

export default function AgentsPage() {
  return <InAccount title="Agents">{(account) => <AgentList key={account.id} account={account} />}</InAccount>;
}

const versionOf = ({ published_version, latest_version }: Agent) =>
  published_version === null
    ? `draft ${latest_version}`
    : `v${published_version}${latest_version > published_version ? `, draft ${latest_version}` : ""}`;

function columns(account: Account, nameOf: (id: string) => string): readonly Column<Agent>[] {
  const at = `/crm/${account.id}/agents`;
  return [
    {
      key: "name",
      head: "Name",
      width: "minmax(160px, 1.6fr)",
      cell: (row) => (
        <span className="cut">
          <b>{row.name}</b> <span className="muted">{row.description}</span>
        </span>
      ),
    },
    { key: "state", head: "State", width: "112px", cell: (row) => <AgentState agent={row} /> },
    { key: "mode", head: "Mode", width: "96px", from: 640, cell: (row) => <span className="soft">{MODES[row.mode].name}</span> },
    {
      key: "channels",
      head: "Channels",
      width: "minmax(120px, 1fr)",
      from: 760,
      cell: (row) => <span className="soft cut">{row.channel_ids.map(nameOf).join(", ") || "—"}</span>,
    },
    { key: "version", head: "Version", width: "112px", from: 560, cell: (row) => <span className="soft">{versionOf(row)}</span> },
    {
      key: "sessions",
      head: "Sessions",
      width: "88px",
      from: 880,
      cell: (row) => (
        <Link className="link" to={`${at}/${row.id}?show=sessions`} aria-label={`Open the sessions of ${row.name}`}>
          Open
        </Link>
      ),
    },
    whenColumn({ key: "changed", head: "Changed", from: 480, at: (row) => row.updated_at }),
  ];
}

function AgentList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const go = useGo();
  const archived = url.show === "archived";
  const { data, error, refetch } = useAgents(account.id, archived);
  const may = useMay();
  const channels = useChannels(account.id, false, may("conversations:read")).data;
  const nameOf = (id: string) => channels?.find((channel) => channel.id === id)?.name ?? "a channel";
  const wanted = (url.q ?? "").toLowerCase();
  const shown = data?.filter(({ name, description }) => `${name}\n${description}`.toLowerCase().includes(wanted));
  const writes = may("agents:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Agents"
      fill
      api={listRequest(account.id, archived)}
      foot={data && `${data.length} ${archived ? "archived" : "of at most 50 in use"}`}
      {...newAction("New agent", writes && create)}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs label="Show" value={archived ? "archived" : ""} tabs={TABS} onChange={(show) => setUrl({ show })} />
        <Filter label="Filter agents" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
      </Bar>
      <Table
        label="Agents"
        columns={columns(account, nameOf)}
        list={allRows(shown, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.name}
        onOpen={(row) => go(`/crm/${account.id}/agents/${row.id}`)}
        phone={(row) => (
          <Lines
            title={row.name}
            note={row.description ?? MODES[row.mode].name}
            end={<AgentState agent={row} />}
            endNote={versionOf(row)}
          />
        )}
        empty={<NoAgents account={account} narrowed={wanted !== ""} archived={archived} create={writes ? create : null} />}
      />
      {writes && url.new === "yes" && <CreateAgent account={account} close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

type NoneProps = { account: Account; narrowed: boolean; archived: boolean; create: (() => void) | null };

function NoAgents({ account, narrowed, archived, create }: NoneProps) {
  const [, setUrl] = useUrl();
  if (narrowed)
    return (
      <Empty title="No agent has this name" action={<Button onClick={() => setUrl({ q: undefined })}>Show all</Button>}>
        Neither its name nor what it is for.
      </Empty>
    );
  if (archived) return <Empty title="Nothing is archived">What an archived agent has said can still be read.</Empty>;
  return (
    <Empty
      title="Who answers when nobody is there?"
      action={create && <Button onClick={create}>Begin with an example</Button>}
      curl={curl("POST /v1/agents", { account_id: account.id, name: "Nora" })}
    >
      An agent answers on the channels of {account.company} by a playbook: what it says, what it asks and what it notes. Try it in
      the sandbox first, where nothing happens. People take over whenever they like.
    </Empty>
  );
}
