import { Button } from "@mantine/core";
import { useMay, useSession } from "../../../api/session.ts";
import { Bar, Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { curl, newAction, Page } from "../../../ui/page.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { allRows, type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { CreateChannel } from "./create.tsx";
import { type Channel, listRequest, useChannels } from "./data.ts";
import { KINDS } from "./kinds.ts";
import { ChannelPanel } from "./one.tsx";

const TONES: Record<Channel["status"], Tone> = { active: "live", paused: "wait", error: "bad" };

/** How a channel stands. */
function ChannelState({ channel: { status, archived_at } }: { channel: Channel }) {
  if (archived_at !== null) return <State tone="ended">archived</State>;
  return <State tone={TONES[status]}>{status}</State>;
}

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

const COLUMNS: readonly Column<Channel>[] = [
  { key: "name", head: "Name", width: "minmax(140px, 1fr)", cell: (row) => <b className="cut">{row.name}</b> },
  { key: "kind", head: "Kind", width: "136px", cell: (row) => <span className="soft">{KINDS[row.kind].name}</span> },
  { key: "status", head: "Status", width: "96px", cell: (row) => <ChannelState channel={row} /> },
  {
    key: "error",
    head: "What the provider says",
    width: "minmax(140px, 1.6fr)",
    from: 720,
    cell: (row) => <span className="muted cut">{row.last_error?.detail}</span>,
  },
  whenColumn({ key: "changed", head: "Changed", from: 560, at: (row) => row.updated_at }),
];

export default function ChannelsPage() {
  return <InAccount title="Channels">{(account) => <ChannelList key={account.id} account={account} />}</InAccount>;
}

function ChannelList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const archived = url.show === "archived";
  const { data, error, refetch } = useChannels(account.id, archived);
  const wanted = (url.q ?? "").toLowerCase();
  const shown = data?.filter(({ name, kind }) => `${name}\n${KINDS[kind].name}`.toLowerCase().includes(wanted));
  const open = data?.find(({ id }) => id === url.open);
  const writes = useMay()("conversations:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  const broken = data?.filter(({ status }) => status === "error").length ?? 0;
  return (
    <Page
      title="Channels"
      fill
      api={listRequest(account.id, archived)}
      foot={data && `${data.length} ${archived ? "archived" : "of at most 50 in use"}${broken > 0 ? `, ${broken} refused` : ""}`}
      {...newAction("New channel", writes && create)}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs
          label="Show"
          value={archived ? "archived" : ""}
          tabs={TABS}
          onChange={(show) => setUrl({ show, open: undefined })}
        />
        <Filter label="Filter channels" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
      </Bar>
      <Table
        label="Channels"
        columns={COLUMNS}
        list={allRows(shown, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={KINDS[row.kind].name} end={<ChannelState channel={row} />} />}
        empty={<NoChannels account={account} narrowed={wanted !== ""} archived={archived} create={writes ? create : null} />}
      />
      {writes && url.new === "yes" && <CreateChannel account={account} close={close} />}
      {open && <ChannelPanel key={open.id} account={account} channel={open} writes={writes} close={close} />}
    </Page>
  );
}

type NoneProps = { account: Account; narrowed: boolean; archived: boolean; create: (() => void) | null };

function NoChannels({ account, narrowed, archived, create }: NoneProps) {
  const [, setUrl] = useUrl();
  const { demo } = useSession();
  if (narrowed)
    return (
      <Empty title="No channel has this name" action={<Button onClick={() => setUrl({ q: undefined })}>Show all</Button>}>
        Neither by its name nor by its kind.
      </Empty>
    );
  if (archived) return <Empty title="Nothing is archived">What was said on an archived channel can still be read.</Empty>;
  return (
    <Empty
      title="Where do people write to you?"
      action={create && <Button onClick={create}>Add a channel</Button>}
      curl={curl("POST /v1/channels", {
        account_id: account.id,
        kind: demo ? "simulator" : "api",
        name: demo ? "Simulated texts" : "Shop chat",
      })}
    >
      A channel is a number, a page or a program on which {account.company} exchanges messages.
      {demo && " The simulator shows it without a provider."}
    </Empty>
  );
}
