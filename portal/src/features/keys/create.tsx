import { Button } from "@mantine/core";
import { Form, useApiForm } from "../../ui/form.tsx";
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
    <Panel
      title="New key"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form="new-key" loading={busy}>
            Create key
          </Button>
        </>
      }
    >
      <Form id="new-key" onSubmit={onSubmit} problem={problem}>
        <KeyFields form={form} />
      </Form>
    </Panel>
  );
}
