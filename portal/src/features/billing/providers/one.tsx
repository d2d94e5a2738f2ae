import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Copy, Id } from "../../../ui/copy.tsx";
import { Form, Problem, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import type { Account } from "../../crm/records/data.ts";
import { type Provider, type ProviderTest, useArchiveProvider, useTestProvider, useUpdateProvider } from "./data.ts";
import { configOf, NO_SECRETS, ProviderFields, secretsOf, type Values } from "./form.tsx";
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
            ["Money", provider.live ? "is real" : "does not move"],
            [
              "Webhook",
              provider.hook_path && (
                <span key="hook" className={classes.hook}>
                  <code>{location.origin + provider.hook_path}</code>
                  <Copy text={location.origin + provider.hook_path} label="Copy the address" />
                </span>
              ),
            ],
            ["Changed", <When key="changed" at={provider.updated_at} as="since" />],
            ["Id", <Id key="id">{provider.id}</Id>],
          ]}
        />
        {changes && provider.kind !== "manual" && <Test provider={provider} />}
        <Edit key={provider.version} provider={provider} writes={changes} />
      </div>
    </Panel>
  );
}

/** Whether the provider accepts the secrets. */
function Test({ provider }: { provider: Provider }) {
  const test = useTestProvider();
  const [result, setResult] = useState<ProviderTest | null>(null);
  const run = () => void test.mutateAsync(provider.id).then(setResult, () => setResult(null));
  return (
    <Section title="Test">
      <div className={classes.test}>
        <Button variant="default" loading={test.isPending} onClick={run}>
          Ask the provider
        </Button>
        <div role="status">
          {result && (
            <>
              <State tone={result.ok ? "live" : "bad"}>{result.ok ? "accepted" : "refused"}</State>{" "}
              <span className="soft">{result.detail}</span>
            </>
          )}
        </div>
      </div>
      <Problem error={test.error} />
    </Section>
  );
}

function Edit({ provider: live, writes }: { provider: Provider; writes: boolean }) {
  const provider = useAsOpened(live);
  const update = useUpdateProvider();
  const { kind, name, config } = provider;
  const { form, problem, onSubmit } = useApiForm<Values>({
    initial: { kind, for: "account", name, config: { instructions: String(config.instructions ?? "") }, secrets: NO_SECRETS },
    async send(values) {
      const secrets = secretsOf(values);
      const body = { name: values.name.trim(), ...(kind === "manual" ? { config: configOf(values) } : {}) };
      const given = Object.keys(secrets).length > 0 ? { secrets } : {};
      const saved = await update.mutateAsync({ provider, body: { ...body, ...given } });
      toast(`${saved.name} is saved`);
    },
  });
  return (
    <Form id="edit-provider" onSubmit={onSubmit} problem={problem}>
      <ProviderFields form={form} kind={kind} edits disabled={!writes} />
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
