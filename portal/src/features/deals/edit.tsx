import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Deal, useUpdateDeal } from "./data.ts";
import { bodyOf, DealField, useFieldsOf, valuesOf } from "./fields.tsx";
import { titleOf } from "./moves.tsx";

type Body = ReturnType<typeof bodyOf>;

/** Of the fields only those that differ: the money of a won deal may not even be sent. */
export function changed(before: Body, after: Body): Partial<Body> {
  const differs = (name: string) => JSON.stringify(before[name as keyof Body]) !== JSON.stringify(after[name as keyof Body]);
  return Object.fromEntries(Object.entries(after).filter(([name]) => differs(name)));
}

/** Changes a deal. What somebody else changed meanwhile is not overwritten: the API refuses, and says so. */
export function EditDeal({ deal: live, close }: { deal: Deal; close(): void }) {
  const deal = useAsOpened(live);
  const update = useUpdateDeal();
  const fields = useFieldsOf(deal.account_id, deal.sale);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(deal),
    async send(values) {
      const before = bodyOf(valuesOf(deal));
      const body = changed(before, bodyOf(values));
      if (Object.keys(body).length === 0) return close();
      const saved = await update.mutateAsync({ id: deal.id, version: deal.version, body });
      const back = changed(bodyOf(valuesOf(saved)), before);
      toast(`${titleOf(saved)} is saved`, () => {
        const { id, version } = saved;
        update.mutateAsync({ id, version, body: back }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Panel
      title={`Edit ${titleOf(deal)}`}
      close={close}
      foot={<FormFoot form="edit-deal" action="Save" busy={busy} close={close} />}
    >
      <Form id="edit-deal" onSubmit={onSubmit} problem={problem}>
        {fields.map((field) => (
          <DealField key={field} field={field} form={form} account={deal.account_id} />
        ))}
      </Form>
    </Panel>
  );
}
