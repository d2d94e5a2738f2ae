import { ActionIcon, Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useMay, useSession } from "../../api/session.ts";
import { Bar, Export } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { curl, Loaded, Page } from "../../ui/page.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { ago, day, When, whenColumn } from "../../ui/when.tsx";
import { useClientNames } from "../clients/data.ts";
import { AccessToApi, useIsApiClosed } from "./access.tsx";
import { CreateKey } from "./create.tsx";
import { EXPORT_ADDRESS, type Key, type KeyWithSecret, LIST_REQUEST, type Scope, useKeys } from "./data.ts";
import { EditKey } from "./edit.tsx";
import classes from "./keys.module.css";
import { isUsable, stateOf, summaryOf } from "./model.ts";
import { OneKey } from "./one.tsx";
import { KeyReady } from "./secret.tsx";

function Expiry({ at }: { at: string | null }) {
  if (at === null) return "never";
  const left_ms = Date.parse(at) - Date.now();
  return <span title={at}>{left_ms > 0 && left_ms < 14 * 86_400_000 ? `in ${ago(at)}` : day(at)}</span>;
}

function KeyState({ row }: { row: Key }) {
  const { tone, name } = stateOf(row);
  return <State tone={tone}>{name}</State>;
}

function columnsOf(every: readonly Scope[], clients: ReadonlyMap<string, string>): readonly Column<Key>[] {
  const clientsOf = ({ clients: of }: Key) =>
    of === "all" ? "all" : of.length === 1 ? (clients.get(of[0] ?? "") ?? "1 client") : `${of.length} clients`;
  return [
    { key: "name", head: "Name", width: "minmax(150px, 1fr)", cell: (row) => <b className="strong">{row.name}</b> },
    { key: "hint", head: "Key", width: "88px", cell: (row) => <span className="mono muted">trb_…{row.hint}</span> },
    { key: "state", head: "State", width: "112px", cell: (row) => <KeyState row={row} /> },
    {
      key: "scopes",
      head: "May",
      width: "minmax(110px, .6fr)",
      from: 700,
      cell: (row) => (
        <span className="soft" title={row.scopes.join("\n")}>
          {summaryOf(row.scopes, every)}
        </span>
      ),
    },
    {
      key: "clients",
      head: "Clients",
      width: "minmax(110px, .7fr)",
      from: 840,
      cell: (row) => <span className="soft">{clientsOf(row)}</span>,
    },
    whenColumn({ key: "used", head: "Last used", at: (row) => row.last_used_at, never: "never" }),
    {
      key: "expires",
      head: "Expires",
      width: "88px",
      end: true,
      from: 560,
      cell: (row) => <span className="muted">{row.revoked_at === null && <Expiry at={row.expires_at} />}</span>,
    },
  ];
}

/** "4 keys can call the API. One expires in 3 d." */
function answerOf(rows: readonly Key[], more: boolean, closed: boolean): string {
  const usable = rows.filter(isUsable);
  if (closed) return `${usable.length}${more ? "+" : ""} ${usable.length === 1 ? "key waits" : "keys wait"} for API access.`;
  const next = usable
    .filter((key) => stateOf(key).name === "expires soon")
    .sort((a, b) => ((a.expires_at ?? "") < (b.expires_at ?? "") ? -1 : 1))[0];
  const can = `${usable.length}${more ? "+" : ""} ${usable.length === 1 ? "key" : "keys"} can call the API.`;
  const expiry = next?.expires_at ? ` ${next.name} expires in ${ago(next.expires_at)}.` : "";
  const unused = usable.filter(({ last_used_at }) => last_used_at === null).length;
  return `${can}${expiry}${unused > 0 ? ` ${unused} ${unused === 1 ? "has" : "have"} never been used.` : ""}`;
}

export default function KeyList() {
  const [url, setUrl] = useUrl();
  const list = useKeys();
  const may = useMay();
  const own = useSession().scopes as readonly Scope[];
  const [ready, setReady] = useState<{ made: KeyWithSecret; rotated: boolean } | null>(null);
  const names = useClientNames(
    list.rows.flatMap(({ clients }) => (clients !== "all" && clients.length === 1 ? clients : [])).slice(0, 20),
  );
  const every = [...new Set([...own, ...list.rows.flatMap(({ scopes }) => scopes)])];
  const writes = may("keys:write");
  const closed = useIsApiClosed();
  const create = () => setUrl({ new: "yes", open: undefined, edit: undefined }, true);
  const open = list.rows.find(({ id }) => id === url.open);
  return (
    <Page
      title="API"
      trail={[["Settings", "/settings/company"]]}
      name="API keys"
      fill
      api={LIST_REQUEST}
      foot={<Loaded list={list} keys={false} />}
      actions={
        writes && (
          <Button leftSection={<Plus />} variant={closed ? "default" : "filled"} onClick={create}>
            Create key
          </Button>
        )
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label="Create key" onClick={create}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      <AccessToApi />
      {list.rows.length > 0 && (
        <Bar>
          <p className={classes.answer}>{answerOf(list.rows, list.more, closed)}</p>
          <Export href={EXPORT_ADDRESS} />
        </Bar>
      )}
      <Table
        label="API keys"
        columns={columnsOf(every, names)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        onOpen={(row) => setUrl({ open: row.id, edit: undefined, new: undefined }, true)}
        open={open?.id}
        phone={(row) => <KeyLines row={row} />}
        empty={
          <Empty
            title="No program calls us yet"
            action={writes && <Button onClick={create}>Create key</Button>}
            curl={curl("GET /v1/partners/me")}
          >
            A key lets a program of yours do what you choose, for the clients you choose. Its first call:
          </Empty>
        }
      />
      {url.new === "yes" && writes && (
        <CreateKey
          close={() => setUrl({ new: undefined })}
          created={(made) => {
            setUrl({ new: undefined });
            setReady({ made, rotated: false });
          }}
        />
      )}
      {open && url.edit !== "yes" && (
        <OneKey
          key={open.id}
          shown={open}
          close={() => setUrl({ open: undefined })}
          edit={() => setUrl({ edit: "yes" }, true)}
          rotated={(made) => setReady({ made, rotated: true })}
        />
      )}
      {open && url.edit === "yes" && writes && (
        <EditKey key={open.version} shown={open} close={() => setUrl({ edit: undefined })} />
      )}
      {ready && <KeyReady {...ready} close={() => setReady(null)} />}
    </Page>
  );
}

function KeyLines({ row }: { row: Key }) {
  return (
    <Lines
      title={row.name}
      note={<span className="mono">trb_…{row.hint}</span>}
      end={<KeyState row={row} />}
      endNote={<When at={row.last_used_at} never="never used" />}
    />
  );
}
