import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Form, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type Provider, useArchiveProvider, useUpdateProvider } from "./data.ts";
import { configOf, ProviderFields, type Values } from "./form.tsx";
import { KINDS } from "./kinds.ts";
import classes from "./providers.module.css";

type Props = { account: Account; provider: Provider; writes: boolean; close(): void };

/** A provider: for whom it collects, whether it does, and its settings. */
export function ProviderPanel({ account, provider, writes, close }: Props) {
  const changes = writes && provider.archived_at === null;
  return (
    <Panel
      title={provider.name}
      close={close}
      foot={
        changes && (
          <>
            <Acts provider={provider} close={close} />
            <Button type="submit" form="edit-provider">
              Save
            </Button>
          </>
        )
      }
    >
      <div className={classes.stack}>
        {provider.archived_at !== null && (
          <Blocker title="Archived">No payment starts with it. What has started is completed, and can be refunded.</Blocker>
        )}
        {provider.archived_at === null && provider.status === "paused" && (
          <Blocker title="Paused">No payment starts with it. What has started goes on.</Blocker>
        )}
        <Facts
          rows={[
            ["Kind", KINDS[provider.kind].name],
            ["Collects for", provider.account_id === null ? "all accounts that have none of their own" : account.company],
            ["Changed", <When key="changed" at={provider.updated_at} />],
            ["Id", <Id key="id">{provider.id}</Id>],
          ]}
        />
        <Edit key={provider.version} provider={provider} writes={changes} />
      </div>
    </Panel>
  );
}

function Edit({ provider: live, writes }: { provider: Provider; writes: boolean }) {
  const provider = useAsOpened(live);
  const update = useUpdateProvider();
  const { kind, name, config } = provider;
  const { form, problem, onSubmit } = useApiForm<Values>({
    initial: { kind, for: "account", name, config: { instructions: String(config.instructions ?? "") } },
    async send(values) {
      const saved = await update.mutateAsync({ provider, body: { name: values.name.trim(), config: configOf(values) } });
      toast(`${saved.name} is saved`);
    },
  });
  return (
    <Form id="edit-provider" onSubmit={onSubmit} problem={problem}>
      <ProviderFields form={form} kind={kind} disabled={!writes} />
    </Form>
  );
}

function Acts({ provider, close }: { provider: Provider; close(): void }) {
  const [asks, setAsks] = useState(false);
  const update = useUpdateProvider();
  const archive = useArchiveProvider();
  const { name, status } = provider;
  const to = status === "active" ? "paused" : "active";
  const set = () =>
    void update.mutateAsync({ provider, body: { status: to } }).then(
      () => toast(`${name} is ${to}`),
      (error: Error) => toastError("Not done", error),
    );
  return (
    <Group gap={8} mr="auto">
      <Button variant="default" onClick={set}>
        {status === "active" ? "Pause" : "Resume"}
      </Button>
      <Button variant="subtle" onClick={() => setAsks(true)}>
        Archive…
      </Button>
      <Confirm
        opened={asks}
        close={() => setAsks(false)}
        title={`Archive ${name}?`}
        action="Archive"
        danger
        onConfirm={async () => {
          await archive.mutateAsync(provider);
          toast(`${name} is archived`);
          close();
        }}
      >
        <p>
          No payment starts with it any more, and it cannot be brought back. What has started is completed, and what was paid can
          still be refunded.
        </p>
      </Confirm>
    </Group>
  );
}
