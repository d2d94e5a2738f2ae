import { Button } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { Bar, Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { curl, newAction, Page } from "../../../ui/page.tsx";
import { allRows, type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { CHANNELS } from "./channels.ts";
import { type Template, useTemplates } from "./data.ts";
import { CreateTemplate, EditTemplate } from "./form.tsx";

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

const COLUMNS: readonly Column<Template>[] = [
  { key: "name", head: "Name", width: "minmax(140px, 1fr)", cell: (row) => <b className="strong cut">{row.name}</b> },
  { key: "channel", head: "For", width: "112px", cell: (row) => <span className="soft">{CHANNELS[row.channel]}</span> },
  {
    key: "text",
    head: "Text",
    width: "minmax(160px, 2fr)",
    from: 640,
    cell: (row) => <span className="muted cut">{row.subject ?? row.text}</span>,
  },
  whenColumn({ key: "updated_at", head: "Changed", from: 820, at: (row) => row.updated_at }),
];

export default function TemplatesPage() {
  return <InAccount title="Templates">{(account) => <TemplateList account={account} />}</InAccount>;
}

function TemplateList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const archived = url.show === "archived";
  const { data, error, refetch } = useTemplates(account.id, archived);
  const wanted = (url.q ?? "").toLowerCase();
  const shown = data?.filter(({ name, subject, text }) => `${name}\n${subject ?? ""}\n${text}`.toLowerCase().includes(wanted));
  const open = data?.find(({ id }) => id === url.open);
  const writes = may("conversations:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  return (
    <Page
      title="Templates"
      fill
      api={`GET /v1/message-templates?account_id=${account.id}${archived ? "&archived=true" : ""}`}
      foot={data && (archived ? `${data.length} archived` : `${data.length} of at most 500 in use`)}
      {...newAction("New template", writes && create)}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs
          label="Show"
          value={archived ? "archived" : ""}
          tabs={TABS}
          onChange={(show) => setUrl({ show, open: undefined })}
        />
        <Filter label="Filter templates" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
      </Bar>
      <Table
        label="Templates"
        columns={COLUMNS}
        list={allRows(shown, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={row.subject ?? row.text} end={CHANNELS[row.channel]} />}
        empty={<NoTemplates account={account} wanted={wanted} archived={archived} create={writes ? create : null} />}
      />
      {writes && url.new === "yes" && <CreateTemplate account={account} close={close} />}
      {open && <EditTemplate key={open.id} template={open} writes={writes} close={close} />}
    </Page>
  );
}

type NoneProps = { account: Account; wanted: string; archived: boolean; create: (() => void) | null };

function NoTemplates({ account, wanted, archived, create }: NoneProps) {
  const [, setUrl] = useUrl();
  if (wanted !== "")
    return (
      <Empty title="No template has this text" action={<Button onClick={() => setUrl({ q: undefined })}>Show all</Button>}>
        Neither in its name nor in its words.
      </Empty>
    );
  if (archived) return <Empty title="Nothing is archived">A template that is archived is here, and can be used again.</Empty>;
  return (
    <Empty
      title="What do you write again and again?"
      action={create && <Button onClick={create}>Create a template</Button>}
      curl={curl("POST /v1/message-templates", {
        account_id: account.id,
        name: "Welcome",
        channel: "email",
        subject: "Welcome, {{contact.name}}",
        text: "Dear {{contact.name}}, thank you for your call.",
      })}
    >
      A text with placeholders, which are filled in for each contact.
    </Empty>
  );
}
