import { Button, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Code } from "../../ui/code.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Lines } from "../../ui/lines.tsx";
import { curl, Loaded, Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { type OperatorKey, useCreateOperatorKey, useOperatorKeys, useRevokeOperatorKey } from "./data.ts";

type RevokeProps = { row: OperatorKey; revoke(key: OperatorKey): void };

function Revoke({ row, revoke }: RevokeProps) {
  if (row.revoked_at !== null) return null;
  return (
    <Button size="xs" variant="danger" onClick={() => revoke(row)}>
      Revoke…
    </Button>
  );
}

function KeyState({ row: { revoked_at } }: { row: OperatorKey }) {
  return <State tone={revoked_at === null ? "live" : "ended"}>{revoked_at === null ? "active" : "revoked"}</State>;
}

const columns = (revoke: (key: OperatorKey) => void): readonly Column<OperatorKey>[] => [
  { key: "name", head: "Name", width: "minmax(160px, 1.4fr)", cell: (row) => <span className="strong">{row.name}</span> },
  { key: "hint", head: "Key", width: "90px", cell: (row) => <span className="mono muted">…{row.hint}</span> },
  { key: "state", head: "State", width: "110px", cell: (row) => <KeyState row={row} /> },
  whenColumn({ key: "created", head: "Created", width: "90px", at: (row) => row.created_at, as: "day" }),
  {
    key: "act",
    head: "",
    width: "84px",
    end: true,
    cell: (row) => <Revoke row={row} revoke={revoke} />,
  },
];

export default function OperatorKeys() {
  const [url, setUrl] = useUrl();
  const list = useOperatorKeys();
  const [revoking, setRevoking] = useState<OperatorKey | null>(null);
  const revoke = useRevokeOperatorKey();
  const create = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Operator keys"
      fill
      api="GET /v1/admin/keys"
      foot={<Loaded list={list} keys={false} />}
      actions={
        <Button leftSection={<Plus />} onClick={create}>
          Create key
        </Button>
      }
      phoneAction={
        <Button variant="default" onClick={create}>
          Create
        </Button>
      }
    >
      <Table
        label="Operator keys"
        columns={columns(setRevoking)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        phone={(row) => (
          <Lines
            title={row.name}
            note={<span className="mono">…{row.hint}</span>}
            end={row.revoked_at === null ? <Revoke row={row} revoke={setRevoking} /> : <KeyState row={row} />}
          />
        )}
        empty={
          <Empty title="No key yet" action={<Button onClick={create}>Create key</Button>}>
            A key of the operator has access to everything under /v1/admin.
          </Empty>
        }
      />
      {url.new === "yes" && <CreateKey close={() => setUrl({ new: undefined })} />}
      <Confirm
        opened={revoking !== null}
        close={() => setRevoking(null)}
        title={`Revoke ${revoking?.name ?? ""}?`}
        action="Revoke"
        danger
        onConfirm={async () => {
          await revoke.mutateAsync(revoking?.id ?? "");
          toast(`${revoking?.name} is revoked`);
        }}
      >
        <p>Programs that use it are refused at once, and it cannot be brought back. The last active key cannot be revoked.</p>
      </Confirm>
    </Page>
  );
}

function CreateKey({ close }: { close(): void }) {
  const create = useCreateOperatorKey();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "" },
    send: ({ name }, key) => create.mutateAsync({ name, key }),
  });
  const made = create.data;
  if (made) {
    return (
      <Panel title={made.name} close={close} foot={<Button onClick={close}>Done</Button>}>
        <p>
          <b>Copy it now: it is shown once.</b> It has access to everything under /v1/admin.
        </p>
        <Code text={made.api_key} label="The key" />
        <p className="muted">Try it:</p>
        <Code text={curl("GET /v1/admin/health").replace("$TRIBUTARY_KEY", made.api_key)} label="A first request" />
      </Panel>
    );
  }
  return (
    <Panel
      title="New operator key"
      close={close}
      foot={<FormFoot form="new-operator-key" action="Create key" busy={busy} close={close} />}
    >
      <Form id="new-operator-key" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" description="What uses it" data-autofocus {...form.getInputProps("name")} />
      </Form>
    </Panel>
  );
}
