import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Client, useUpdateClient } from "./data.ts";
import { bodyOf, ClientFields, valuesOf } from "./fields.tsx";

/** Changes a client. What somebody else changed meanwhile is not overwritten: the API refuses, and says so. */
export function EditClient({ client: live, close }: { client: Client; close(): void }) {
  const client = useAsOpened(live);
  const update = useUpdateClient();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(client),
    async send(values) {
      const before = bodyOf(valuesOf(client));
      const saved = await update.mutateAsync({ client, body: bodyOf(values) });
      toast(`${saved.company} is saved`, () => {
        update.mutateAsync({ client: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Panel
      title={`Edit ${client.company}`}
      close={close}
      foot={<FormFoot form="edit-client" action="Save" busy={busy} close={close} />}
    >
      <Form id="edit-client" onSubmit={onSubmit} problem={problem}>
        <ClientFields form={form} />
      </Form>
    </Panel>
  );
}
