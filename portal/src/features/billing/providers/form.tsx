import { PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { isPartnerWide, useSession } from "../../../api/session.ts";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import type { Account } from "../../crm/records/data.ts";
import { type ProviderKind, useCreateProvider } from "./data.ts";
import { KINDS } from "./kinds.ts";

export type Values = {
  kind: ProviderKind;
  for: "account" | "all";
  name: string;
  config: { instructions: string };
  secrets: Secrets;
};
type Secrets = { secret_key: string; webhook_secret: string };

export const NO_SECRETS: Secrets = { secret_key: "", webhook_secret: "" };

/** What the form of a kind says as the API wants it. */
export const configOf = ({ kind, config }: Values): Record<string, unknown> =>
  kind === "manual" ? { instructions: config.instructions.trim() } : {};

/** The secrets that were typed; those that were not stay as they are. */
export const secretsOf = ({ kind, secrets }: Values): Record<string, string> =>
  kind === "stripe"
    ? Object.fromEntries(Object.entries(secrets).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])))
    : {};

/** A new provider. Those who see all clients can let it collect for all of them. */
export function CreateProvider({ account, close }: { account: Account; close(): void }) {
  const session = useSession();
  const create = useCreateProvider();
  const [, setUrl] = useUrl();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { kind: "manual", for: "account", name: "", config: { instructions: "" }, secrets: NO_SECRETS },
    async send(values, key) {
      const { kind, name } = values;
      const account_id = values.for === "all" ? null : account.id;
      const given = kind === "stripe" ? { secrets: secretsOf(values) } : {};
      const body = { account_id, kind, name: name.trim(), config: configOf(values), ...given };
      const provider = await create.mutateAsync({ body, key });
      toast(`${provider.name} is added: test it now`);
      setUrl({ new: undefined, open: provider.id });
    },
  });
  return (
    <Panel
      title="New provider"
      close={close}
      foot={<FormFoot form="new-provider" action="Add provider" busy={busy} close={close} />}
    >
      <Form id="new-provider" onSubmit={onSubmit} problem={problem}>
        <Select
          label="Kind"
          description={KINDS[form.values.kind].about}
          data-autofocus
          allowDeselect={false}
          data={Object.entries(KINDS).map(([value, { name }]) => ({ value, label: name }))}
          {...form.getInputProps("kind")}
        />
        <ProviderFields form={form} kind={form.values.kind} />
        {isPartnerWide(session) && (
          <Select
            label="Collects for"
            allowDeselect={false}
            data={[
              { value: "account", label: account.company },
              { value: "all", label: "All accounts that have none of their own" },
            ]}
            {...form.getInputProps("for")}
          />
        )}
      </Form>
    </Panel>
  );
}

type FieldsProps = { form: UseFormReturnType<Values>; kind: ProviderKind; edits?: boolean; disabled?: boolean };

/** The name of a provider, and what its kind needs. */
export function ProviderFields({ form, kind, edits = false, disabled = false }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="Only you see it"
        autoComplete="off"
        disabled={disabled}
        {...form.getInputProps("name")}
      />
      {kind === "manual" && (
        <Textarea
          label="How to pay"
          description="The payer reads it on the page, line by line"
          placeholder={"IBAN DE89 3704 0044 0532 0130 00\nReference: the number of your invoice"}
          autosize
          minRows={3}
          maxRows={10}
          disabled={disabled}
          {...form.getInputProps("config.instructions")}
        />
      )}
      {kind === "stripe" && (
        <>
          <PasswordInput
            label="Secret key"
            description={
              edits ? KEPT : "Of your account at Stripe. A restricted key needs Checkout, PaymentIntents, Refunds and Disputes"
            }
            placeholder="sk_live_… or sk_test_…"
            autoComplete="new-password"
            disabled={disabled}
            {...form.getInputProps("secrets.secret_key")}
          />
          <PasswordInput
            label="Webhook secret (optional)"
            description={
              edits
                ? KEPT
                : "Stripe shows it once you enter our address there, which you see after adding. Until then we ask every minute"
            }
            placeholder="whsec_…"
            autoComplete="new-password"
            disabled={disabled}
            {...form.getInputProps("secrets.webhook_secret")}
          />
        </>
      )}
    </>
  );
}

const KEPT = "Stored and never shown. Empty keeps it";
