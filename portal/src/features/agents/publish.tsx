import { Checkbox, Modal, TextInput } from "@mantine/core";
import { Failure } from "../../ui/failure.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { toast } from "../../ui/toast.tsx";
import classes from "./agents.module.css";
import { type Agent, useDiff, usePublish } from "./data.ts";
import { DiffLines } from "./diff.tsx";
import { useTests } from "./suites/data.ts";
import { plural } from "./words.tsx";

/** Publishes the newest version: what changes is said before. */
export function Publish({ agent, close }: { agent: Agent; close(): void }) {
  const { latest_version: version, published_version: before, channel_ids } = agent;
  const publish = usePublish();
  const tested = (useTests(agent.id).data?.length ?? 0) > 0;
  const diff = useDiff(agent.id, before ?? undefined, version, before !== version);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { note: "", require_suite: true },
    async send({ note, require_suite }) {
      const suite = tested && require_suite ? { require_suite } : {};
      await publish.mutateAsync({ agent, body: { version, ...suite, ...(note.trim() === "" ? {} : { note }) } });
      toast(
        channel_ids.length === 0 ? `Version ${version} is published: choose its channels now` : `Version ${version} answers now`,
      );
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Publish version ${version} of ${agent.name}?`} size={640}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className="soft">
          {before === null ? "It is the first one. " : `It takes the place of version ${before}. `}
          {channel_ids.length === 0
            ? "The agent has no channel yet, so it answers nobody until its settings name one."
            : `Conversations that begin from now on, on ${plural(channel_ids.length, "channel")}, follow it. Those under way end with the version that they began with.`}
        </p>
        {before !== null && (
          <div className={classes.diffBox}>
            {diff.error ? (
              <Failure small title="What changes did not load" error={diff.error} retry={diff.refetch} />
            ) : diff.data === undefined ? (
              <Loading rows={2} />
            ) : (
              <DiffLines changes={diff.data.changes} />
            )}
          </div>
        )}
        <TextInput
          label="What has changed"
          description="For the list of versions."
          data-autofocus
          {...form.getInputProps("note")}
        />
        {tested && (
          <Checkbox
            label="Only if all tests pass"
            description="They run first, on this version."
            {...form.getInputProps("require_suite", { type: "checkbox" })}
          />
        )}
        <FormFoot action="Publish" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
