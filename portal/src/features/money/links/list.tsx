import { Button, Skeleton, TextInput } from "@mantine/core";
import type { List } from "../../../api/lists.ts";
import { useMay } from "../../../api/session.ts";
import { useViews } from "../../../api/views.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Bar, Export, Tabs } from "../../../ui/bar.tsx";
import { Copy } from "../../../ui/copy.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/filters.tsx";
import { Lines } from "../../../ui/lines.tsx";
import { useGo } from "../../../ui/link.tsx";
import { curl, Loaded, newAction, Page } from "../../../ui/page.tsx";
import { SavedViews } from "../../../ui/saved-views.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useUrl } from "../../../ui/url.ts";
import { LinkMenu } from "./acts.tsx";
import { exportAddress, type LinkFilter, type LinkRow, type LinkStatus, listRequest, useLinks } from "./data.ts";
import { CreateLink } from "./form.tsx";
import classes from "./links.module.css";
import { best, isCode, together } from "./model.ts";
import { Brought, broughtText, earnedText, LinkState, short } from "./words.tsx";

const TABS: readonly { value: string; name: string; status: LinkStatus[] }[] = [
  { value: "", name: "In use", status: ["active", "paused", "blocked"] },
  { value: "active", name: "Active", status: ["active"] },
  { value: "paused", name: "Paused", status: ["paused"] },
  { value: "archived", name: "Archived", status: ["archived"] },
];

type Url = Readonly<Record<string, string | undefined>>;

function filterOf({ state, campaign, code }: Url): LinkFilter {
  const { status } = TABS.find(({ value }) => value === (state ?? "")) ?? { status: ["active", "paused", "blocked"] };
  return { status, ...(campaign ? { campaign } : {}), ...(code && isCode(code) ? { code } : {}) };
}

const count = (key: "clicks" | "leads" | "deals" | "won", head: string, from?: number): Column<LinkRow> => ({
  key,
  head,
  width: "52px",
  end: true,
  ...(from === undefined ? {} : { from }),
  cell: ({ totals }) => (
    <span className={totals?.[key] ? "strong" : "muted"}>{(totals?.[key] ?? 0).toLocaleString("en-US")}</span>
  ),
});

const COLUMNS: readonly Column<LinkRow>[] = [
  { key: "code", head: "Code", width: "minmax(100px, 0.6fr)", cell: (row) => <b className="strong">{row.code}</b> },
  {
    key: "url",
    head: "Link",
    width: "minmax(210px, 1.55fr)",
    from: 960,
    cell: (row) => (
      // biome-ignore lint/a11y/noStaticElementInteractions: only keeps clicks from the row around it
      // biome-ignore lint/a11y/useKeyWithClickEvents: keys do not reach the row either
      <span className={classes.url} onClick={(event) => event.stopPropagation()}>
        <span className="soft cut">{short(row.url)}</span>
        <Copy text={row.url} label={`Copy the link ${row.code}`} />
      </span>
    ),
  },
  {
    key: "destination",
    head: "Leads to",
    width: "minmax(120px, 1.1fr)",
    from: 1120,
    cell: (row) => <span className="muted">{short(row.destination_url)}</span>,
  },
  {
    key: "campaign",
    head: "Campaign",
    width: "minmax(110px, 0.82fr)",
    from: 760,
    cell: (row) => <span className="soft">{row.campaign}</span>,
  },
  { key: "state", head: "State", width: "76px", cell: (row) => <LinkState link={row} /> },
  count("clicks", "Clicks"),
  count("leads", "Leads"),
  count("deals", "Deals", 1180),
  count("won", "Won"),
  {
    key: "earned",
    head: "Earned",
    width: "80px",
    end: true,
    cell: ({ totals }) => <span className="strong">{earnedText(totals?.commissions ?? [])}</span>,
  },
];

const MENU: Column<LinkRow> = {
  key: "menu",
  head: "",
  width: "26px",
  cell: (row) => <LinkMenu link={row} size={26} quiet />,
};

/** Which link works? */
export default function LinkList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url);
  const list = useLinks(filter);
  const views = useViews("affiliate-links");
  const go = useGo();
  const writes = useMay()("affiliate_links:write");
  const create = () => setUrl({ new: "yes" }, true);
  const narrowed = Boolean(url.state || filter.campaign || filter.code);
  return (
    <Page
      title="Links"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New link", writes && create)}
    >
      <Table
        label="Affiliate links"
        above={
          <>
            <Headline list={list} />
            <Bar>
              <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })}>
                <SavedViews at="/earn/links" {...views} />
              </Tabs>
              <MoreFilters url={url} setUrl={setUrl} />
              <Export href={exportAddress(filter)} />
            </Bar>
          </>
        }
        columns={writes ? [...COLUMNS, MENU] : COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.code}
        onOpen={(row) => go(`/earn/links/${row.id}`)}
        keys={{
          c: (row) => void navigator.clipboard.writeText(row.url),
          ...(writes ? { e: (row: LinkRow) => go(`/earn/links/${row.id}?edit=yes`) } : {}),
        }}
        phone={(row) => <PhoneRow row={row} />}
        empty={<None narrowed={narrowed} create={writes ? create : undefined} />}
      />
      {writes && url.new === "yes" && <CreateLink close={() => setUrl({ new: undefined })} />}
    </Page>
  );
}

/** The answer, as long as all links are loaded: a sum of some would be wrong. */
function Headline({ list: { rows, loading, more } }: { list: List<LinkRow> }) {
  if (loading) {
    return (
      <div className={classes.headline}>
        <Skeleton height={20} width={420} maw="100%" />
      </div>
    );
  }
  const top = best(rows);
  if (top?.totals === undefined || more) return null;
  const all = together(rows.flatMap(({ totals }) => totals ?? []));
  return (
    <div className={classes.headline}>
      <Answer
        sub={
          rows.length > 1 &&
          all.clicks > 0 && <span>{`All ${rows.length} together: ${broughtText(all)}, since they were made.`}</span>
        }
      >
        {all.clicks === 0 ? (
          "Nobody has followed a link yet"
        ) : (
          <>
            <b>{top.code}</b> {rows.length > 1 ? "works best" : "brought"}
            {rows.length > 1 ? ": " : " "}
            <Brought totals={top.totals} />
          </>
        )}
      </Answer>
    </div>
  );
}

const MORE = ["campaign", "code"] as const;

function MoreFilters({ url, setUrl }: { url: Url; setUrl(change: Record<string, string | undefined>): void }) {
  return (
    <Filters names={MORE}>
      <TextInput
        label="Campaign"
        description="Its whole name"
        value={url.campaign ?? ""}
        onChange={({ currentTarget }) => setUrl({ campaign: currentTarget.value })}
      />
      <TextInput
        label="Code"
        description="As somebody may have read it: o for 0, l for 1"
        value={url.code ?? ""}
        onChange={({ currentTarget }) => setUrl({ code: currentTarget.value })}
      />
    </Filters>
  );
}

function PhoneRow({ row }: { row: LinkRow }) {
  const { totals } = row;
  return (
    <Lines
      title={row.code}
      note={
        <>
          <LinkState link={row} /> {row.campaign ?? short(row.destination_url)}
        </>
      }
      end={<b>{(totals && earnedText(totals.commissions)) || `${totals?.clicks ?? 0} clicks`}</b>}
      endNote={totals && `${totals.leads} leads, ${totals.won} won`}
    />
  );
}

function None({ narrowed, create }: { narrowed: boolean; create: (() => void) | undefined }) {
  const go = useGo();
  if (narrowed) {
    return (
      <Empty
        title="No link matches"
        action={
          <Button variant="default" onClick={() => go("/earn/links")}>
            Show those in use
          </Button>
        }
      >
        No link is in this state, or has this campaign or code.
      </Empty>
    );
  }
  return (
    <Empty
      title="Your first link"
      action={create && <Button onClick={create}>Create link</Button>}
      curl={curl("POST /v1/partners/affiliate-links", {
        destination_url: "https://shop.example/pricing",
        code: "spring-sale",
        campaign: "Spring newsletter",
      })}
    >
      A link is a short address for a newsletter, a page or a poster. Who follows it and becomes a lead or a client is attributed
      to you, with the commission of the sale, and this page shows which link works.
    </Empty>
  );
}
