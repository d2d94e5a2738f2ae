import { Checkbox, NumberInput, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useMay } from "../../api/session.ts";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import type { Account } from "../crm/records/data.ts";
import { useChannels } from "../inbox/channels/data.ts";
import { faultsOf } from "./create.tsx";
import { type Agent, type Mode, useAgents, useSetChannels, useUpdateAgent } from "./data.ts";
import { MODES } from "./words.tsx";

/** Where an agent answers, in which mode, and what it is called. */
export function Settings({ account, agent: opened, close }: { account: Account; agent: Agent; close(): void }) {
  const agent = useAsOpened(opened);
  const update = useUpdateAgent();
  const setChannels = useSetChannels();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: {
      name: agent.name,
      description: agent.description ?? "",
      mode: agent.mode as string,
      channel_ids: [...agent.channel_ids] as string[],
      limits: { turns_per_session: agent.limits.turns_per_session as number | string },
    },
    faultsOf,
    async send({ name, description, mode, channel_ids, limits }) {
      const body = {
        name,
        description: description.trim() === "" ? null : description,
        mode: mode as Mode,
        limits: { turns_per_session: Number(limits.turns_per_session) },
      };
      const saved = await update.mutateAsync({ agent, body });
      const same = channel_ids.length === agent.channel_ids.length && channel_ids.every((id) => agent.channel_ids.includes(id));
      if (!same) await setChannels.mutateAsync({ agent: saved, channel_ids });
      toast(`${name} is saved`);
      close();
    },
  });
  return (
    <Panel
      title={`Settings of ${opened.name}`}
      close={close}
      foot={<FormFoot form="agent-settings" action="Save" busy={busy} close={close} />}
    >
      <Form id="agent-settings" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
        <Textarea label="What it is for" autosize minRows={2} {...form.getInputProps("description")} />
        <Radio.Group label="Mode" {...form.getInputProps("mode")}>
          <Stack gap={8} mt={8}>
            {Object.entries(MODES).map(([value, { name, note }]) => (
              <Radio key={value} value={value} label={name} description={note} />
            ))}
          </Stack>
        </Radio.Group>
        <Channels account={account} agent={opened} {...form.getInputProps("channel_ids")} />
        <NumberInput
          label="Turns of a conversation"
          description="After so many a person takes over."
          min={1}
          max={500}
          {...form.getInputProps("limits.turns_per_session")}
        />
      </Form>
    </Panel>
  );
}

type ChannelsProps = {
  account: Account;
  agent: Agent;
  value?: string[];
  onChange?(value: string[]): void;
  error?: React.ReactNode;
};

/** The channels of the account; one that another agent has says so. */
function Channels({ account, agent, ...field }: ChannelsProps) {
  const reads = useMay()("conversations:read");
  const channels = useChannels(account.id, false, reads).data;
  const others = useAgents(account.id).data?.filter(({ id }) => id !== agent.id) ?? [];
  const ownerOf = (channel: string) => others.find(({ channel_ids }) => channel_ids.includes(channel))?.name;
  if (!reads) return null;
  return (
    <Checkbox.Group label="Channels that it answers on" {...field}>
      <Stack gap={8} mt={8}>
        {channels?.map(({ id, name, status }) => {
          const owner = ownerOf(id);
          const note = owner ? `${owner} answers here` : status === "active" ? undefined : status;
          return <Checkbox key={id} value={id} label={name} description={note} disabled={owner !== undefined} />;
        })}
        {channels?.length === 0 && (
          <p className="muted">
            {account.company} has no channel yet.{" "}
            <Link className="link" to={`/crm/${account.id}/channels?new=yes`}>
              Add one
            </Link>
          </p>
        )}
      </Stack>
    </Checkbox.Group>
  );
}
