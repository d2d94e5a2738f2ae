import { Button } from "@mantine/core";
import { isPartnerWide, useMay, useSession } from "../../../api/session.ts";
import { Bar, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { curl, newAction, Page } from "../../../ui/page.tsx";
import { State } from "../../../ui/state.tsx";
import { allRows, type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../../crm/records/account.tsx";
import type { Account } from "../../crm/records/data.ts";
import { listRequest, type Provider, useProviders } from "./data.ts";
import { CreateProvider } from "./form.tsx";
import { KINDS } from "./kinds.ts";
import { ProviderPanel } from "./one.tsx";

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

function ProviderState({ provider: { status, archived_at } }: { provider: Provider }) {
  if (archived_at !== null) return <State tone="ended">archived</State>;
  return <State tone={status === "active" ? "live" : "wait"}>{status}</State>;
}

const columnsOf = (account: Account): readonly Column<Provider>[] => [
  { key: "name", head: "Name", width: "minmax(140px, 1fr)", cell: (row) => <b className="cut">{row.name}</b> },
  { key: "kind", head: "Kind", width: "112px", cell: (row) => <span className="soft">{KINDS[row.kind].name}</span> },
  {
    key: "for",
    head: "Collects for",
    width: "minmax(140px, 1fr)",
    from: 640,
    cell: (row) => <span className="soft cut">{row.account_id === null ? "All accounts" : account.company}</span>,
  },
  { key: "status", head: "Status", width: "96px", cell: (row) => <ProviderState provider={row} /> },
  whenColumn({ key: "changed", head: "Changed", from: 560, at: (row) => row.updated_at }),
];

export default function ProvidersPage() {
  return <InAccount title="Payment providers">{(account) => <ProviderList key={account.id} account={account} />}</InAccount>;
}

/** Who collects the money? */
function ProviderList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const archived = url.show === "archived";
  const { data, error, refetch } = useProviders(account.id, archived);
  const session = useSession();
  const open = data?.find(({ id }) => id === url.open);
  const writes = useMay()("billing:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  const first = archived ? undefined : data?.find(({ status }) => status === "active");
  return (
    <Page
      title="Payment providers"
      fill
      api={listRequest(archived)}
      foot={
        first
          ? `New links are paid by ${first.name}`
          : data && (archived ? `${data.length} archived` : "Links cannot be paid online")
      }
      {...newAction("New provider", writes && create)}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs
          label="Show"
          value={archived ? "archived" : ""}
          tabs={TABS}
          onChange={(show) => setUrl({ show, open: undefined })}
        />
      </Bar>
      <Table
        label="Payment providers"
        columns={columnsOf(account)}
        list={allRows(data, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => <Lines title={row.name} note={KINDS[row.kind].name} end={<ProviderState provider={row} />} />}
        empty={<None account={account} archived={archived} create={writes ? create : undefined} />}
      />
      {writes && url.new === "yes" && <CreateProvider account={account} close={close} />}
      {open && (
        <ProviderPanel
          key={open.id}
          account={account}
          provider={open}
          writes={writes && (open.account_id !== null || isPartnerWide(session))}
          close={close}
        />
      )}
    </Page>
  );
}

type NoneProps = { account: Account; archived: boolean; create: (() => void) | undefined };

function None({ account, archived, create }: NoneProps) {
  if (archived) return <Empty title="Nothing is archived">What was paid by an archived provider can still be refunded.</Empty>;
  return (
    <Empty
      title="Who collects your money?"
      action={create && <Button onClick={create}>Add a provider</Button>}
      curl={curl("POST /v1/billing/providers", { account_id: account.id, kind: "test", name: "Trial" })}
    >
      A provider takes the payments of {account.company}. Without one, the page of a link can only say whom to ask.
    </Empty>
  );
}
