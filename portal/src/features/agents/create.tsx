import { Radio, Stack, Textarea, TextInput } from "@mantine/core";
import type { ApiError } from "@tributary/sdk";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Account } from "../crm/records/data.ts";
import { useCreateAgent } from "./data.ts";
import { EXAMPLE } from "./example.ts";

/** A name that is taken is about the name. */
export const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_agent" ? { name: problem.detail } : {};

/** A new agent: with the example as its playbook, or with one that hands every conversation to a person. */
export function CreateAgent({ account, close }: { account: Account; close(): void }) {
  const create = useCreateAgent();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: "", description: "", begin: "example" },
    faultsOf,
    async send({ name, description, begin }, key) {
      const body = {
        account_id: account.id,
        name,
        ...(description.trim() === "" ? {} : { description }),
        ...(begin === "example" ? { content: EXAMPLE } : {}),
      };
      const agent = await create.mutateAsync({ body, key });
      toast(`${agent.name} is created, as a draft: it answers nobody yet`);
      go(`/crm/${account.id}/agents/${agent.id}`);
    },
  });
  return (
    <Panel title="New agent" close={close} foot={<FormFoot form="new-agent" action="Create agent" busy={busy} close={close} />}>
      <Form id="new-agent" onSubmit={onSubmit} problem={problem}>
        <TextInput
          label="Name"
          description="People who write to it read this name."
          placeholder="Nora"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Textarea
          label="What it is for"
          autosize
          minRows={2}
          placeholder="Qualifies new leads"
          {...form.getInputProps("description")}
        />
        <Radio.Group label="Begin with" {...form.getInputProps("begin")}>
          <Stack gap={8} mt={8}>
            <Radio
              value="example"
              label="The example"
              description="Asks what is needed, the budget and an address, notes it at the lead, and hands good leads to a person."
            />
            <Radio
              value="empty"
              label="Almost nothing"
              description="Hands every conversation to a person, until you write more."
            />
          </Stack>
        </Radio.Group>
      </Form>
    </Panel>
  );
}
