import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Deal, useCreateDeal } from "./data.ts";
import { bodyOf, DealField, useFieldsOf, valuesOf } from "./fields.tsx";

type Props = { account: string; currency: string; pipeline: string | undefined; close(): void; done(deal: Deal): void };

/** A deal of an account with its own customers. */
export function CreateDeal({ account, currency, pipeline, close, done }: Props) {
  const create = useCreateDeal();
  const fields = useFieldsOf(account, false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf({ currency }),
    async send(values, key) {
      const filled = Object.fromEntries(Object.entries(bodyOf(values)).filter(([, value]) => value !== null && value !== ""));
      const body = { ...filled, account_id: account, ...(pipeline ? { pipeline_id: pipeline } : {}) };
      const deal = await create.mutateAsync({ body, key });
      toast(`${deal.name} is created`);
      done(deal);
    },
  });
  return (
    <Panel title="New deal" close={close} foot={<FormFoot form="new-deal" action="Create deal" busy={busy} close={close} />}>
      <Form id="new-deal" onSubmit={onSubmit} problem={problem}>
        {fields.map((field) => (
          <DealField key={field} field={field} form={form} account={account} />
        ))}
      </Form>
    </Panel>
  );
}
