import { ActionIcon, Button } from "@mantine/core";
import { Plus, Upload } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Bar, Export, Filter, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { useGo } from "../../../ui/link.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { InAccount, ReadOnly } from "../records/account.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { FilterChips, Filters, filterQuery, filtersOf } from "../records/filters.tsx";
import { BulkBar } from "./bulk.tsx";
import { ContactLines, useContactColumns } from "./columns.tsx";
import { CreateContact } from "./create.tsx";
import { exportAddress, listRequest, SORTS, useContacts } from "./data.ts";
import { Duplicates } from "./duplicates.tsx";
import { ContactPanel } from "./panel.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "duplicates", name: "Likely duplicates" },
];

export default function ContactsPage() {
  return <InAccount title="Contacts">{(account) => <ContactList key={account.id} account={account} />}</InAccount>;
}

function ContactList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const go = useGo();
  const writes = may("contacts:write") && account.readOnly === null;
  const base = `/crm/${account.id}`;
  const create = () => setUrl({ new: "yes" }, true);
  const pairs = url.tab === "duplicates";
  const all = useListRequest(account);
  return (
    <Page
      title="Contacts"
      fill
      {...(pairs ? { api: `GET /v1/contacts/duplicates?account_id=${account.id}` } : all)}
      actions={
        writes && (
          <>
            <Button variant="subtle" leftSection={<Upload />} onClick={() => go(`${base}/imports/new?resource=contact`)}>
              Import
            </Button>
            <Button leftSection={<Plus />} onClick={create}>
              New contact
            </Button>
          </>
        )
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="New contact" onClick={create}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      <ReadOnly account={account} />
      {pairs ? (
        <>
          <Bar>
            <Tabs label="Contacts" value="duplicates" tabs={TABS} onChange={(tab) => setUrl({ tab })} />
          </Bar>
          <Duplicates account={account} writes={writes} />
        </>
      ) : (
        <AllContacts account={account} writes={writes} create={create} />
      )}
      {writes && url.new === "yes" && <CreateContact account={account} close={() => setUrl({ new: undefined })} />}
      {url.open && (
        <ContactPanel key={url.open} account={account} id={url.open} writes={writes} close={() => setUrl({ open: undefined })} />
      )}
    </Page>
  );
}

function useFilter(account: Account) {
  const [url] = useUrl();
  const sort = SORTS.find((known) => known === url.sort) ?? "-created_at";
  return { account_id: account.id, sort, ...filterQuery(url) };
}

function useListRequest(account: Account) {
  const filter = useFilter(account);
  const list = useContacts(filter);
  return { api: listRequest(filter), foot: <Loaded list={list} /> };
}

type Props = { account: Account; writes: boolean; create(): void };

function AllContacts({ account, writes, create }: Props) {
  const [url, setUrl] = useUrl();
  const filter = useFilter(account);
  const list = useContacts(filter);
  const go = useGo();
  const fields = useCustomFields(account.id, "contact").data ?? [];
  const columns = useContactColumns();
  const views = useViews("contacts", account.id);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const base = `/crm/${account.id}/contacts`;
  const narrowed = Boolean(url.q) || filtersOf(url).length > 0;
  return (
    <>
      <Bar>
        <Tabs label="Contacts" value="" tabs={TABS} onChange={(tab) => setUrl({ tab, open: undefined })}>
          <SavedViews at={base} {...views} />
        </Tabs>
        <Filter label="Filter contacts" value={url.q ?? ""} onChange={(q) => setUrl({ q })} />
        <Filters url={url} setUrl={setUrl} fields={fields} />
        <Export href={exportAddress(filter)} />
      </Bar>
      <FilterChips url={url} setUrl={setUrl} fields={fields} />
      <Table
        label="Contacts"
        columns={columns}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        selection={writes ? { ids: chosen, set: setChosen } : undefined}
        sort={{ by: filter.sort, set: (sort) => setUrl({ sort }) }}
        phone={(row) => <ContactLines row={row} />}
        keys={{ e: (row) => writes && go(`${base}/${row.id}?edit=yes`) }}
        empty={narrowed ? <NoMatch all={() => go(base)} /> : <First account={account} writes={writes} create={create} />}
      />
      <BulkBar rows={list.rows.filter(({ id }) => chosen.includes(id))} clear={() => setChosen([])} />
    </>
  );
}

function NoMatch({ all }: { all(): void }) {
  return (
    <Empty
      title="Nobody matches"
      action={
        <Button variant="default" onClick={all}>
          Show all
        </Button>
      }
    >
      Nobody has this in name, address, phone, company or notes, with these filters.
    </Empty>
  );
}

function First({ account, writes, create }: Props) {
  const go = useGo();
  return (
    <Empty
      title="The first contact"
      action={
        writes && (
          <>
            <Button onClick={() => go(`/crm/${account.id}/imports/new?resource=contact`)}>Import a CSV file</Button>
            <Button variant="default" onClick={create}>
              Create one
            </Button>
          </>
        )
      }
      curl={curl("POST /v1/contacts", { account_id: account.id, name: "Ada Okafor", phone: "+14155552671" })}
    >
      Bring the people of {account.company} from a spreadsheet, or create one by hand. Leads that are converted come here too.
    </Empty>
  );
}
