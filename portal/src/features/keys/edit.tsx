import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Key, useUpdateKey } from "./data.ts";
import { bodyOf, KeyFields, valuesOf } from "./fields.tsx";

/** Changes what a key may. What is taken from it ends at once; it can be given back. */
export function EditKey({ shown, close }: { shown: Key; close(): void }) {
  const update = useUpdateKey();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(shown),
    async send(values) {
      const before = bodyOf(valuesOf(shown), shown.expires_at);
      const saved = await update.mutateAsync({ key: shown, body: bodyOf(values, shown.expires_at) });
      toast(`${saved.name} is saved`, () => {
        update.mutateAsync({ key: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Panel title={`Edit ${shown.name}`} close={close} foot={<FormFoot form="edit-key" action="Save" busy={busy} close={close} />}>
      <Form id="edit-key" onSubmit={onSubmit} problem={problem}>
        <KeyFields form={form} />
      </Form>
    </Panel>
  );
}
