import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { SquarePen } from "lucide-react";
import { queryText } from "../../../api/lists.ts";
import { useMay, useSession } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Choice, Filters } from "../../../ui/filters.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { curl, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { useUrl } from "../../../ui/url.ts";
import { ago } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import { type Account, usePeople } from "../../crm/records/data.ts";
import { useTagNames } from "../../crm/tags/data.ts";
import { useChannels } from "../channels/data.ts";
import { type Conversation, listRequest, useConversation, useConversations } from "./data.ts";
import { FILTERS, filterOf, VIEWS } from "./filter.ts";
import classes from "./inbox.module.css";
import { Person } from "./person.tsx";
import { Conversations } from "./rows.tsx";
import { StartConversation } from "./start.tsx";
import { Thread, ThreadActs } from "./thread.tsx";
import { personOf } from "./words.tsx";

export default function InboxPage() {
  return <InAccount title="Inbox">{(account) => <Inbox key={account.id} account={account} />}</InAccount>;
}

function Inbox({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const { user } = useSession();
  const writes = useMay()("conversations:write") && account.readOnly === null;
  const phone = useMediaQuery("(max-width: 640px)", undefined, { getInitialValueInEffect: false });
  const filter = filterOf(account.id, url, user.id);
  const list = useConversations(filter);
  const opened = useConversation(url.open ?? "");
  const conversation = url.open ? opened.data : undefined;
  const channels = useChannels(account.id).data;
  const start = () => setUrl({ new: "yes" }, true);
  const covers = phone && conversation !== undefined;
  const begins = writes && channels !== undefined && channels.length > 0;
  return (
    <Page
      title={covers ? personOf(conversation) : "Inbox"}
      {...(covers ? { trail: [["Inbox", `/crm/${account.id}/inbox${queryText({ ...url, open: undefined })}`]] as const } : {})}
      fill
      api={listRequest(filter)}
      foot={<Waiting rows={list.rows} />}
      actions={
        begins && (
          <Button variant="default" leftSection={<SquarePen />} onClick={start}>
            New message
          </Button>
        )
      }
      phoneAction={
        covers ? (
          <span className={classes.phoneActs}>
            <ThreadActs account={account} conversation={conversation} phone />
          </span>
        ) : (
          begins && (
            <ActionIcon size={44} aria-label="New message" onClick={start}>
              <SquarePen size={20} />
            </ActionIcon>
          )
        )
      }
    >
      <ReadOnly account={account} />
      {channels?.length === 0 && !list.loading && list.rows.length === 0 && !isNarrowed(url) ? (
        <NoChannel account={account} writes={writes} />
      ) : (
        <div className={classes.panes} data-open={url.open ? true : undefined}>
          <div className={classes.list}>
            <Controls account={account} />
            <Conversations
              list={list}
              open={url.open}
              onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
              empty={<Nothing account={account} start={begins ? start : null} />}
            />
          </div>
          <Opened account={account} query={opened} open={url.open} />
        </div>
      )}
      {begins && url.new === "yes" && <StartConversation account={account} close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

type OpenedProps = { account: Account; query: ReturnType<typeof useConversation>; open: string | undefined };

/** The conversation beside the list, and who it is with. */
function Opened({ account, query: { data, error, refetch }, open }: OpenedProps) {
  if (!open)
    return (
      <div className={`${classes.none} only-desk`}>
        <p>
          Choose a conversation. <Kbd>j</Kbd> <Kbd>k</Kbd> move, <Kbd>⏎</Kbd> opens.
        </p>
      </div>
    );
  if (data === undefined)
    return (
      <div className={classes.none}>
        {error ? <Failure title="The conversation did not load" error={error} retry={refetch} /> : <Loading />}
      </div>
    );
  return (
    <>
      <Thread account={account} conversation={data} head />
      <aside className={classes.side} aria-label={`About ${personOf(data)}`}>
        <Person account={account} conversation={data} />
      </aside>
    </>
  );
}

const STATUSES = ["open", "snoozed", "closed"];
const YES_NO = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

/** Views, text and filters of the list. */
function Controls({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const channels = useChannels(account.id).data ?? [];
  const people = usePeople();
  const tags = useTagNames(account.id);
  const views = useViews("inbox", account.id);
  const owners = [
    { value: "none", label: "Nobody" },
    { value: "agent", label: "An agent" },
    ...people.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const view = url.view ?? "";
  return (
    <div className={classes.controls}>
      <Tabs label="Conversations" value={view} tabs={VIEWS} onChange={(value) => setUrl({ view: value })}>
        <SavedViews at={`/crm/${account.id}/inbox`} {...views} />
      </Tabs>
      <div>
        <Filter label="Find text in messages" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
        <Filters names={FILTERS}>
          <Choice name="status" label="Status" data={STATUSES} />
          <Choice name="channel" label="Channel" data={channels.map(({ id, name }) => ({ value: id, label: name }))} />
          <Choice name="owner" label="Owner" data={owners} />
          <Choice name="tag" label="Tag" data={tags} />
          <Choice name="unread" label="Unread" data={YES_NO} />
          <Choice name="archived" label="Archived" data={[{ value: "true", label: "Archived alone" }]} />
        </Filters>
      </div>
    </div>
  );
}

/** The answer of the page, as far as it is loaded. */
function Waiting({ rows }: { rows: readonly Conversation[] }) {
  const waits = rows.filter(({ waiting_since, status }) => waiting_since !== null && status === "open");
  const since = waits.map((row) => row.waiting_since ?? "").toSorted()[0];
  if (since === undefined) return "Nobody here waits for an answer";
  return waits.length === 1
    ? `One person waits, for ${ago(since)}`
    : `${waits.length} people wait, the longest for ${ago(since)}`;
}

/** Whether the address asks for less than everything. */
const isNarrowed = (url: Readonly<Record<string, string | undefined>>) =>
  Boolean(url.q || (url.view && url.view !== "all") || FILTERS.some((name) => url[name]));

function NoChannel({ account, writes }: { account: Account; writes: boolean }) {
  const go = useGo();
  return (
    <Empty
      title="No channel yet"
      action={writes && <Button onClick={() => go(`/crm/${account.id}/channels?new=yes`)}>Add a channel</Button>}
      curl={curl("POST /v1/channels", { account_id: account.id, kind: "webchat", name: "Website" })}
    >
      People write to {account.company} on a channel: a number, an email address, a chat on web pages, or a program of yours.
    </Empty>
  );
}

function Nothing({ account, start }: { account: Account; start: (() => void) | null }) {
  const [url] = useUrl();
  const go = useGo();
  const channels = useChannels(account.id).data;
  if (isNarrowed(url))
    return (
      <div className={classes.empty}>
        <h2>{url.view === "waiting" ? "Nobody waits" : "Nothing matches"}</h2>
        <p>{url.view === "waiting" ? "Everybody has an answer." : "No conversation is like this."}</p>
        <Button variant="default" onClick={() => go(`/crm/${account.id}/inbox?view=all`)}>
          Show all
        </Button>
      </div>
    );
  if (channels === undefined) return <Loading rows={3} />;
  const simulator = channels.find(({ kind }) => kind === "simulator");
  return (
    <div className={classes.empty}>
      <h2>Nobody has written</h2>
      <p>What people write on {channels.map(({ name }) => name).join(", ")} appears here by itself.</p>
      {simulator ? (
        <Button onClick={() => go(`/crm/${account.id}/channels/${simulator.id}/simulator`)}>Open the simulator</Button>
      ) : (
        start && <Button onClick={start}>Write first</Button>
      )}
    </div>
  );
}
