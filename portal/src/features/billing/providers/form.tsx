import { Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { isPartnerWide, useSession } from "../../../api/session.ts";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useUrl } from "../../../ui/url.ts";
import type { Account } from "../../crm/records/data.ts";
import { type ProviderKind, useCreateProvider } from "./data.ts";
import { KINDS } from "./kinds.ts";

export type Values = { kind: ProviderKind; for: "account" | "all"; name: string; config: { instructions: string } };

/** What the form of a kind says as the API wants it. */
export const configOf = ({ kind, config }: Values): Record<string, unknown> =>
  kind === "manual" ? { instructions: config.instructions.trim() } : {};

/** A new provider. Those who see all clients can let it collect for all of them. */
export function CreateProvider({ account, close }: { account: Account; close(): void }) {
  const session = useSession();
  const create = useCreateProvider();
  const [, setUrl] = useUrl();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { kind: "manual", for: "account", name: "", config: { instructions: "" } },
    async send(values, key) {
      const { kind, name } = values;
      const account_id = values.for === "all" ? null : account.id;
      const provider = await create.mutateAsync({ body: { account_id, kind, name: name.trim(), config: configOf(values) }, key });
      toast(`${provider.name} is added`);
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

type FieldsProps = { form: UseFormReturnType<Values>; kind: ProviderKind; disabled?: boolean };

/** The name of a provider, and what its kind needs. */
export function ProviderFields({ form, kind, disabled = false }: FieldsProps) {
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
    </>
  );
}
