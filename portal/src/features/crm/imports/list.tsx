import { ActionIcon, Button } from "@mantine/core";
import { Upload } from "lucide-react";
import { useMay } from "../../../api/session.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When, whenColumn } from "../../../ui/when.tsx";
import { InAccount, ReadOnly } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { usePersonName } from "../records/people.tsx";
import { type Import, isActive, listRequest, useImports } from "./data.ts";
import { count, ImportState, NAMES, rowsText } from "./status.tsx";

export default function ImportsPage() {
  return <InAccount title="Imports">{(account) => <ImportList account={account} />}</InAccount>;
}

const titleOf = ({ dry_run, resource }: Import) => `${dry_run ? "Check of" : "Import of"} ${NAMES[resource]}`;

function useColumns(): readonly Column<Import>[] {
  const nameOf = usePersonName();
  const number = (key: "created" | "updated" | "failed", head: string): Column<Import> => ({
    key,
    head,
    width: "80px",
    end: true,
    from: 620,
    cell: (row) => <span className={row[key] > 0 ? "strong" : "muted"}>{count(row[key])}</span>,
  });
  return [
    { key: "what", head: "What", width: "minmax(150px, 1.4fr)", cell: (row) => <b className="strong cut">{titleOf(row)}</b> },
    {
      key: "state",
      head: "State",
      width: "minmax(110px, 1fr)",
      cell: (row) => (isActive(row) ? <Progress label={titleOf(row)} value={row.progress} /> : <ImportState of={row} />),
    },
    {
      key: "by",
      head: "By",
      width: "minmax(100px, 0.8fr)",
      from: 900,
      cell: (row) => <span className="soft cut">{nameOf(row.created_by)}</span>,
    },
    { key: "rows", head: "Rows", width: "80px", end: true, cell: (row) => <span className="soft">{count(row.total)}</span> },
    number("created", "Created"),
    number("updated", "Updated"),
    number("failed", "Failed"),
    whenColumn({ key: "at", head: "Sent", at: (row) => row.created_at }),
  ];
}

function ImportList({ account }: { account: Account }) {
  const list = useImports(account.id);
  const columns = useColumns();
  const may = useMay();
  const go = useGo();
  const writes = may("contacts:write") && account.readOnly === null;
  const create = () => go(`/crm/${account.id}/imports/new`);
  return (
    <Page
      title="Imports"
      fill
      api={listRequest(account.id)}
      foot={<Loaded list={list} selects={false} />}
      actions={
        writes && (
          <Button leftSection={<Upload />} onClick={create}>
            New import
          </Button>
        )
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="New import" onClick={create}>
            <Upload size={20} />
          </ActionIcon>
        )
      }
    >
      <ReadOnly account={account} />
      <Table
        label="Imports"
        columns={columns}
        list={list}
        id={(row) => row.id}
        name={titleOf}
        onOpen={(row) => go(`/crm/${account.id}/imports/${row.id}`)}
        phone={(row) => (
          <Lines
            title={titleOf(row)}
            note={
              <>
                <ImportState of={row} /> {rowsText(row.total)}
                {row.failed > 0 && `, ${count(row.failed)} failed`}
              </>
            }
            end={<When muted at={row.created_at} />}
          />
        )}
        empty={
          <Empty title="Nothing has been imported yet" action={writes && <Button onClick={create}>Import a CSV file</Button>}>
            Bring contacts, leads or deals from a spreadsheet. The file is checked first, and an import can be taken back for 30
            days.
          </Empty>
        }
      />
    </Page>
  );
}
