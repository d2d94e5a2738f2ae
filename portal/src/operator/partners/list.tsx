import { Button, Select } from "@mantine/core";
import { Bar, Filter, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { gradeName } from "../../ui/grade.ts";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { Monogram, Named } from "../../ui/monogram.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { useGrades } from "../tiers/data.ts";
import { CreatePartner } from "./create.tsx";
import { listRequest, type Partner, type PartnerFilter, usePartners } from "./data.ts";
import { PartnerState } from "./status.tsx";

const TABS = [
  { value: "", name: "All" },
  { value: "active", name: "Active" },
  { value: "suspended", name: "Suspended" },
  { value: "without", name: "Without API access" },
];

const COLUMNS: readonly Column<Partner>[] = [
  {
    key: "company",
    head: "Company",
    width: "minmax(180px, 1.4fr)",
    cell: (row) => <Named mark={<Monogram name={row.company} />} name={row.company} />,
  },
  { key: "state", head: "State", width: "minmax(110px, 0.8fr)", cell: (row) => <PartnerState partner={row} /> },
  { key: "grade", head: "Tier", width: "100px", cell: (row) => <span className="soft">{gradeName(row.grade)}</span> },
  {
    key: "owner",
    head: "Owner",
    width: "minmax(150px, 1.6fr)",
    from: 760,
    cell: (row) => (
      <span className="cut">
        {row.owner?.name} <span className="muted">{row.owner?.email}</span>
      </span>
    ),
  },
  {
    key: "api",
    head: "API",
    width: "80px",
    from: 620,
    cell: (row) => <span className={row.api_access ? "soft" : "muted"}>{row.api_access ? "open" : "closed"}</span>,
  },
  {
    key: "currency",
    head: "Currency",
    width: "76px",
    from: 900,
    cell: (row) => <span className="soft">{row.currency.toUpperCase()}</span>,
  },
  whenColumn({ key: "created", head: "Since", at: (row) => row.created_at, as: "day" }),
];

function filterOf(url: Readonly<Record<string, string | undefined>>): PartnerFilter {
  const status = url.state === "active" || url.state === "suspended" ? { status: url.state as Partner["status"] } : {};
  return {
    ...status,
    ...(url.state === "without" ? { access: false } : {}),
    ...(url.q ? { q: url.q } : {}),
    ...(url.grade ? { grade: url.grade } : {}),
  };
}

export default function PartnerList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = usePartners(filter);
  const go = useGo();
  const grades = useGrades();
  const create = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Partners"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New partner", create)}
    >
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
        <Select
          className="only-desk"
          aria-label="Tier"
          placeholder="All tiers"
          clearable
          w={140}
          data={grades}
          value={url.grade ?? null}
          onChange={(grade) => setUrl({ grade: grade ?? undefined })}
        />
        <Filter label="Filter partners" value={filter.q ?? ""} onChange={(q) => setUrl({ q })} />
      </Bar>
      <Table
        label="Partners"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.company}
        onOpen={(row) => go(`/partners/${row.id}`)}
        phone={(row) => <PartnerLines row={row} />}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty
              title="No partner matches"
              action={
                <Button variant="default" onClick={() => go("/partners")}>
                  Show all
                </Button>
              }
            >
              The filter looks at the beginning of the company's name.
            </Empty>
          ) : (
            <Empty
              title="Your first partner"
              action={<Button onClick={create}>Create partner</Button>}
              curl={curl("POST /v1/admin/partners", {
                company: "Northwind Agency",
                owner: { name: "Nora Lindqvist", email: "nora@northwind.example" },
              })}
            >
              A partner is an agency or integrator that sells for you. Its first user is invited as owner.
            </Empty>
          )
        }
      />
      {url.new === "yes" && <CreatePartner close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

function PartnerLines({ row }: { row: Partner }) {
  return (
    <Lines
      mark={<Monogram name={row.company} size={32} />}
      title={row.company}
      note={<PartnerState partner={row} />}
      end={<span className="muted">{gradeName(row.grade)}</span>}
    />
  );
}
