import { ActionIcon, Button } from "@mantine/core";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Bar } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Monogram, Named } from "../../ui/monogram.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { useClientNames } from "../clients/data.ts";
import { LIST_REQUEST, type User, useUsers } from "./data.ts";
import { type Invitation, InvitationReady, InviteUser } from "./invite.tsx";
import { OneUser } from "./one.tsx";
import { ROLES, roleName } from "./roles.ts";
import classes from "./users.module.css";

function columnsOf(own: string, clients: ReadonlyMap<string, string>): readonly Column<User>[] {
  const accountsOf = ({ accounts }: User) =>
    accounts === "all"
      ? "all"
      : accounts.length === 1
        ? (clients.get(accounts[0] ?? "") ?? "1 client")
        : `${accounts.length} clients`;
  return [
    {
      key: "name",
      head: "Name",
      width: "minmax(200px, 1.2fr)",
      cell: (row) => (
        <Named
          mark={<Monogram name={row.name} person />}
          name={row.name}
          note={row.id === own ? `you, ${row.email}` : row.email}
        />
      ),
    },
    {
      key: "role",
      head: "Role",
      width: "minmax(110px, .5fr)",
      cell: (row) => <span title={ROLES.find(({ value }) => value === row.role)?.may}>{roleName(row.role)}</span>,
    },
    {
      key: "accounts",
      head: "Accounts",
      width: "minmax(100px, .5fr)",
      from: 700,
      cell: (row) => <span className="soft">{accountsOf(row)}</span>,
    },
    {
      key: "state",
      head: "State",
      width: "88px",
      cell: (row) => <State tone={row.state === "active" ? "live" : "wait"}>{row.state}</State>,
    },
    whenColumn({ key: "seen", head: "Last seen", at: (row) => row.last_seen_at, never: "never" }),
    whenColumn({ key: "since", head: "Since", from: 640, at: (row) => row.created_at, as: "day" }),
  ];
}

/** "3 people, 1 is invited. 1 owner." */
function answerOf(rows: readonly User[], more: boolean): string {
  const invited = rows.filter(({ state }) => state === "invited").length;
  const owners = rows.filter(({ role, state }) => role === "owner" && state === "active").length;
  const people = `${rows.length}${more ? "+" : ""} ${rows.length === 1 ? "person" : "people"}`;
  const waits = invited === 0 ? "" : `, ${invited} of them invited`;
  return `${people}${waits}. ${owners} ${owners === 1 ? "owner" : "owners"} can sign in.`;
}

export default function Team() {
  const [url, setUrl] = useUrl();
  const list = useUsers();
  const session = useSession();
  const writes = useMay()("account:write") && isPartnerWide(session);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const names = useClientNames(
    list.rows.flatMap(({ accounts }) => (accounts !== "all" && accounts.length === 1 ? accounts : [])).slice(0, 20),
  );
  const open = list.rows.find(({ id }) => id === url.open);
  const invite = () => setUrl({ new: "yes", open: undefined }, true);
  return (
    <Page
      title="Team"
      trail={[["Settings", "/settings/company"]]}
      fill
      api={LIST_REQUEST}
      foot={<Loaded list={list} keys={false} />}
      actions={
        writes && (
          <Button leftSection={<UserPlus />} onClick={invite}>
            Invite
          </Button>
        )
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="Invite" onClick={invite}>
            <UserPlus size={20} />
          </ActionIcon>
        )
      }
    >
      {list.rows.length > 0 && (
        <Bar>
          <p className={classes.lead}>
            {answerOf(list.rows, list.more)} {!writes && "Owners and administrators invite people and change roles."}
          </p>
        </Bar>
      )}
      <Table
        label="People"
        columns={columnsOf(session.user.id, names)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        {...(writes ? { onOpen: (row: User) => setUrl({ open: row.id, new: undefined }, true) } : {})}
        open={open?.id}
        phone={(row) => (
          <Lines
            title={row.name}
            note={row.email}
            end={<State tone={row.state === "active" ? "live" : "wait"}>{row.state}</State>}
            endNote={roleName(row.role)}
          />
        )}
        empty={
          <Empty title="Nobody is here yet" action={writes && <Button onClick={invite}>Invite</Button>}>
            People sign in to this portal with their own address and role.
          </Empty>
        }
      />
      {url.new === "yes" && writes && (
        <InviteUser
          close={() => setUrl({ new: undefined })}
          invited={(made) => {
            setUrl({ new: undefined });
            setInvitation(made);
          }}
        />
      )}
      {open && writes && (
        <OneUser
          key={`${open.id} ${open.version}`}
          user={open}
          close={() => setUrl({ open: undefined })}
          invited={setInvitation}
        />
      )}
      {invitation && <InvitationReady invitation={invitation} close={() => setInvitation(null)} />}
    </Page>
  );
}
