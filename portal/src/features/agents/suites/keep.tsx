import { Modal, TextInput } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { toast } from "../../../ui/toast.tsx";
import type { Agent } from "../data.ts";
import { type TestRequest, useCreateTest, useTestOfSession } from "./data.ts";

/** A name that is taken is about the name. */
const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_test" ? { name: problem.detail } : {};

type NameProps = { title: string; children: React.ReactNode; send(name: string, key: string): Promise<unknown>; close(): void };

function NameTest({ title, children, send, close }: NameProps) {
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "" },
    faultsOf,
    send: ({ name }, key) => send(name, key),
  });
  return (
    <Modal opened onClose={close} title={title} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className="soft">{children}</p>
        <TextInput label="Name" placeholder="Hands a rich lead to a person" data-autofocus {...form.getInputProps("name")} />
        <FormFoot action="Save test" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}

/** Keeps a conversation of the sandbox, with its checks, as a test. */
export function KeepAsTest({ agent, request, close }: { agent: Agent; request: TestRequest; close(): void }) {
  const create = useCreateTest(agent.id);
  const send = async (name: string, key: string) => {
    await create.mutateAsync({ body: { name, request }, key });
    toast(`${name} is a test now`);
    close();
  };
  return (
    <NameTest title="Save as a test" send={send} close={close}>
      What was written here, with its checks. It runs with all other tests of {agent.name}.
    </NameTest>
  );
}

type SessionProps = { session: { id: string; agent_id: string; account_id: string }; close(): void };

/** Makes a test of what was said in a session. */
export function TestOfSession({ session: { id, agent_id, account_id }, close }: SessionProps) {
  const make = useTestOfSession();
  const go = useGo();
  const send = async (name: string) => {
    const test = await make.mutateAsync({ session_id: id, name });
    toast(`${test.name} is a test now`);
    go(`/crm/${account_id}/agents/${agent_id}?show=tests`);
  };
  return (
    <NameTest title="Make a test of this session" send={send} close={close}>
      What the person wrote, answers from outside as they were, and what the agent did as its checks. It depends on no record.
    </NameTest>
  );
}
