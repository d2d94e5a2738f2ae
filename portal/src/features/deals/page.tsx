import { ActionIcon, Button, SegmentedControl, Select } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Plus, Settings2 } from "lucide-react";
import { useAccount } from "../../api/account.ts";
import { isPartnerWide, useMay, useSession } from "../../api/session.ts";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { useGo } from "../../ui/link.tsx";
import { curl, Loaded, Page } from "../../ui/page.tsx";
import { useUrl } from "../../ui/url.ts";
import { type Pipeline, usePipelines } from "../pipelines/data.ts";
import { Board, BoardKeys } from "./board.tsx";
import { CreateDeal } from "./create.tsx";
import { boardRequest, type Deal, listRequest, useDeals } from "./data.ts";
import { type Moves, useMoves } from "./moves.tsx";
import { DealPanel } from "./panel.tsx";
import { RegisterDeal } from "./register.tsx";
import { DealTable, filterOf } from "./table.tsx";
import { WonPanel } from "./won.tsx";

/** The deals of an account as a board or a table. The house account's deals are the partner's own sales. */
export default function Deals() {
  const { account: inCrm } = useParams({ strict: false }) as { account?: string };
  const account = useAccount();
  const pipelines = usePipelines(account?.id);
  if (account === null) {
    return (
      <Page title="Deals">
        <Empty title="No account">Deals belong to an account, and you have none yet.</Empty>
      </Page>
    );
  }
  if (pipelines.data === undefined) {
    return (
      <Page title="Deals" fill>
        {pipelines.error && <Failure title="The pipelines did not load" error={pipelines.error} retry={pipelines.refetch} />}
      </Page>
    );
  }
  return (
    <Shown account={account.id} pipelines={pipelines.data} base={inCrm ? `/crm/${inCrm}/deals` : "/deals"} key={account.id} />
  );
}

type ShownProps = { account: string; pipelines: readonly Pipeline[]; base: string };

function Shown({ account, pipelines, base }: ShownProps) {
  const [url, setUrl] = useUrl();
  const session = useSession();
  const may = useMay();
  const pipeline = pipelines.find(({ id }) => id === url.pipeline) ?? pipelines[0];
  const moves = useMoves(pipeline, ({ id }) => setUrl({ won: id, open: undefined, edit: undefined }, true));
  const table = url.view === "table";
  const filter = filterOf(url, account);
  const list = useDeals(filter);
  const sales = account === session.house_account_id && isPartnerWide(session);
  const writes = may("deals:write");
  const create = () => setUrl({ new: "yes", open: undefined, won: undefined, edit: undefined }, true);
  const verb = sales ? "Register deal" : "New deal";
  return (
    <Page
      title="Deals"
      fill
      api={table || !pipeline ? listRequest(filter) : boardRequest(pipeline.id)}
      foot={table ? <Loaded list={list} keys={false} /> : <BoardKeys movable={writes} />}
      actions={
        <>
          <ViewSwitch table={table} />
          {writes && (
            <Button leftSection={<Plus />} onClick={create}>
              {verb}
            </Button>
          )}
        </>
      }
      phoneAction={
        writes && (
          <ActionIcon size={44} aria-label={verb} onClick={create}>
            <Plus size={20} />
          </ActionIcon>
        )
      }
    >
      {table ? (
        <DealTable
          filter={filter}
          list={list}
          pipelines={pipelines}
          sales={sales}
          base={base}
          empty={<NoDeals narrowed={Boolean(filter.q || filter.status || filter.pipeline_id)} {...{ sales, writes, create }} />}
        >
          <PipelineChoice pipelines={pipelines} value={filter.pipeline_id ?? ""} all base={base} />
        </DealTable>
      ) : (
        pipeline && (
          <Board
            pipeline={pipeline}
            moves={moves}
            movable={writes}
            open={url.open ?? url.won}
            onOpen={(open) => setUrl({ open, won: undefined, new: undefined, edit: undefined }, true)}
            lost={url.lost === "yes"}
            setLost={(shown) => setUrl({ lost: shown ? "yes" : undefined })}
            at={url.stage}
            setAt={(stage) => setUrl({ stage })}
          >
            <PipelineChoice pipelines={pipelines} value={pipeline.id} base={base} />
          </Board>
        )
      )}
      <Panels {...{ account, pipelines, pipeline, moves, base, sales, writes }} />
      {moves.dialogs}
    </Page>
  );
}

type PanelsProps = ShownProps & { pipeline: Pipeline | undefined; moves: Moves; sales: boolean; writes: boolean };

/** What is open beside the rows: a deal, what a win did, or a form. */
function Panels({ account, pipelines, pipeline, moves, base, sales, writes }: PanelsProps) {
  const [url, setUrl] = useUrl();
  const { partner } = useSession();
  const done = (deal: Deal) => setUrl({ new: undefined, register: undefined, open: deal.id });
  if (writes && url.new === "yes") {
    const close = () => setUrl({ new: undefined, register: undefined });
    return sales ? (
      <RegisterDeal plain={url.register} close={close} done={done} />
    ) : (
      <CreateDeal account={account} currency={partner?.currency ?? "usd"} pipeline={pipeline?.id} close={close} done={done} />
    );
  }
  if (url.won) return <WonPanel key={url.won} id={url.won} {...{ pipeline, moves }} close={() => setUrl({ won: undefined })} />;
  if (!url.open) return null;
  return (
    <DealPanel
      key={url.open}
      id={url.open}
      pipelines={pipelines}
      moves={moves}
      full={`${base}/${url.open}`}
      edits={url.edit === "yes"}
      setEdits={(edits) => setUrl({ edit: edits ? "yes" : undefined }, edits)}
      register={() => setUrl({ new: "yes", register: url.open, open: undefined }, true)}
      close={() => setUrl({ open: undefined, edit: undefined })}
    />
  );
}

function ViewSwitch({ table }: { table: boolean }) {
  const [, setUrl] = useUrl();
  return (
    <SegmentedControl
      aria-label="View"
      data={["Board", "Table"]}
      value={table ? "Table" : "Board"}
      onChange={(view) => setUrl({ view: view === "Table" ? "table" : undefined, lost: undefined })}
    />
  );
}

function PipelineChoice({
  pipelines,
  value,
  all = false,
  base,
}: {
  pipelines: readonly Pipeline[];
  value: string;
  all?: boolean;
  base: string;
}) {
  const [, setUrl] = useUrl();
  const go = useGo();
  const writes = useMay()("deals:write");
  const settings = base.startsWith("/crm") ? base.replace(/deals$/, "pipelines") : "/settings/pipelines";
  return (
    <>
      {pipelines.length > 1 && (
        <Select
          aria-label="Pipeline"
          w={150}
          data={[
            ...(all ? [{ value: "", label: "All pipelines" }] : []),
            ...pipelines.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={value}
          onChange={(pipeline) => setUrl({ pipeline: pipeline ?? undefined, stage: undefined })}
        />
      )}
      {!all && (
        <ActionIcon
          className="only-desk"
          aria-label="Pipelines"
          title={writes ? "Change stages and rules" : "Stages and rules"}
          onClick={() => go(value ? `${settings}/${value}` : settings)}
        >
          <Settings2 size={16} />
        </ActionIcon>
      )}
    </>
  );
}

function NoDeals({ narrowed, sales, writes, create }: { narrowed: boolean; sales: boolean; writes: boolean; create(): void }) {
  const [, setUrl] = useUrl();
  if (narrowed) {
    const all = () => setUrl({ q: undefined, state: undefined, pipeline: undefined });
    return (
      <Empty
        title="No deal matches"
        action={
          <Button variant="default" onClick={all}>
            Show all
          </Button>
        }
      >
        Nothing is in this state and pipeline, or has this in its name, company or notes.
      </Empty>
    );
  }
  return sales ? (
    <Empty
      title="Your first deal"
      action={writes && <Button onClick={create}>Register deal</Button>}
      curl={curl("POST /v1/partners/deals", { company: "Harbour Dental", plan: "Growth", mrr_cents: 49900 })}
    >
      Register a company that you sell to: it is protected for you, and winning it creates the client.
    </Empty>
  ) : (
    <Empty
      title="The first deal"
      action={writes && <Button onClick={create}>New deal</Button>}
      curl={curl("POST /v1/deals", { name: "Ten seats", amount_cents: 120000 })}
    >
      A deal goes through the stages of a pipeline until it is won or lost.
    </Empty>
  );
}
