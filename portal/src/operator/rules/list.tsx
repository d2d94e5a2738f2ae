import { Button } from "@mantine/core";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { useGo } from "../../ui/link.tsx";
import { Loaded, newAction, Page } from "../../ui/page.tsx";
import { allRows, type Column, Table } from "../../ui/table.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { listRequest, type Rule, useRules } from "./data.ts";
import { useNames } from "./names.ts";
import { conditionsText, type Names, subjectText, termsText } from "./words.ts";

const TABS = [
  { value: "", name: "In force" },
  { value: "off", name: "Switched off" },
];

/** The order in which rules are tried. */
const GROUPS: Record<Rule["scope"], string> = {
  link: "First, the rule of an affiliate link",
  partner: "Then, the partner's own rule",
  grade: "Then, the rule of its tier",
  programme: "Last, the rule of the programme",
};

const columns = (names: Names): readonly Column<Rule>[] => [
  {
    key: "for",
    head: "For",
    width: "minmax(130px, 1fr)",
    cell: (row) => <span className="strong cut">{subjectText(row, names)}</span>,
  },
  {
    key: "earns",
    head: "Earns",
    width: "minmax(230px, 1.7fr)",
    cell: (row) => <span className="soft cut">{termsText(row)}</span>,
  },
  {
    key: "only",
    head: "Only sales of",
    width: "minmax(90px, 1fr)",
    from: 760,
    cell: (row) => <span className={conditionsText(row) ? "soft cut" : "muted"}>{conditionsText(row) || "anything"}</span>,
  },
  {
    key: "name",
    head: "Name",
    width: "minmax(90px, 1fr)",
    from: 900,
    cell: (row) => <span className="muted cut">{row.name}</span>,
  },
  {
    key: "changes",
    head: "A change is for",
    width: "112px",
    from: 1060,
    cell: (row) => <span className="muted">{row.applies_to === "new_deals" ? "new sales" : "all charges"}</span>,
  },
  {
    key: "priority",
    head: "Priority",
    width: "64px",
    end: true,
    from: 680,
    cell: (row) => <span className="muted num">{row.priority}</span>,
  },
  whenColumn({ key: "version", head: "Since", at: (row) => row.created_at, as: "day", width: "88px", from: 620 }),
];

export default function RuleList() {
  const [url, setUrl] = useUrl();
  const go = useGo();
  const active = url.state !== "off";
  const { data, error, refetch } = useRules(active);
  const names = useNames(data?.map(({ partner_id }) => partner_id) ?? []);
  const list = allRows(data, error, refetch);
  const scopes = new Set(data?.map(({ scope }) => scope));
  return (
    <Page
      title="Commission rules"
      fill
      api={listRequest(active)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New rule", () => go("/programme/rules/new"))}
    >
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
        <span className="muted only-desk">The first rule that matches decides what a sale earns</span>
      </Bar>
      <Table
        label="Commission rules"
        columns={columns(names)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        {...(scopes.size > 1 ? { group: ({ scope }: Rule) => GROUPS[scope] } : {})}
        onOpen={(row) => go(`/programme/rules/${row.id}`)}
        phone={(row) => (
          <Lines
            title={subjectText(row, names)}
            note={termsText(row)}
            end={<span className="muted">{conditionsText(row)}</span>}
          />
        )}
        empty={
          active ? (
            <Empty title="No rule is in force" action={<Button onClick={() => go("/programme/rules/new")}>Create rule</Button>}>
              Without a rule that matches, a won sale earns nothing.
            </Empty>
          ) : (
            <Empty title="No rule is switched off">A rule that is switched off stays here, with all of its versions.</Empty>
          )
        }
      />
    </Page>
  );
}
