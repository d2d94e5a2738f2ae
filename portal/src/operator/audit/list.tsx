import { Bar, Export, Tabs } from "../../ui/bar.tsx";
import { Changes } from "../../ui/changes.tsx";
import { Id } from "../../ui/copy.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { exactly, When, whenColumn } from "../../ui/when.tsx";
import { usePartnerNames } from "../partners/data.ts";
import { type AuditFilter, type Entry, exportAddress, listRequest, useEntries } from "./data.ts";

const TABS = [
  { value: "", name: "Actions" },
  { value: "denied", name: "Denied" },
  { value: "all", name: "All" },
];

type Names = ReadonlyMap<string, string>;

const actorOf = ({ actor }: Entry) => actor.name ?? (actor.type === "system" ? "The service" : actor.id);
const partnerOf = ({ partner_id }: Entry, names: Names) =>
  partner_id === null ? "Operator" : (names.get(partner_id) ?? partner_id);

const columnsOf = (names: Names): readonly Column<Entry>[] => [
  { key: "actor", head: "Who", width: "minmax(130px, 0.8fr)", cell: (row) => <span className="strong">{actorOf(row)}</span> },
  {
    key: "partner",
    head: "Of",
    width: "minmax(120px, 0.8fr)",
    cell: (row) => <span className="soft cut">{partnerOf(row, names)}</span>,
  },
  {
    key: "action",
    head: "What",
    width: "minmax(180px, 1.2fr)",
    cell: (row) => (
      <span className="cut">
        <span className="mono">{row.action}</span> {row.count > 1 && <span className="muted">× {row.count}</span>}
      </span>
    ),
  },
  {
    key: "outcome",
    head: "Outcome",
    width: "minmax(90px, 0.8fr)",
    from: 700,
    cell: (row) =>
      row.outcome === "denied" ? <State tone="bad">{row.code ?? "denied"}</State> : <span className="muted">done</span>,
  },
  { key: "target", head: "On", width: "130px", from: 900, cell: (row) => row.target && <Id>{row.target}</Id> },
  whenColumn({ key: "at", head: "When", width: "72px", at: (row) => row.occurred_at }),
];

function filterOf({ show, partner, action }: Readonly<Record<string, string | undefined>>): AuditFilter {
  const shown: AuditFilter = show === "denied" ? { outcome: "denied" } : show === "all" ? {} : { counted: false };
  return { ...shown, ...(partner ? { partner_id: partner } : {}), ...(action ? { action } : {}) };
}

export default function AuditLog() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useEntries(filter);
  const names = usePartnerNames(list.rows.flatMap(({ partner_id }) => (partner_id === null ? [] : [partner_id])));
  const chosen = list.rows.find(({ id }) => id === url.open);
  return (
    <Page title="Audit log" fill api={listRequest(filter)} foot={<Loaded list={list} keys={false} />}>
      <Bar>
        <Tabs label="Kind" value={url.show ?? ""} tabs={TABS} onChange={(show) => setUrl({ show })}>
          {url.partner && (
            <button type="button" aria-pressed onClick={() => setUrl({ partner: undefined })}>
              {names.get(url.partner) ?? "One partner"} ×
            </button>
          )}
        </Tabs>
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Audit entries"
        columns={columnsOf(names)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.action}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        phone={(row) => (
          <Lines
            title={actorOf(row)}
            note={<span className="mono">{row.action}</span>}
            end={<When muted at={row.occurred_at} />}
          />
        )}
        empty={
          <Empty title="Nothing matches">Every change and every refusal stands here, of all partners and of the operator.</Empty>
        }
      />
      {chosen && <OneEntry entry={chosen} partner={partnerOf(chosen, names)} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function OneEntry({ entry, partner, close }: { entry: Entry; partner: string; close(): void }) {
  return (
    <Panel title={<code>{entry.action}</code>} close={close}>
      <Facts
        rows={[
          ["Who", actorOf(entry)],
          [
            "Of",
            entry.partner_id ? (
              <Link key="of" className="link" to={`/partners/${entry.partner_id}`}>
                {partner}
              </Link>
            ) : (
              partner
            ),
          ],
          ["When", exactly(entry.occurred_at)],
          ["Outcome", entry.outcome === "denied" ? `denied: ${entry.code ?? ""}` : "done"],
          ["Times", entry.count > 1 ? entry.count : null],
          ["Target", entry.target && <Id key="target">{entry.target}</Id>],
          ["Address", entry.ip],
          ["Request", entry.request_id && <Id key="request">{entry.request_id}</Id>],
          ["Entry", <Id key="id">{entry.id}</Id>],
        ]}
      />
      <Changes changes={entry.changes} />
    </Panel>
  );
}
