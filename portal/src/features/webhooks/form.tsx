import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Endpoint, type EndpointWithSecret, useCreateEndpoint, useUpdateEndpoint } from "./data.ts";
import { bodyOf, EndpointFields, valuesOf } from "./fields.tsx";

export function CreateEndpoint({ close, created }: { close(): void; created(endpoint: EndpointWithSecret): void }) {
  const create = useCreateEndpoint();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(),
    async send(values, key) {
      created(await create.mutateAsync({ body: bodyOf(values), key }));
    },
  });
  return (
    <Panel
      title="New endpoint"
      close={close}
      foot={<FormFoot form="endpoint" close={close} busy={busy} action="Create endpoint" />}
    >
      <Form id="endpoint" onSubmit={onSubmit} problem={problem}>
        <EndpointFields form={form} />
      </Form>
    </Panel>
  );
}

export function EditEndpoint({ endpoint: live, close }: { endpoint: Endpoint; close(): void }) {
  const endpoint = useAsOpened(live);
  const update = useUpdateEndpoint();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(endpoint),
    async send(values) {
      await update.mutateAsync({ endpoint, body: bodyOf(values) });
      toast("The endpoint is saved");
      close();
    },
  });
  return (
    <Panel title="Edit endpoint" close={close} foot={<FormFoot form="endpoint" close={close} busy={busy} action="Save" />}>
      <Form id="endpoint" onSubmit={onSubmit} problem={problem}>
        <EndpointFields form={form} endpoint={endpoint} />
      </Form>
    </Panel>
  );
}
