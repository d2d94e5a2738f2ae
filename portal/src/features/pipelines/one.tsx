import { Button } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Answer } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { useGo } from "../../ui/link.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { When } from "../../ui/when.tsx";
import { type Pipeline, usePipeline, useStageUse, useUpdatePipeline } from "./data.ts";
import { PipelineEditor } from "./editor.tsx";

export default function OnePipeline() {
  const { id = "", account } = useParams({ strict: false }) as { id?: string; account?: string };
  const query = usePipeline(id);
  const pipeline = query.data;
  const list = account ? `/crm/${account}/pipelines` : "/settings/pipelines";
  // The editor keeps what was typed when the pipeline changes elsewhere, until it is saved or loaded again.
  const [pinned, setPinned] = useState<Pipeline | null>(null);
  if (pipeline === undefined) return <Waiting title="Pipeline" trail={[["Pipelines", list]]} query={query} />;
  const shown = pinned?.id === pipeline.id ? pinned : pipeline;
  if (shown !== pinned) setPinned(shown);
  return (
    <Page
      title={pipeline.name}
      trail={[["Pipelines", list]]}
      api={`GET /v1/pipelines/${pipeline.id}`}
      foot={
        <span>
          Version {pipeline.version}, changed <When at={pipeline.updated_at} as="since" />
        </span>
      }
      actions={<Acts pipeline={pipeline} board={account ? `/crm/${account}/deals` : "/deals"} list={list} />}
    >
      <Content>
        <Summary pipeline={pipeline} />
        <PipelineEditor key={`${shown.id} ${shown.version}`} pipeline={shown} latest={pipeline} load={setPinned} />
      </Content>
    </Page>
  );
}

function Summary({ pipeline }: { pipeline: Pipeline }) {
  const { data: use = [] } = useStageUse(pipeline.id);
  const open = use.filter(({ stage_type }) => stage_type === "open").reduce((sum, { deals }) => sum + deals, 0);
  const stages = pipeline.stages.filter(({ type }) => type === "open").length;
  return (
    <Answer
      sub={
        <>
          {pipeline.is_default && <span>Takes deals that name no pipeline</span>}
          {pipeline.archived && <span>Archived: takes no new deals</span>}
          <Id>{pipeline.id}</Id>
        </>
      }
    >
      <b>{open}</b> open {open === 1 ? "deal" : "deals"} in <b>{stages}</b> {stages === 1 ? "stage" : "stages"}
    </Answer>
  );
}

function Acts({ pipeline, board, list }: { pipeline: Pipeline; board: string; list: string }) {
  const [archives, setArchives] = useState(false);
  const update = useUpdatePipeline();
  const go = useGo();
  const writes = useMay()("deals:write");
  const change = (body: { archived: boolean } | { is_default: true }, said: string, undo?: (saved: Pipeline) => void) =>
    update.mutateAsync({ pipeline, body }).then(
      (saved) => toast(said, undo && (() => undo(saved))),
      (error: Error) => toastError(`${pipeline.name} is as it was`, error),
    );
  const archive = async () => {
    const saved = await update.mutateAsync({ pipeline, body: { archived: true } });
    toast(`${pipeline.name} is archived`, () => {
      update
        .mutateAsync({ pipeline: saved, body: { archived: false } })
        .catch((error: Error) => toastError("Still archived", error));
    });
    go(list);
  };
  return (
    <>
      {!pipeline.archived && (
        <Button variant="subtle" onClick={() => go(`${board}?pipeline=${pipeline.id}`)}>
          Open the board
        </Button>
      )}
      {writes && !pipeline.archived && !pipeline.is_default && (
        <>
          <Button variant="default" onClick={() => void change({ is_default: true }, `${pipeline.name} is the default`)}>
            Make it the default
          </Button>
          <Button variant="default" onClick={() => setArchives(true)}>
            Archive…
          </Button>
        </>
      )}
      {writes && pipeline.archived && (
        <Button onClick={() => void change({ archived: false }, `${pipeline.name} is back`)}>Restore</Button>
      )}
      <Confirm
        opened={archives}
        close={() => setArchives(false)}
        title={`Archive ${pipeline.name}?`}
        action="Archive"
        onConfirm={archive}
      >
        <p>
          It takes no more deals, and leaves the board. Its won and lost deals stay and count. A pipeline with open deals cannot
          be archived: move them first. You can restore it.
        </p>
      </Confirm>
    </>
  );
}
