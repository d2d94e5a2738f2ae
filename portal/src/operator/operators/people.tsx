import { Button, TextInput } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Code } from "../../ui/code.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Loaded, Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { State } from "../../ui/state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { whenColumn } from "../../ui/when.tsx";
import { type OperatorUser, useInviteOperator, useOperatorUsers, useRemoveOperator } from "./data.ts";

type RemoveProps = { row: OperatorUser; remove(user: OperatorUser): void };

function Remove({ row, remove }: RemoveProps) {
  return (
    <Button size="xs" variant="danger" onClick={() => remove(row)}>
      Remove…
    </Button>
  );
}

const columnsOf = (you: string, remove: (user: OperatorUser) => void): readonly Column<OperatorUser>[] => [
  {
    key: "name",
    head: "Name",
    width: "minmax(180px, 1.4fr)",
    cell: (row) => (
      <span className="cut">
        <span className="strong">{row.name}</span>{" "}
        <span className="muted">{row.id === you ? `${row.email}, you` : row.email}</span>
      </span>
    ),
  },
  {
    key: "state",
    head: "State",
    width: "110px",
    cell: (row) => <State tone={row.state === "active" ? "live" : "wait"}>{row.state}</State>,
  },
  whenColumn({ key: "since", head: "Since", width: "90px", at: (row) => row.created_at, as: "day" }),
  {
    key: "act",
    head: "",
    width: "90px",
    end: true,
    cell: (row) => row.id !== you && <Remove row={row} remove={remove} />,
  },
];

export default function OperatorPeople() {
  const [url, setUrl] = useUrl();
  const { user } = useSession();
  const list = useOperatorUsers();
  const remove = useRemoveOperator();
  const [removing, setRemoving] = useState<OperatorUser | null>(null);
  const invite = () => setUrl({ new: "yes" }, true);
  return (
    <Page
      title="Operators"
      fill
      api="GET /v1/admin/users"
      foot={<Loaded list={list} keys={false} />}
      actions={
        <Button leftSection={<Plus />} onClick={invite}>
          Invite
        </Button>
      }
      phoneAction={
        <Button variant="default" onClick={invite}>
          Invite
        </Button>
      }
    >
      <Table
        label="Operators"
        columns={columnsOf(user.id, setRemoving)}
        list={list}
        id={(row) => row.id}
        name={(row) => row.name}
        phone={(row) => (
          <Lines
            title={row.name}
            note={row.state === "active" ? row.email : `${row.email}, ${row.state}`}
            end={row.id === user.id ? "you" : <Remove row={row} remove={setRemoving} />}
          />
        )}
        empty={<Empty title="Nobody yet">People who run the programme: they see all partners and decide what waits.</Empty>}
      />
      {url.new === "yes" && <Invite close={() => setUrl({ new: undefined })} />}
      <Confirm
        opened={removing !== null}
        close={() => setRemoving(null)}
        title={`Remove ${removing?.name ?? ""}?`}
        action="Remove"
        danger
        onConfirm={async () => {
          await remove.mutateAsync(removing?.id ?? "");
          toast(`${removing?.name} is removed`);
        }}
      >
        <p>They are signed out at once, and can come back only by a new invitation. What they did stays in the audit log.</p>
      </Confirm>
    </Page>
  );
}

function Invite({ close }: { close(): void }) {
  const invite = useInviteOperator();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "", email: "" },
    send: (body, key) => invite.mutateAsync({ body, key }),
  });
  const invited = invite.data;
  if (invited) {
    return (
      <Panel title={`${form.values.name} is invited`} close={close} foot={<Button onClick={close}>Done</Button>}>
        {invited.url === null ? (
          <p>An email is on its way to {form.values.email}.</p>
        ) : (
          <>
            <p>This service sends no email. Pass this link on; it works once, for seven days.</p>
            <Code text={invited.url} label="The invitation" />
          </>
        )}
      </Panel>
    );
  }
  return (
    <Panel
      title="Invite an operator"
      close={close}
      foot={<FormFoot form="invite-operator" action="Invite" busy={busy} close={close} />}
    >
      <Form id="invite-operator" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" data-autofocus autoComplete="off" {...form.getInputProps("name")} />
        <TextInput
          label="Email"
          description="They will see all partners, and decide what waits"
          type="email"
          autoComplete="off"
          {...form.getInputProps("email")}
        />
      </Form>
    </Panel>
  );
}
