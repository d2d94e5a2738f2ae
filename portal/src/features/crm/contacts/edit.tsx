import { Form, FormFoot } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { type Account, type CustomField, useCustomFields } from "../records/data.ts";
import { Changed, useEditForm } from "../records/edit-form.tsx";
import { Existing } from "./create.tsx";
import { type Contact, type ContactPatch, useReadContact, useUpdateContact } from "./data.ts";
import { bodyOf, ContactFields, valuesOf } from "./fields.tsx";

type Props = { account: Account; contact: Contact; close(): void };

export function EditContact(props: Props) {
  const fields = useCustomFields(props.account.id, "contact").data;
  return fields === undefined ? null : <EditPanel {...props} fields={fields} />;
}

function EditPanel({ account, contact, close, fields }: Props & { fields: readonly CustomField[] }) {
  const update = useUpdateContact();
  const read = useReadContact();
  const { form, busy, problem, onSubmit, theirs, take } = useEditForm({
    record: contact,
    valuesOf: (record) => valuesOf(fields, record),
    bodyOf: (values) => bodyOf(fields, values),
    read: () => read(contact.id),
    async save(before, body) {
      if (Object.keys(body).length > 0) {
        const saved = await update.mutateAsync({ contact: before, body });
        const back = bodyOf(fields, valuesOf(fields, before)) as Record<string, unknown>;
        const undo = Object.fromEntries(Object.keys(body).map((name) => [name, back[name]])) as ContactPatch;
        toast(`${saved.name} is saved`, () => {
          update.mutateAsync({ contact: saved, body: undo }).catch((error: Error) => toastError("Not undone", error));
        });
      }
      close();
    },
  });
  return (
    <Panel
      title={`Edit ${contact.name}`}
      close={close}
      foot={<FormFoot form="edit-contact" action="Save" busy={busy} close={close} />}
    >
      <Form id="edit-contact" onSubmit={onSubmit} problem={problem}>
        <Changed theirs={theirs} take={take} />
        <ContactFields form={form} fields={fields} />
        <Existing account={account} problem={problem} />
      </Form>
    </Panel>
  );
}
