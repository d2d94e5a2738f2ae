import { Modal, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { searched } from "../../ui/searched.ts";
import { toast } from "../../ui/toast.tsx";
import { useClient, useClientsLike } from "../clients/data.ts";
import { type Snapshot, type SnapshotBody, useCreateSnapshot, useCreateVersion } from "./data.ts";
import { LeftOut } from "./left-out.tsx";
import classes from "./snapshots.module.css";

type ClientProps = {
  label: string;
  description?: string;
  value: string | null;
  onChange(id: string | null): void;
  error?: React.ReactNode;
};

/** One client, by typing a part of its name. */
export function ClientSelect({ label, description, value, onChange, error }: ClientProps) {
  const [text, setText] = useState("");
  const [settled] = useDebouncedValue(text, 150);
  const { data: found = [] } = useClientsLike(settled);
  const { data: chosen } = useClient(value ?? "", value !== null);
  const options = [...(chosen === undefined ? [] : [chosen]), ...found.filter(({ id }) => id !== chosen?.id)];
  return (
    <Select
      label={label}
      description={description}
      placeholder="Type a name"
      data={options.map(({ id, company }) => ({ value: id, label: company }))}
      {...searched(text, setText)}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No client of this name"
      error={error}
    />
  );
}

type Source = "capture" | "manifest";
type Values = { name: string; description: string; source_client_id: string; manifest: string; changelog: string };

/** The content that a form names: an account to capture, or a manifest as JSON. */
export function contentOf(source: Source, { source_client_id, manifest }: Pick<Values, "source_client_id" | "manifest">) {
  if (source === "capture") return source_client_id === "" ? {} : { source_client_id };
  if (manifest.trim() === "") return {};
  try {
    return { manifest: JSON.parse(manifest) as NonNullable<SnapshotBody["manifest"]> };
  } catch (error) {
    throw new Error(`The manifest is not JSON: ${(error as Error).message}`);
  }
}

type ContentProps = {
  source: Source;
  setSource(source: Source): void;
  form: ReturnType<typeof useApiForm<Values>>["form"];
};

function ContentFields({ source, setSource, form }: ContentProps) {
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Where it comes from"
        value={source}
        onChange={(value) => setSource(value as Source)}
        data={[
          { value: "capture", label: "Capture a client" },
          { value: "manifest", label: "Write a manifest" },
        ]}
      />
      {source === "capture" ? (
        <ClientSelect
          label="Client"
          description="Its pipelines, fields, scoring, tags, templates and shared views; no contact, lead or deal"
          value={form.values.source_client_id || null}
          onChange={(id) => form.setFieldValue("source_client_id", id ?? "")}
          error={form.errors.source_client_id}
        />
      ) : (
        <Textarea
          label="Manifest"
          description="JSON, as the API and the command line have it"
          autosize
          minRows={8}
          maxRows={18}
          spellCheck={false}
          classNames={{ input: classes.manifest ?? "" }}
          {...form.getInputProps("manifest")}
        />
      )}
    </>
  );
}

const NEW: Values = { name: "", description: "", source_client_id: "", manifest: "", changelog: "" };

export function CreateSnapshot({ close }: { close(): void }) {
  const create = useCreateSnapshot();
  const go = useGo();
  const [source, setSource] = useState<Source>("capture");
  const [made, setMade] = useState<{ id: string; name: string; left_out: string[] } | null>(null);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: NEW,
    async send(values, key) {
      const { name, description } = values;
      const body = { name, ...(description ? { description } : {}), ...contentOf(source, values) };
      const snapshot = await create.mutateAsync({ body, key });
      toast(`${snapshot.name} is ${snapshot.latest_version === null ? "a draft" : "ready to deploy"}`);
      if (snapshot.left_out.length > 0) setMade(snapshot);
      else go(`/snapshots/${snapshot.id}`);
    },
  });
  if (made !== null) return <LeftOut name={made.name} sentences={made.left_out} close={() => go(`/snapshots/${made.id}`)} />;
  return (
    <Modal opened onClose={close} title="New snapshot" size={560}>
      <Form onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" placeholder="Clinic" data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <TextInput label="Description" autoComplete="off" {...form.getInputProps("description")} />
        <ContentFields source={source} setSource={setSource} form={form} />
        <FormFoot action="Create snapshot" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}

/** One more version, captured or written. The manifest starts with what the latest one has. */
export function NewVersion({ snapshot, manifest, close }: { snapshot: Snapshot; manifest: unknown; close(): void }) {
  const create = useCreateVersion();
  const [source, setSource] = useState<Source>("capture");
  const [left_out, setLeftOut] = useState<string[] | null>(null);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { ...NEW, manifest: manifest === undefined ? "" : JSON.stringify(manifest, null, 2) },
    async send(values, key) {
      const body = { ...contentOf(source, values), ...(values.changelog ? { changelog: values.changelog } : {}) };
      const version = await create.mutateAsync({ snapshot, body, key });
      const same = version.version === snapshot.latest_version;
      toast(same ? `Nothing differs from v${version.version}` : `v${version.version} of ${snapshot.name} is ready`);
      if (version.left_out.length > 0) setLeftOut(version.left_out);
      else close();
    },
  });
  if (left_out !== null) return <LeftOut name={snapshot.name} sentences={left_out} close={close} />;
  return (
    <Modal opened onClose={close} title={`New version of ${snapshot.name}`} size={600}>
      <Form onSubmit={onSubmit} problem={problem}>
        <ContentFields source={source} setSource={setSource} form={form} />
        <TextInput
          label="What changes"
          description="Shown with the version, also to those who bought it"
          autoComplete="off"
          {...form.getInputProps("changelog")}
        />
        <FormFoot action="Publish version" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
