import { Modal, Select, TextInput } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useAccount } from "../../api/account.ts";
import { useMay } from "../../api/session.ts";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { Loaded, newAction, Page } from "../../ui/page.tsx";
import { Tags } from "../../ui/section.tsx";
import { allRows, type Column, Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { listRequest, type Pipeline, useCreatePipeline, usePipelines } from "./data.ts";
import classes from "./pipelines.module.css";

const TABS = [
  { value: "", name: "In use" },
  { value: "archived", name: "Archived" },
];

const COLUMNS: readonly Column<Pipeline>[] = [
  {
    key: "name",
    head: "Name",
    width: "minmax(140px, 1fr)",
    cell: ({ name, is_default }) => (
      <span className="cut">
        <span className="strong">{name}</span> {is_default && <span className="muted">default</span>}
      </span>
    ),
  },
  {
    key: "stages",
    head: "Stages",
    width: "minmax(240px, 3fr)",
    from: 560,
    cell: ({ stages }) => (
      <span className={classes.names}>
        <Tags tags={stages.map(({ name }) => name)} />
      </span>
    ),
  },
  {
    key: "rules",
    head: "Rules",
    width: "64px",
    end: true,
    from: 720,
    cell: ({ rules }) => <span className="muted">{Object.values(rules).filter(Boolean).length || ""}</span>,
  },
  whenColumn({ key: "changed", head: "Changed", width: "76px", at: ({ updated_at }) => updated_at }),
];

/** The pipelines of an account. */
export default function Pipelines() {
  const { account: inCrm } = useParams({ strict: false }) as { account?: string };
  const account = useAccount();
  const [url, setUrl] = useUrl();
  const go = useGo();
  const writes = useMay()("deals:write");
  const archived = url.state === "archived";
  const { data, error, refetch } = usePipelines(account?.id, archived);
  const base = inCrm ? `/crm/${inCrm}/pipelines` : "/settings/pipelines";
  const list = allRows(data, error, refetch);
  return (
    <Page
      title="Pipelines"
      {...(inCrm ? {} : { trail: [["Settings", "/settings/company"]] })}
      fill
      api={listRequest(account?.id ?? "")}
      foot={<Loaded list={list} keys={false} />}
      {...newAction("New pipeline", writes && (() => setUrl({ new: "yes" }, true)))}
    >
      <Bar>
        <Tabs label="State" value={archived ? "archived" : ""} tabs={TABS} onChange={(state) => setUrl({ state })} />
      </Bar>
      <Table
        label="Pipelines"
        columns={COLUMNS}
        list={list}
        id={({ id }) => id}
        name={({ name }) => name}
        onOpen={({ id }) => go(`${base}/${id}`)}
        empty={
          <Empty title={archived ? "Nothing is archived" : "No pipeline"}>
            A pipeline is the way of a deal from new to won or lost.
          </Empty>
        }
      />
      {writes && url.new === "yes" && account && (
        <CreatePipeline
          account={account.id}
          others={data ?? []}
          close={() => setUrl({ new: undefined })}
          done={({ id }) => go(`${base}/${id}`)}
        />
      )}
    </Page>
  );
}

type CreateProps = { account: string; others: readonly Pipeline[]; close(): void; done(pipeline: Pipeline): void };

/** A pipeline with the stages of a new account, or those of another one. */
function CreatePipeline({ account, others, close, done }: CreateProps) {
  const create = useCreatePipeline();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "", like: "" },
    async send({ name, like }, key) {
      const stages = others.find(({ id }) => id === like)?.stages.map(({ id: _, ...stage }) => stage);
      const saved = await create.mutateAsync({ body: { name, account_id: account, ...(stages ? { stages } : {}) }, key });
      toast(`${saved.name} is created`);
      done(saved);
    },
  });
  return (
    <Modal opened onClose={close} title="New pipeline" size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
        <Select
          label="Stages"
          data={[
            { value: "", label: "The usual ones" },
            ...others.map(({ id, name }) => ({ value: id, label: `Those of ${name}` })),
          ]}
          {...form.getInputProps("like")}
        />
        <FormFoot action="Create pipeline" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
