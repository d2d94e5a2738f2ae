import { useMay } from "../../../api/session.ts";
import { Bar, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { useAgents } from "../data.ts";
import { type Approval, type ApprovalStatus, listRequest, useApprovals } from "./data.ts";
import { ApprovalPanel } from "./one.tsx";
import { ApprovalState, argsText, toolName } from "./words.tsx";

const TABS = [
  { value: "", name: "Waiting" },
  { value: "approved", name: "Approved" },
  { value: "rejected", name: "Rejected" },
  { value: "expired", name: "Expired" },
];

const columns = (agentOf: (id: string) => string): readonly Column<Approval>[] => [
  {
    key: "what",
    head: "What it wants to do",
    width: "minmax(180px, 2fr)",
    cell: (row) => (
      <span className="cut">
        <b>{toolName(row.tool)}</b> <span className="muted">{argsText(row.args)}</span>
      </span>
    ),
  },
  {
    key: "agent",
    head: "Agent",
    width: "minmax(96px, 0.7fr)",
    from: 560,
    cell: (row) => <span className="soft cut">{agentOf(row.agent_id)}</span>,
  },
  { key: "status", head: "Status", width: "168px", from: 640, cell: (row) => <ApprovalState approval={row} /> },
  whenColumn({ key: "asked", head: "Asked", at: (row) => row.created_at }),
];

export default function ApprovalsPage() {
  return <InAccount title="Approvals">{(account) => <Approvals key={account.id} account={account} />}</InAccount>;
}

/** What agents want to do, and may only do once somebody has approved it. */
function Approvals({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const filter = { account_id: account.id, status: [(url.status ?? "pending") as ApprovalStatus] };
  const list = useApprovals(filter);
  const agents = useAgents(account.id).data;
  const agentOf = (id: string) => agents?.find((agent) => agent.id === id)?.name ?? "An agent";
  const writes = useMay()("agents:write") && account.readOnly === null;
  const open = list.rows.find(({ id }) => id === url.open);
  const close = () => setUrl({ open: undefined });
  return (
    <Page title="Approvals" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <ReadOnly account={account} />
      <Bar>
        <Tabs
          label="Approvals that are"
          value={url.status ?? ""}
          tabs={TABS}
          onChange={(status) => setUrl({ status, open: undefined })}
        />
      </Bar>
      <Table
        label="Approvals"
        columns={columns(agentOf)}
        list={list}
        id={(row) => row.id}
        name={(row) => toolName(row.tool)}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        phone={(row) => <Lines title={toolName(row.tool)} note={argsText(row.args)} end={agentOf(row.agent_id)} />}
        empty={
          url.status ? (
            <Empty title="Nothing here">Another tab has the others.</Empty>
          ) : (
            <Empty title="Nothing waits for you">
              A version can name tools that its agent may use only once somebody approves it, such as <code>create_deal</code>.
              What the agent wants to do then waits here for a week.
            </Empty>
          )
        }
      />
      {open && (
        <ApprovalPanel
          key={open.id}
          account={account}
          approval={open}
          agent={agentOf(open.agent_id)}
          writes={writes}
          close={close}
        />
      )}
    </Page>
  );
}
