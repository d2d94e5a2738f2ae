import { useMay } from "../../api/session.ts";
import { useViews } from "../../api/views.ts";
import { Bar, Export, Filter, Tabs } from "../../ui/bar.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Monogram, Named } from "../../ui/monogram.tsx";
import { SavedViews } from "../../ui/saved-views.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import type { Pipeline } from "../pipelines/data.ts";
import { worthOf } from "./board-model.ts";
import { type Deal, type DealFilter, type DealStatus, exportAddress, SORTS, type useDeals } from "./data.ts";
import classes from "./deals.module.css";
import { titleOf } from "./moves.tsx";
import { daysOver } from "./track.tsx";
import { DealValue, daysText, RegistrationState } from "./value.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "open", name: "Open" },
  { value: "won", name: "Won" },
  { value: "lost", name: "Lost" },
] as const;

/** What the address says the table is narrowed to. */
export function filterOf(url: Readonly<Record<string, string | undefined>>, account_id: string): DealFilter {
  const status = TABS.find(({ value }) => value !== "" && value === url.state)?.value as DealStatus | undefined;
  return {
    account_id,
    sort: SORTS.find((known) => known === url.sort) ?? "-created_at",
    ...(url.pipeline ? { pipeline_id: url.pipeline } : {}),
    ...(status ? { status } : {}),
    ...(url.q ? { q: url.q } : {}),
  };
}

/** How far, as bars; the word says where. */
function StageBars({ deal, pipelines }: { deal: Deal; pipelines: readonly Pipeline[] }) {
  const stages = pipelines.find(({ id }) => id === deal.pipeline_id)?.stages.filter(({ type }) => type !== "lost") ?? [];
  const at = stages.findIndex(({ id }) => id === deal.stage_id);
  return (
    <span className={classes.stage}>
      <i data-type={deal.status} aria-hidden>
        {stages.map(({ id }, index) => (
          <span key={id} data-on={index <= at || undefined} />
        ))}
      </i>
      <span className="cut">{deal.stage}</span>
    </span>
  );
}

function DaysIn({ deal, pipelines }: { deal: Deal; pipelines: readonly Pipeline[] }) {
  if (deal.status !== "open") return null;
  const over = daysOver(
    deal,
    pipelines.find(({ id }) => id === deal.pipeline_id),
  );
  return <span className={over > 0 ? classes.late : "muted"}>{daysText(deal.days_in_stage, over)}</span>;
}

const columnsOf = (pipelines: readonly Pipeline[], sales: boolean): readonly Column<Deal>[] => [
  {
    key: "name",
    head: sales ? "Company" : "Deal",
    width: "minmax(180px, 1.2fr)",
    sorts: ["name"],
    cell: (row) => <Named mark={<Monogram name={titleOf(row)} />} name={titleOf(row)} />,
  },
  { key: "stage", head: "Stage", width: "136px", cell: (row) => <StageBars deal={row} pipelines={pipelines} /> },
  {
    key: "value",
    head: "Value",
    width: "112px",
    end: true,
    sorts: ["-amount_cents"],
    cell: (row) => (
      <span className="strong">
        <DealValue value={worthOf(row)} whole={false} />
      </span>
    ),
  },
  {
    key: "days",
    head: "In stage",
    width: "72px",
    end: true,
    from: 560,
    cell: (row) => <DaysIn deal={row} pipelines={pipelines} />,
  },
  sales
    ? {
        key: "registration",
        head: "Registration",
        width: "112px",
        from: 720,
        cell: (row) => row.registration && <RegistrationState registration={row.registration} />,
      }
    : {
        key: "plan",
        head: "Tags",
        width: "112px",
        from: 720,
        cell: (row) => <span className="soft">{row.tags.join(", ")}</span>,
      },
  ...(sales
    ? [{ key: "plan", head: "Plan", width: "88px", from: 840, cell: (row: Deal) => <span className="soft">{row.plan}</span> }]
    : []),
  whenColumn({
    key: "closes",
    head: "Closes",
    width: "72px",
    from: 900,
    sorts: ["expected_close_on"],
    at: (row) => row.expected_close_on,
    as: "day",
  }),
  whenColumn({
    key: "created",
    head: "Created",
    width: "76px",
    from: 640,
    sorts: ["-created_at", "created_at"],
    at: (row) => row.created_at,
    as: "day",
  }),
];

type Props = {
  filter: DealFilter;
  list: ReturnType<typeof useDeals>;
  pipelines: readonly Pipeline[];
  sales: boolean;
  /** The address of the page. */
  base: string;
  empty: React.ReactNode;
  children?: React.ReactNode;
};

export function DealTable({ filter, list, pipelines, sales, base, empty, children }: Props) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const views = useViews("deals", base.startsWith("/crm") ? filter.account_id : null);
  return (
    <>
      <Bar>
        <Tabs label="State" value={filter.status ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })}>
          <SavedViews at={base} {...views} />
        </Tabs>
        <Filter label="Filter deals" value={filter.q ?? ""} onChange={(q) => setUrl({ q })} />
        {children}
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Deals"
        columns={columnsOf(pipelines, sales)}
        list={list}
        id={(row) => row.id}
        name={titleOf}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, won: undefined, edit: undefined }, true)}
        sort={{ by: filter.sort, set: (sort) => setUrl({ sort }) }}
        phone={(row) => <DealLines row={row} pipelines={pipelines} />}
        keys={may("deals:write") ? { e: (row) => setUrl({ open: row.id, edit: "yes" }, true) } : {}}
        empty={empty}
      />
    </>
  );
}

/** A deal on a phone. */
function DealLines({ row, pipelines }: { row: Deal; pipelines: readonly Pipeline[] }) {
  return (
    <Lines
      title={titleOf(row)}
      note={<StageBars deal={row} pipelines={pipelines} />}
      end={
        <b>
          <DealValue value={worthOf(row)} whole={false} />
        </b>
      }
      endNote={<DaysIn deal={row} pipelines={pipelines} />}
    />
  );
}
