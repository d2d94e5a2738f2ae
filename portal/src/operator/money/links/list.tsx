import { TextInput } from "@mantine/core";
import { isCode } from "../../../features/money/links/model.ts";
import { LinkState, short } from "../../../features/money/links/words.tsx";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { Loaded, Page } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { whenColumn } from "../../../ui/when.tsx";
import { PartnerChoice } from "../../partners/choice.tsx";
import { exportAddress, type LinkFilter, type LinkStatus, listRequest, type OperatorLink, useLinks } from "./data.ts";
import { OneLink } from "./one.tsx";

const TABS: readonly { value: string; name: string; status?: LinkStatus[] }[] = [
  { value: "", name: "In use", status: ["active", "paused"] },
  { value: "blocked", name: "Blocked", status: ["blocked"] },
  { value: "archived", name: "Archived", status: ["archived"] },
  { value: "all", name: "All" },
];

const COLUMNS: readonly Column<OperatorLink>[] = [
  { key: "code", head: "Code", width: "minmax(120px, 0.8fr)", cell: (row) => <b className="strong cut">{row.code}</b> },
  {
    key: "partner",
    head: "Partner",
    width: "minmax(130px, 1fr)",
    cell: (row) => <span className="soft cut">{row.partner_company}</span>,
  },
  {
    key: "destination",
    head: "Leads to",
    width: "minmax(160px, 1.6fr)",
    from: 700,
    cell: (row) => <span className="soft cut">{short(row.destination_url)}</span>,
  },
  {
    key: "campaign",
    head: "Campaign",
    width: "minmax(110px, 0.8fr)",
    from: 960,
    cell: (row) => <span className="muted cut">{row.campaign}</span>,
  },
  { key: "state", head: "State", width: "88px", cell: (row) => <LinkState link={row} /> },
  whenColumn<OperatorLink>({ key: "created", head: "Made", at: (row) => row.created_at, as: "day" }),
];

function filterOf({ state, partner, campaign, code }: Readonly<Record<string, string | undefined>>): LinkFilter {
  const status = TABS.find(({ value }) => value === (state ?? ""))?.status;
  return {
    ...(status ? { status } : {}),
    ...(partner ? { partner_id: partner } : {}),
    ...(campaign ? { campaign } : {}),
    ...(code && isCode(code) ? { code } : {}),
  };
}

/** Where do the links of partners lead, and does one of them do harm? */
export default function LinkList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useLinks(filter);
  const narrowed = Boolean(url.state || url.partner || url.campaign || url.code);
  return (
    <Page title="Links" fill api={listRequest(filter)} foot={<Loaded list={list} selects={false} />}>
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
        <MoreFilters />
        <Export href={exportAddress(filter)} />
      </Bar>
      <Table
        label="Affiliate links"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => `${row.code}, ${row.partner_company}`}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id }, true)}
        phone={(row) => (
          <Lines
            title={row.code}
            note={row.partner_company}
            end={short(row.destination_url)}
            endNote={<LinkState link={row} />}
          />
        )}
        empty={
          <Empty title={narrowed ? "No link matches" : "No link is in use"}>
            {narrowed
              ? "No partner has a link in this state, or with this campaign or code."
              : "The addresses that partners share stand here. One that does harm is blocked: it leads nowhere from then on."}
          </Empty>
        }
      />
      {url.open && <OneLink key={url.open} id={url.open} close={() => setUrl({ open: undefined })} />}
    </Page>
  );
}

function MoreFilters() {
  const [url, setUrl] = useUrl();
  const field = (name: "code" | "campaign", label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={url[name] ?? ""}
      onChange={({ currentTarget }) => setUrl({ [name]: currentTarget.value })}
    />
  );
  return (
    <Filters names={["partner", "code", "campaign"]}>
      <PartnerChoice
        label="Partner"
        comboboxProps={{ withinPortal: false }}
        value={url.partner ?? null}
        onChange={(partner) => setUrl({ partner: partner ?? undefined })}
      />
      {field("code", "Code", "As somebody may have read it: o for 0, l for 1")}
      {field("campaign", "Campaign", "Its whole name")}
    </Filters>
  );
}
