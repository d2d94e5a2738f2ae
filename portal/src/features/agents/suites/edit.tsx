import { Button, Group, TextInput } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { useMemo, useState } from "react";
import { CodeField, type Mark } from "../../../ui/code-field.tsx";
import { Problem } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { formatJson, lineAt, parseJson, placeOf } from "../editor/json.ts";
import { type AgentTest, type TestRequest, useDeleteTest, useUpdateTest } from "./data.ts";
import classes from "./suites.module.css";

const ORDER = ["messages", "mode", "persona", "world", "variables", "mocks", "unmocked", "assert", "seed", "max_turns"];
const ordered = (request: TestRequest) =>
  Object.fromEntries(Object.entries(request).toSorted(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other)));

/** A test as it is sent to the sandbox: its name, and its conversation with the checks as JSON. */
export function EditTest({ test, close }: { test: AgentTest; close(): void }) {
  const [name, setName] = useState(test.name);
  const [text, setText] = useState(() => formatJson(ordered(test.request)));
  const [refused, setRefused] = useState<{ text: string; error: Error } | null>(null);
  const update = useUpdateTest();
  const parsed = useMemo(() => parseJson(text), [text]);
  const error = refused?.text === text ? refused.error : null;
  const marks = marksOf(text, parsed, error);
  const save = () => {
    if (!("places" in parsed)) return;
    update.mutateAsync({ test, body: { name, request: parsed.value as TestRequest } }).then(
      () => {
        toast(`${name} is saved`);
        close();
      },
      (problem: Error) => setRefused({ text, error: problem }),
    );
  };
  return (
    <Panel
      title={test.name}
      close={close}
      foot={
        <>
          <Remove test={test} close={close} />
          <Button loading={update.isPending} disabled={!("places" in parsed)} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className={classes.edit}>
        <TextInput label="Name" data-autofocus value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
        <CodeField label="Conversation and checks" value={text} onChange={setText} marks={marks} onSave={save} />
        <Problem error={error} />
      </div>
    </Panel>
  );
}

function marksOf(text: string, parsed: ReturnType<typeof parseJson>, error: Error | null): Mark[] {
  if (!("places" in parsed)) return [{ line: lineAt(text, parsed.at), text: parsed.detail }];
  if (!(error instanceof ApiError)) return [];
  return error.errors.map(({ pointer, detail }) => ({
    line: lineAt(text, placeOf(parsed.places, pointer.replace(/^#?(\/request)?/, "")).name),
    text: detail,
  }));
}

function Remove({ test, close }: { test: AgentTest; close(): void }) {
  const remove = useDeleteTest();
  const act = () =>
    remove.mutateAsync(test).then(
      () => {
        toast(`${test.name} is deleted`);
        close();
      },
      (error: Error) => toastError(`${test.name} is still there`, error),
    );
  return (
    <Group mr="auto">
      <Button variant="danger-subtle" loading={remove.isPending} onClick={() => void act()}>
        Delete
      </Button>
    </Group>
  );
}
