import { Button } from "@mantine/core";
import { Empty } from "../../../ui/empty.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Named } from "../../../ui/monogram.tsx";
import { spaced } from "../../../ui/phone.ts";
import { type Column, Table } from "../../../ui/table.tsx";
import type { Account } from "../records/data.ts";
import { type Contact, type Pair, useDuplicates } from "./data.ts";

const Person = ({ contact }: { contact: Contact | undefined }) => <Named name={contact?.name} note={spaced(contact?.phone)} />;

/** Contacts with similar names, two by two, and the way to make them one. */
export function Duplicates({ account, writes }: { account: Account; writes: boolean }) {
  const list = useDuplicates(account.id, true);
  const go = useGo();
  const addressOf = ({ contacts: [newer, older] }: Pair) => `/crm/${account.id}/contacts/${older?.id}/merge?with=${newer?.id}`;
  const columns: Column<Pair>[] = [
    { key: "older", head: "Older", width: "minmax(160px, 1fr)", cell: (row) => <Person contact={row.contacts[1]} /> },
    { key: "newer", head: "Newer", width: "minmax(160px, 1fr)", cell: (row) => <Person contact={row.contacts[0]} /> },
    {
      key: "alike",
      head: "Names alike",
      width: "96px",
      end: true,
      from: 560,
      cell: (row) => <span className="soft">{Math.round(row.score * 100)}%</span>,
    },
    {
      key: "company",
      head: "Company",
      width: "88px",
      from: 700,
      cell: (row) => <span className="soft">{row.same_company ? "the same" : ""}</span>,
    },
  ];
  return (
    <Table
      label="Likely duplicates"
      columns={columns}
      list={list}
      id={(row) => row.contacts.map(({ id }) => id).join(" ")}
      name={(row) => row.contacts.map(({ name }) => name).join(" and ")}
      {...(writes ? { onOpen: (row: Pair) => go(addressOf(row)) } : {})}
      empty={
        <Empty
          title="No two look alike"
          action={
            list.more && (
              <Button variant="default" loading={list.loadingMore} onClick={list.loadMore}>
                Compare older contacts
              </Button>
            )
          }
        >
          Contacts with similar names would stand here, two by two, ready to be merged.
        </Empty>
      }
    />
  );
}
