import { Button } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { Bar, Filter } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { curl, newAction, Page } from "../../../ui/page.tsx";
import { Tag as Chip } from "../../../ui/section.tsx";
import { allRows, type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { type Tag, useTags } from "./data.ts";
import { CreateTag, EditTag } from "./form.tsx";

const COLUMNS: readonly Column<Tag>[] = [
  { key: "name", head: "Tag", width: "minmax(140px, 1fr)", cell: (row) => <Chip>{row.name}</Chip> },
  {
    key: "description",
    head: "What it stands for",
    width: "minmax(160px, 2fr)",
    cell: (row) => <span className="soft cut">{row.description}</span>,
  },
  whenColumn({ key: "updated_at", head: "Changed", from: 640, at: (row) => row.updated_at }),
];

export default function TagsPage() {
  return <InAccount title="Tags">{(account) => <TagList account={account} />}</InAccount>;
}

function TagList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const { data, error, refetch } = useTags(account.id);
  const wanted = (url.q ?? "").toLowerCase();
  const shown = data?.filter(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase().includes(wanted));
  const open = data?.find(({ id }) => id === url.open);
  const writes = may("contacts:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  return (
    <Page
      title="Tags"
      fill
      api={`GET /v1/tags?account_id=${account.id}`}
      foot={data && `${data.length} of at most 500. Records may have others`}
      {...newAction("New tag", writes && create)}
    >
      <ReadOnly account={account} />
      {data !== undefined && data.length > 0 && (
        <Bar>
          <Filter label="Filter tags" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
        </Bar>
      )}
      <Table
        label="Tags"
        columns={COLUMNS}
        list={allRows(shown, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={row.description ?? ""} />}
        empty={
          wanted === "" ? (
            <Empty
              title="Which tags should everybody use?"
              action={writes && <Button onClick={create}>Create a tag</Button>}
              curl={curl("POST /v1/tags", { account_id: account.id, name: "VIP", description: "Answers within an hour" })}
            >
              Forms of contacts and leads offer these tags, so that one thing has one name.
            </Empty>
          ) : (
            <Empty title="No tag has this text" action={<Button onClick={() => setUrl({ q: undefined })}>Show all</Button>}>
              Neither in its name nor in what it stands for.
            </Empty>
          )
        }
      />
      {writes && url.new === "yes" && <CreateTag account={account} close={close} />}
      {open && <EditTag key={open.id} tag={open} writes={writes} close={close} />}
    </Page>
  );
}
