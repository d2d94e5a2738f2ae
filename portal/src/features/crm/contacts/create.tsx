import { ApiError } from "@tributary/sdk";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Account, type CustomField, useCustomFields } from "../records/data.ts";
import { useCreateContact } from "./data.ts";
import { bodyOf, ContactFields, valuesOf } from "./fields.tsx";

type Props = { account: Account; close(): void };

export function CreateContact({ account, close }: Props) {
  const fields = useCustomFields(account.id, "contact").data;
  return fields === undefined ? null : <CreatePanel account={account} close={close} fields={fields} />;
}

function CreatePanel({ account, close, fields }: Props & { fields: readonly CustomField[] }) {
  const create = useCreateContact();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(fields),
    async send(values, key) {
      const contact = await create.mutateAsync({ body: { ...bodyOf(fields, values), account_id: account.id }, key });
      toast(`${contact.name} is created`);
      go(`/crm/${account.id}/contacts?open=${contact.id}`);
    },
  });
  return (
    <Panel
      title="New contact"
      close={close}
      foot={<FormFoot form="new-contact" action="Create contact" busy={busy} close={close} />}
    >
      <Form id="new-contact" onSubmit={onSubmit} problem={problem}>
        <ContactFields form={form} fields={fields} />
        <Existing account={account} problem={problem} />
      </Form>
    </Panel>
  );
}

/** The contact that has this phone, address or id already. */
export function Existing({ account, problem }: { account: Account; problem: Error | null }) {
  if (!(problem instanceof ApiError) || problem.code !== "duplicate_contact") return null;
  const id = String(problem.problem.existing_id);
  const fields = (problem.problem.fields as string[] | undefined) ?? [];
  return (
    <p>
      The same {fields.join(" and ").replaceAll("_", " ") || "person"} is there already:{" "}
      <Link className="link" to={`/crm/${account.id}/contacts/${id}`}>
        open that contact
      </Link>
    </p>
  );
}
