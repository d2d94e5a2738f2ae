import { Button } from "@mantine/core";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Lines } from "../../ui/lines.tsx";
import { money } from "../../ui/money.tsx";
import { curl, Loaded, newAction, Page } from "../../ui/page.tsx";
import { State, type Tone } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { listRequest, type Plan, type PlanFilter, usePlans, useUpdatePlan } from "./data.ts";
import { PlanForm } from "./form.tsx";

const TABS = [
  { value: "", name: "On sale" },
  { value: "archived", name: "Archived" },
  { value: "legacy", name: "From before" },
];
const TONES: Record<Plan["state"], Tone> = { active: "live", archived: "ended", legacy: "ended" };
const WORDS: Record<Plan["state"], string> = { active: "on sale", archived: "archived", legacy: "from before" };

const pricesText = ({ prices }: Plan) =>
  Object.entries(prices)
    .map(([currency, cents]) => money(cents, currency))
    .join(" · ");

const COLUMNS: readonly Column<Plan>[] = [
  { key: "name", head: "Plan", width: "minmax(140px, 1fr)", cell: (row) => <span className="strong cut">{row.name}</span> },
  { key: "state", head: "State", width: "110px", cell: (row) => <State tone={TONES[row.state]}>{WORDS[row.state]}</State> },
  {
    key: "prices",
    head: "A month",
    width: "minmax(140px, 1.4fr)",
    end: true,
    cell: (row) => <span className={pricesText(row) ? "soft num cut" : "muted"}>{pricesText(row) || "no list price"}</span>,
  },
  whenColumn({ key: "changed", head: "Changed", at: (row) => row.updated_at, from: 620 }),
];

const filterOf = (state: string | undefined): PlanFilter => ({ state: [(state || "active") as Plan["state"]] });

export default function PlanList() {
  const [url, setUrl] = useUrl();
  const filter = filterOf(url.state);
  const list = usePlans(filter);
  const create = () => setUrl({ new: "yes", open: undefined }, true);
  const opened = list.rows.find(({ id }) => id === url.open);
  return (
    <Page
      title="Plans"
      fill
      api={listRequest(filter)}
      foot={<Loaded list={list} selects={false} />}
      {...newAction("New plan", create)}
    >
      <Bar>
        <Tabs label="State" value={url.state ?? ""} tabs={TABS} onChange={(state) => setUrl({ state, open: undefined })} />
      </Bar>
      <Table
        label="Plans"
        columns={COLUMNS}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        open={url.open}
        onOpen={(row) => setUrl({ open: row.id, new: undefined }, true)}
        phone={(row) => (
          <Lines title={row.name} note={pricesText(row)} end={<State tone={TONES[row.state]}>{WORDS[row.state]}</State>} />
        )}
        empty={<NoPlans state={url.state} create={create} />}
      />
      {url.new === "yes" && <PlanForm plan={null} close={() => setUrl({ new: undefined })} />}
      {opened && (
        <PlanForm
          key={`${opened.id} ${opened.version}`}
          plan={opened}
          close={() => setUrl({ open: undefined })}
          actions={opened.state !== "legacy" && <Shelve plan={opened} done={() => setUrl({ open: undefined })} />}
        />
      )}
    </Page>
  );
}

function NoPlans({ state, create }: { state: string | undefined; create(): void }) {
  if (state === "archived")
    return <Empty title="No archived plan">A plan that is archived is no longer offered. Those who have it keep it.</Empty>;
  if (state === "legacy")
    return (
      <Empty title="None from before">Names of plans that clients and sales had before there were plans would stand here.</Empty>
    );
  return (
    <Empty
      title="Your first plan"
      action={<Button onClick={create}>Create plan</Button>}
      curl={curl("POST /v1/admin/plans", { name: "Growth", prices: { usd: 49900, eur: 45900 } })}
    >
      As long as there is none, partners write any name. With one or more, new sales and clients must name one of them.
    </Empty>
  );
}

/** Takes a plan off sale, or puts it back. */
function Shelve({ plan, done }: { plan: Plan; done(): void }) {
  const update = useUpdatePlan();
  const to = plan.state === "active" ? "archived" : "active";
  const move = (from: Plan, state: "active" | "archived") =>
    update.mutateAsync({ plan: from, body: { state } }).then(
      (saved) => {
        toast(
          `${saved.name} is ${WORDS[saved.state]}`,
          state === to ? () => void move(saved, from.state as "active" | "archived") : undefined,
        );
        done();
      },
      (error: Error) => toastError(`${from.name} was not changed`, error),
    );
  return (
    <Button size="xs" variant="subtle" loading={update.isPending} onClick={() => void move(plan, to)}>
      {to === "archived" ? "Archive" : "Put on sale"}
    </Button>
  );
}
