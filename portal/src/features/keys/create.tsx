import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type KeyWithSecret, useCreateKey } from "./data.ts";
import { bodyOf, KeyFields, valuesOf } from "./fields.tsx";

export function CreateKey({ close, created }: { close(): void; created(key: KeyWithSecret): void }) {
  const create = useCreateKey();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(),
    async send(values, key) {
      created(await create.mutateAsync({ body: bodyOf(values), key }));
    },
  });
  return (
    <Panel title="New key" close={close} foot={<FormFoot form="new-key" action="Create key" busy={busy} close={close} />}>
      <Form id="new-key" onSubmit={onSubmit} problem={problem}>
        <KeyFields form={form} />
      </Form>
    </Panel>
  );
}
