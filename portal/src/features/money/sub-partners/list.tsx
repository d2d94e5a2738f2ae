import { ActionIcon, Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Bar, Export } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Amounts, amountsText, sums } from "../../../ui/money.tsx";
import { Monogram, Named } from "../../../ui/monogram.tsx";
import { curl, Loaded, Page } from "../../../ui/page.tsx";
import { State } from "../../../ui/state.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { When, whenColumn } from "../../../ui/when.tsx";
import { EXPORT, LIST_REQUEST, type SubPartner, useSubPartners } from "./data.ts";
import { type Invited, InviteSubPartner, Ready } from "./invite.tsx";
import classes from "./sub-partners.module.css";

const earned = ({ overrides }: SubPartner) => amountsText(overrides);
const clients = (count: number) => `${count} active client${count === 1 ? "" : "s"}`;

function PartnerState({ row }: { row: SubPartner }) {
  return <State tone={row.status === "active" ? "live" : "bad"}>{row.status}</State>;
}

const COLUMNS: readonly Column<SubPartner>[] = [
  {
    key: "company",
    head: "Company",
    width: "minmax(180px, 1.4fr)",
    cell: (row) => <Named mark={<Monogram name={row.company} />} name={row.company} />,
  },
  { key: "state", head: "State", width: "minmax(100px, .6fr)", cell: (row) => <PartnerState row={row} /> },
  {
    key: "grade",
    head: "Tier",
    width: "minmax(96px, .6fr)",
    from: 640,
    cell: (row) => <span className={classes.grade}>{row.grade}</span>,
  },
  { key: "clients", head: "Active clients", width: "112px", end: true, cell: (row) => row.active_clients },
  {
    key: "earned",
    head: "Earned through it",
    width: "minmax(128px, .8fr)",
    end: true,
    cell: (row) =>
      row.overrides.length === 0 ? <span className="muted">–</span> : <span className="strong">{earned(row)}</span>,
  },
  whenColumn({ key: "joined", head: "Joined", from: 800, at: (row) => row.joined_at, as: "day" }),
];

/** Whom did I bring in, and what do I earn through them? */
export default function SubPartnerList() {
  const [url, setUrl] = useUrl();
  const list = useSubPartners();
  const may = useMay();
  const go = useGo();
  const [invited, setInvited] = useState<Invited | null>(null);
  const invites = may("account:write");
  const invite = () => setUrl({ new: "yes" }, true);
  const close = () => setUrl({ new: undefined });
  return (
    <Page
      title="Sub-partners"
      fill
      api={LIST_REQUEST}
      foot={<Loaded list={list} selects={false} />}
      actions={
        invites && (
          <Button leftSection={<Plus />} onClick={invite}>
            Invite sub-partner
          </Button>
        )
      }
      phoneAction={
        invites && (
          <ActionIcon size={44} aria-label="Invite sub-partner" onClick={invite}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      <Table
        label="Sub-partners"
        above={list.rows.length > 0 && <Above rows={list.rows} more={list.more} />}
        columns={COLUMNS}
        list={list}
        id={(row) => row.partner_id}
        name={(row) => row.company}
        {...(may("commissions:read") ? { onOpen: (row: SubPartner) => go(`/earn/commissions?partner=${row.partner_id}`) } : {})}
        phone={(row) => (
          <Lines
            mark={<Monogram name={row.company} size={32} />}
            title={row.company}
            note={
              <>
                <PartnerState row={row} /> {clients(row.active_clients)}
              </>
            }
            end={<b>{earned(row) || "–"}</b>}
            endNote={<When at={row.joined_at} as="day" />}
          />
        )}
        empty={
          <Empty
            title="Your first sub-partner"
            action={invites && <Button onClick={invite}>Invite sub-partner</Button>}
            curl={curl("POST /v1/partners/sub-partners", {
              company: "Fjord Studio",
              owner: { name: "Ida Fjord", email: "ida@fjord.example" },
            })}
          >
            Bring another agency into the programme. You then earn a share of every sale that it makes, beside what it earns
            itself.
          </Empty>
        }
      />
      {url.new === "yes" && invites && (
        <InviteSubPartner
          close={close}
          invited={(one) => {
            close();
            setInvited(one);
          }}
        />
      )}
      {invited && <Ready invited={invited} close={() => setInvited(null)} />}
    </Page>
  );
}

function Above({ rows, more }: { rows: readonly SubPartner[]; more: boolean }) {
  const totals = sums(rows.flatMap(({ overrides }) => overrides)).filter(({ amount_cents }) => amount_cents !== 0);
  return (
    <>
      <div className={classes.above}>
        <Answer sub="A share of each sale of theirs, and of those below them, beside what they earn. You see totals, not their clients.">
          {totals.length === 0 ? (
            "Nothing earned through sub-partners yet"
          ) : (
            <>
              You earned <Amounts amounts={totals} /> through <b>{more ? `${rows.length}+` : rows.length}</b> sub-partner
              {rows.length === 1 ? "" : "s"}
            </>
          )}
        </Answer>
      </div>
      <Bar>
        <span className={classes.gap} />
        <Export href={EXPORT} />
      </Bar>
    </>
  );
}
