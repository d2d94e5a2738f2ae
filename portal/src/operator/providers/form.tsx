import { Button, Group, PasswordInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Copy } from "../../ui/copy.tsx";
import { Form, FormFoot, Problem, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import {
  type Provider,
  type ProviderTest,
  useArchiveProvider,
  useCreateProvider,
  useTestProvider,
  useUpdateProvider,
} from "./data.ts";

type Values = { kind: "test" | "stripe"; name: string; secrets: { secret_key: string; webhook_secret: string } };

export const KINDS = { stripe: "Stripe", test: "Test cards" } as const;

/** The secrets that were typed; those that were not stay as they are. */
const secretsOf = ({ secrets }: Values) => Object.fromEntries(Object.entries(secrets).filter(([, text]) => text !== ""));

/** A provider that collects for the operator: a new one, or one that is changed. */
export function ProviderForm({ provider: live, close }: { provider: Provider | null; close(): void }) {
  const provider = useAsOpened({ of: live }).of;
  const create = useCreateProvider();
  const update = useUpdateProvider();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: {
      kind: provider?.kind ?? "stripe",
      name: provider?.name ?? "",
      secrets: { secret_key: "", webhook_secret: "" },
    },
    async send(values, key) {
      const { kind } = values;
      const name = values.name.trim();
      const secrets = kind === "stripe" ? secretsOf(values) : {};
      const given = Object.keys(secrets).length > 0 ? { secrets } : {};
      if (provider === null) await create.mutateAsync({ body: { kind, name, ...given }, key });
      else await update.mutateAsync({ provider, body: { name, ...given } });
      toast(`${name} is saved`);
      close();
    },
  });
  const kept = provider === null ? {} : { description: "Stored and never shown. Empty keeps it" };
  const secret = (label: string, name: string, placeholder: string) => (
    <PasswordInput label={label} placeholder={placeholder} autoComplete="new-password" {...kept} {...form.getInputProps(name)} />
  );
  return (
    <Panel
      title={provider?.name ?? "New provider"}
      close={close}
      foot={<FormFoot form="provider" action={provider === null ? "Add provider" : "Save"} busy={busy} close={close} />}
    >
      {live && <Standing provider={live} />}
      <Form id="provider" onSubmit={onSubmit} problem={problem}>
        {provider === null && (
          <Select
            label="Kind"
            data-autofocus
            allowDeselect={false}
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps("kind")}
          />
        )}
        <TextInput label="Name" autoComplete="off" {...form.getInputProps("name")} />
        {form.values.kind === "stripe" && (
          <>
            {secret("Secret key", "secrets.secret_key", "sk_live_… or sk_test_…")}
            {secret("Webhook secret (optional)", "secrets.webhook_secret", "whsec_…")}
          </>
        )}
      </Form>
    </Panel>
  );
}

/** How a provider stands, its test, and what stops it. */
function Standing({ provider }: { provider: Provider }) {
  const test = useTestProvider();
  const update = useUpdateProvider();
  const archive = useArchiveProvider();
  const [result, setResult] = useState<ProviderTest | null>(null);
  const { status, hook_path, name } = provider;
  const to = status === "active" ? "paused" : "active";
  const act = (work: Promise<unknown>, done: string) =>
    void work.then(
      () => toast(done),
      (error: Error) => toastError("Not done", error),
    );
  return (
    <>
      <Facts
        rows={[
          ["Money", provider.live ? "is real" : "does not move"],
          [
            "Webhook",
            hook_path && (
              <>
                <code>{location.origin + hook_path}</code> <Copy text={location.origin + hook_path} label="Copy the address" />
              </>
            ),
          ],
        ]}
      />
      <Group gap={8} my={16}>
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => void test.mutateAsync(provider.id).then(setResult, () => setResult(null))}
        >
          Ask the provider
        </Button>
        <Button variant="default" onClick={() => act(update.mutateAsync({ provider, body: { status: to } }), `${name} is ${to}`)}>
          {status === "active" ? "Pause" : "Resume"}
        </Button>
        <Button variant="subtle" onClick={() => act(archive.mutateAsync(provider), `${name} is archived`)}>
          Archive
        </Button>
      </Group>
      <div role="status">
        {result && (
          <p>
            <State tone={result.ok ? "live" : "bad"}>{result.ok ? "accepted" : "refused"}</State> {result.detail}
          </p>
        )}
      </div>
      <Problem error={test.error} />
    </>
  );
}
