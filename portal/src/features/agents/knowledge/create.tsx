import { FileInput, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type Language, useCreateSource, useUploadSource } from "./data.ts";
import { LANGUAGE_CHOICES } from "./words.tsx";

const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_knowledge_source" ? { name: problem.detail } : {};

const KINDS = [
  { value: "text", label: "Text" },
  { value: "url", label: "Page" },
  { value: "file", label: "File" },
];

const INITIAL = { kind: "text", name: "", language: "en", text: "", url: "", file: null as File | null };

/** A new source: a text, a page of the internet, or a file. */
export function CreateSource({ account, close }: { account: Account; close(): void }) {
  const create = useCreateSource();
  const upload = useUploadSource();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: INITIAL,
    faultsOf,
    async send({ kind, name, language: code, text, url, file }, key) {
      const language = code as Language;
      if (kind === "file" && file === null) throw new Error("Choose a file.");
      const source =
        kind === "file" && file !== null
          ? await upload.mutateAsync({ account_id: account.id, file, name, language })
          : await create.mutateAsync({
              body: {
                account_id: account.id,
                name,
                language,
                ...(kind === "text" ? { kind: "text", text } : { kind: "url", url }),
              },
              key,
            });
      toast(source.status === "failed" ? `${source.name} could not be fetched: it is tried again` : `${source.name} is added`);
      go(`/crm/${account.id}/knowledge?open=${source.id}`);
    },
  });
  const { kind } = form.values;
  return (
    <Panel title="Add a source" close={close} foot={<FormFoot form="new-source" action="Add source" busy={busy} close={close} />}>
      <Form id="new-source" onSubmit={onSubmit} problem={problem}>
        <SegmentedControl aria-label="Kind" fullWidth data={KINDS} {...form.getInputProps("kind")} />
        <TextInput
          label={kind === "file" ? "Name, if not that of the file" : "Name"}
          description="What citations call it."
          placeholder="Opening hours"
          data-autofocus
          {...form.getInputProps("name")}
        />
        {kind === "text" && (
          <Textarea
            label="Text"
            description="Plain text or Markdown. Headings keep passages together."
            autosize
            minRows={8}
            maxRows={20}
            {...form.getInputProps("text")}
          />
        )}
        {kind === "url" && (
          <TextInput
            label="Address"
            description="Fetched now, and every day."
            placeholder="https://harbour.example/prices"
            {...form.getInputProps("url")}
          />
        )}
        {kind === "file" && (
          <FileInput
            label="File"
            description="Text, Markdown or HTML in UTF-8, up to 5 MiB."
            placeholder="Choose a file"
            accept=".txt,.md,.html,.htm"
            clearable
            {...form.getInputProps("file")}
          />
        )}
        <Select
          label="Language"
          description="Of its words, so that other forms of them are found."
          allowDeselect={false}
          data={LANGUAGE_CHOICES}
          {...form.getInputProps("language")}
        />
      </Form>
    </Panel>
  );
}
