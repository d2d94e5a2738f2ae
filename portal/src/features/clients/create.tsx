import { useSession } from "../../api/session.ts";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { useCreateClient } from "./data.ts";
import { bodyOf, ClientFields, valuesOf } from "./fields.tsx";

export function CreateClient({ opened, close }: { opened: boolean; close(): void }) {
  return opened ? <CreatePanel close={close} /> : null;
}

function CreatePanel({ close }: { close(): void }) {
  const { partner } = useSession();
  const create = useCreateClient();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf({ currency: partner?.currency ?? "usd" }),
    async send(values, key) {
      const client = await create.mutateAsync({ body: bodyOf(values), key });
      toast(`${client.company} is created`);
      go(`/clients/${client.id}`);
    },
  });
  return (
    <Panel
      title="New client"
      close={close}
      foot={<FormFoot form="new-client" action="Create client" busy={busy} close={close} />}
    >
      <Form id="new-client" onSubmit={onSubmit} problem={problem}>
        <ClientFields form={form} />
      </Form>
    </Panel>
  );
}
