import { Select, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { ApiError } from "@tributary/sdk";
import { useState } from "react";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useContactsLike } from "../../crm/contacts/data.ts";
import type { Account } from "../../crm/records/data.ts";
import { type Channel, useChannels } from "../channels/data.ts";
import { KINDS } from "../channels/kinds.ts";
import { useStartConversation } from "./data.ts";

type Props = { account: Account; close(): void };

/** Writes to somebody first. */
export function StartConversation({ account, close }: Props) {
  // Whoever has not opened a web chat is not there.
  const channels = useChannels(account.id).data?.filter(({ kind }) => kind !== "webchat");
  return channels === undefined ? null : <StartPanel account={account} close={close} channels={channels} />;
}

type Values = { channel_id: string; contact_id: string | null; address: string; text: string };

function StartPanel({ account, close, channels }: Props & { channels: readonly Channel[] }) {
  const start = useStartConversation();
  const go = useGo();
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search, 150);
  const found = useContactsLike(account.id, settled).data ?? [];
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { channel_id: channels[0]?.id ?? "", contact_id: null, address: "", text: "" },
    async send({ channel_id, contact_id, address, text }, key) {
      const to: { contact_id?: string; address?: string } = contact_id !== null ? { contact_id } : { address: address.trim() };
      const body = { channel_id, ...to, ...(text.trim() === "" ? {} : { text }) };
      const { id } = await start.mutateAsync({ body, key });
      go(`/crm/${account.id}/inbox?open=${id}`);
    },
  });
  return (
    <Panel
      title="New message"
      close={close}
      foot={<FormFoot form="new-message" action="Send" busy={busy} close={close} disabled={channels.length === 0} />}
    >
      <Form id="new-message" onSubmit={onSubmit} problem={problem}>
        <Select
          label="Channel"
          description={channels.length === 0 ? "On web chats people write first: add another channel" : undefined}
          allowDeselect={false}
          data={channels.map(({ id, name, kind }) => ({ value: id, label: `${name} (${KINDS[kind].name})` }))}
          {...form.getInputProps("channel_id")}
        />
        <Select
          label="Contact"
          placeholder="Name, phone or address"
          data-autofocus
          clearable
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          filter={({ options }) => options}
          nothingFoundMessage={search === "" ? undefined : "Nobody has this"}
          data={found.map(({ id, name, phone }) => ({ value: id, label: [name, phone].filter(Boolean).join(", ") }))}
          {...form.getInputProps("contact_id")}
        />
        {form.values.contact_id === null && (
          <TextInput
            label="Or an address"
            description="A phone number with its country, or what the channel takes"
            placeholder="+15550100001"
            {...form.getInputProps("address")}
          />
        )}
        <Textarea label="Message" autosize minRows={4} maxRows={14} {...form.getInputProps("text")} />
        <Existing account={account} problem={problem} />
      </Form>
    </Panel>
  );
}

/** The conversation that is open with this address already. */
function Existing({ account, problem }: { account: Account; problem: Error | null }) {
  if (!(problem instanceof ApiError) || problem.code !== "duplicate_conversation") return null;
  return (
    <p>
      <Link className="link" to={`/crm/${account.id}/inbox?open=${String(problem.problem.existing_id)}`}>
        Open that conversation
      </Link>
    </p>
  );
}
