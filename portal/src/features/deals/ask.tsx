import { Modal, TextInput } from "@mantine/core";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import type { Stage } from "../pipelines/data.ts";
import { type Deal, useDeal, useUpdateDeal } from "./data.ts";
import { bodyOf, DealField, valuesOf } from "./fields.tsx";

type FieldsProps = { id: string; to: Stage; fields: readonly string[]; close(): void; done(): void };

/** What a stage needs that the deal does not have yet. Saved with the deal, which then moves. */
export function AskFields({ id, ...props }: FieldsProps) {
  const { data: deal } = useDeal(id);
  return (
    <Modal opened onClose={props.close} title={`${props.to.name} needs a little more`} size={440}>
      {deal ? <FieldsForm deal={deal} {...props} /> : <Loading rows={3} />}
    </Modal>
  );
}

function FieldsForm({ deal, to, fields, close, done }: Omit<FieldsProps, "id"> & { deal: Deal }) {
  const update = useUpdateDeal();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(deal),
    async send(values) {
      await update.mutateAsync({ id: deal.id, version: deal.version, body: asked(bodyOf(values), fields) });
      done();
    },
  });
  return (
    <Form onSubmit={onSubmit} problem={problem}>
      {fields.map((field) => (
        <DealField key={field} field={field} form={form} account={deal.account_id} />
      ))}
      <FormFoot close={close} busy={busy} action={`Save and move to ${to.name}`} />
    </Form>
  );
}

/** Of a whole body what was asked for, and the currency of an amount. */
function asked(body: ReturnType<typeof bodyOf>, fields: readonly string[]) {
  const names = fields.map((field) => field.split(".")[0]);
  const wanted = names.some((name) => name?.endsWith("_cents")) ? [...names, "currency"] : names;
  return Object.fromEntries(Object.entries(body).filter(([name]) => wanted.includes(name)));
}

type LoseProps = { name: string; to: Stage; required: boolean; close(): void; lose(reason: string): void };

/** Why a deal is lost. */
export function AskReason({ name, to, required, close, lose }: LoseProps) {
  const { form, onSubmit } = useApiForm({
    initial: { lost_reason: "" },
    async send({ lost_reason }) {
      lose(lost_reason.trim());
    },
  });
  const empty = form.getValues().lost_reason.trim() === "";
  return (
    <Modal opened onClose={close} title={`Why is ${name} lost?`} size={440}>
      <Form onSubmit={onSubmit}>
        <TextInput
          label="Reason"
          description={required ? "This pipeline asks for one" : "Shown to your team, and counted in the metrics"}
          maxLength={500}
          data-autofocus
          {...form.getInputProps("lost_reason")}
        />
        <FormFoot close={close} action={`Move to ${to.name}`} disabled={required && empty} />
      </Form>
    </Modal>
  );
}
