import { useSession } from "../../api/session.ts";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { BrandingFields, type BrandingValues, brandingBody, ownBranding } from "./branding.tsx";
import { type Client, useUpdateClient } from "./data.ts";
import { bodyOf, ClientFields, type ClientValues, valuesOf } from "./fields.tsx";

const withBranding = (values: ClientValues & BrandingValues) => ({ ...bodyOf(values), branding: brandingBody(values.branding) });

/** Changes a client. What somebody else changed meanwhile is not overwritten: the API refuses, and says so. */
export function EditClient({ client: live, close }: { client: Client; close(): void }) {
  const client = useAsOpened(live);
  const update = useUpdateClient();
  const partner = useSession().partner?.branding ?? {};
  const initial = { ...valuesOf(client), branding: ownBranding(client, partner) };
  const { form, busy, problem, onSubmit } = useApiForm({
    initial,
    async send(values) {
      const before = withBranding(initial);
      const saved = await update.mutateAsync({ client, body: withBranding(values) });
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
        <BrandingFields form={form} partner={partner} />
      </Form>
    </Panel>
  );
}
