import { Button } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { Bar, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { Named } from "../../../ui/monogram.tsx";
import { curl, newAction, Page } from "../../../ui/page.tsx";
import { State } from "../../../ui/state.tsx";
import { allRows, type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { InAccount, ReadOnly } from "../records/account.tsx";
import { type Account, type Resource, useCustomFields } from "../records/data.ts";
import type { CustomField } from "./data.ts";
import { CreateField, EditField } from "./form.tsx";
import { RESOURCES, TYPES } from "./types.ts";

const TABS = [{ value: "", name: "All" }, ...Object.entries(RESOURCES).map(([value, name]) => ({ value, name }))];

const COLUMNS: readonly Column<CustomField>[] = [
  {
    key: "label",
    head: "Name",
    width: "minmax(160px, 1.4fr)",
    cell: (row) => <Named name={row.label} note={<span className="mono">{row.key}</span>} />,
  },
  { key: "resource", head: "Of", width: "88px", cell: (row) => <span className="soft">{RESOURCES[row.resource]}</span> },
  { key: "type", head: "Holds", width: "128px", cell: (row) => <span className="soft">{TYPES[row.type].name}</span> },
  {
    key: "options",
    head: "Options",
    width: "minmax(120px, 1.2fr)",
    from: 820,
    cell: (row) => <span className="muted cut">{row.options.join(", ")}</span>,
  },
  {
    key: "required",
    head: "Required",
    width: "80px",
    from: 640,
    cell: (row) => <span className="soft">{row.required ? "yes" : ""}</span>,
  },
  {
    key: "state",
    head: "State",
    width: "96px",
    cell: (row) => <State tone={row.archived ? "ended" : "live"}>{row.archived ? "archived" : "in use"}</State>,
  },
];

export default function CustomFieldsPage() {
  return <InAccount title="Custom fields">{(account) => <FieldList account={account} />}</InAccount>;
}

function FieldList({ account }: { account: Account }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const { data, error, refetch } = useCustomFields(account.id);
  const resource = (Object.keys(RESOURCES) as Resource[]).find((known) => known === url.of);
  const shown = data?.filter((field) => resource === undefined || field.resource === resource);
  const open = data?.find(({ id }) => id === url.open);
  const writes = may("contacts:write") && account.readOnly === null;
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const close = () => setUrl({ new: undefined, open: undefined });
  return (
    <Page
      title="Custom fields"
      fill
      api={`GET /v1/custom-fields?account_id=${account.id}`}
      foot={data && `${data.length} of at most 100 for each kind of record`}
      {...newAction("New field", writes && create)}
    >
      <ReadOnly account={account} />
      <Bar>
        <Tabs label="Of" value={resource ?? ""} tabs={TABS} onChange={(of) => setUrl({ of })} />
      </Bar>
      <Table
        label="Custom fields"
        columns={COLUMNS}
        list={allRows(shown, error, () => void refetch())}
        id={(row) => row.id}
        name={(row) => row.label}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => (
          <Lines
            title={row.label}
            note={`${RESOURCES[row.resource]}, ${TYPES[row.type].name.toLowerCase()}`}
            end={<State tone={row.archived ? "ended" : "live"}>{row.archived ? "archived" : "in use"}</State>}
          />
        )}
        empty={
          <Empty
            title="What else do you keep about people?"
            action={writes && <Button onClick={create}>Create a field</Button>}
            curl={curl("POST /v1/custom-fields", {
              account_id: account.id,
              resource: "contact",
              key: "shoe_size",
              type: "select",
              label: "Shoe size",
              options: ["41", "42"],
            })}
          >
            A field of its own, such as a shoe size or the date of the next visit, can be filtered by, imported and exported.
          </Empty>
        }
      />
      {writes && url.new === "yes" && <CreateField account={account} resource={resource ?? "contact"} close={close} />}
      {open && <EditField key={`${open.id} ${open.version}`} field={open} writes={writes} close={close} />}
    </Page>
  );
}
