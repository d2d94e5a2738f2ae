import { Button, Group, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Copy, Id } from "../../../ui/copy.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Form, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { plural } from "../words.tsx";
import { type Language, type Source, useDeleteSource, useFetchSource, useSource, useUpdateSource } from "./data.ts";
import classes from "./knowledge.module.css";
import { KINDS, LANGUAGE_CHOICES, languageName, SourceState, size } from "./words.tsx";

type Props = { source: Source; writes: boolean; close(): void };

/** A source: how it stands, and what is searched. */
export function SourcePanel({ source, writes, close }: Props) {
  const whole = useSource(source.id);
  return (
    <Panel
      title={source.name}
      close={close}
      foot={
        writes && (
          <>
            <Acts source={source} close={close} />
            <Button type="submit" form="edit-source" disabled={whole.data === undefined}>
              Save
            </Button>
          </>
        )
      }
    >
      <div className={classes.stack}>
        {source.status === "failed" && (
          <Blocker tone="bad" title="It could not be fetched">
            {source.error} {source.fetched_at !== null && "What was fetched before is still used. "}It is tried again.
          </Blocker>
        )}
        <Facts
          rows={[
            ["Kind", KINDS[source.kind]],
            ["Status", <SourceState key="status" source={source} />],
            ["Address", source.url],
            ["File", source.filename],
            ["Text", `${size(source.bytes)} in ${plural(source.chunks, "passage")}`],
            ["Language", languageName(source.language)],
            ["Key", <Key key="key" name={source.key} />],
            ["Fetched", source.fetched_at && <When key="fetched" at={source.fetched_at} as="since" />],
            ["Id", <Id key="id">{source.id}</Id>],
          ]}
        />
        {whole.error && <Failure small title="The text did not load" error={whole.error} retry={whole.refetch} />}
        {whole.data === undefined ? (
          !whole.error && <Loading rows={4} />
        ) : (
          <Edit key={source.version} source={whole.data} writes={writes} close={close} />
        )}
      </div>
    </Panel>
  );
}

/** What versions of agents name it by. */
const Key = ({ name }: { name: string }) => (
  <span className={classes.key}>
    <code>{name}</code> <Copy text={name} label="Copy the key" />
  </span>
);

type EditProps = { source: Source & { text: string }; writes: boolean; close(): void };

/** A text and its address can be changed; what was fetched or uploaded is read. */
function Edit({ source: opened, writes, close }: EditProps) {
  const source = useAsOpened(opened);
  const update = useUpdateSource();
  const { kind } = source;
  const { form, problem, onSubmit } = useApiForm({
    initial: { name: source.name, language: source.language as string, text: source.text, url: source.url ?? "" },
    async send({ name, language, text, url }) {
      const of = kind === "text" ? { text } : kind === "url" && url !== source.url ? { url } : {};
      const saved = await update.mutateAsync({ source, body: { name, language: language as Language, ...of } });
      toast(`${saved.name} is saved`);
      close();
    },
  });
  if (!writes) return <SourceText text={source.text} />;
  return (
    <Form id="edit-source" onSubmit={onSubmit} problem={problem}>
      <TextInput label="Name" {...form.getInputProps("name")} />
      {kind === "url" && <TextInput label="Address" {...form.getInputProps("url")} />}
      <Select label="Language" allowDeselect={false} data={LANGUAGE_CHOICES} {...form.getInputProps("language")} />
      {kind === "text" ? (
        <Textarea label="Text" autosize minRows={8} maxRows={24} {...form.getInputProps("text")} />
      ) : (
        <SourceText text={source.text} />
      )}
    </Form>
  );
}

function SourceText({ text }: { text: string }) {
  return (
    <Section title="What is searched">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and who has no mouse scrolls by keys */}
      <pre className={classes.text} role="region" aria-label="What is searched" tabIndex={0}>
        {text || "Nothing yet."}
      </pre>
    </Section>
  );
}

function Acts({ source, close }: { source: Source; close(): void }) {
  const [deletes, setDeletes] = useState(false);
  const fetches = useFetchSource();
  const remove = useDeleteSource();
  const fetchAgain = () =>
    fetches.mutateAsync(source.id).then(
      (fetched) => toast(fetched.status === "failed" ? `${fetched.name} could not be fetched` : `${fetched.name} is fetched`),
      (error: Error) => toastError("It is not fetched", error),
    );
  return (
    <Group gap={8} mr="auto">
      <Button variant="danger-subtle" onClick={() => setDeletes(true)}>
        Delete…
      </Button>
      {source.kind === "url" && (
        <Button variant="default" loading={fetches.isPending} onClick={() => void fetchAgain()}>
          Fetch now
        </Button>
      )}
      <Confirm
        opened={deletes}
        close={() => setDeletes(false)}
        title={`Delete ${source.name}?`}
        action="Delete"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(source);
          toast(`${source.name} is deleted`);
          close();
        }}
      >
        <p>
          Agents find nothing of it any more: {plural(source.chunks, "passage")}. <b>Nothing can undo it.</b>
        </p>
      </Confirm>
    </Group>
  );
}
