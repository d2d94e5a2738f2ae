import { ApiError } from "@tributary/sdk";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Link, useGo } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { type Account, type CustomField, useCustomFields } from "../records/data.ts";
import { Changed, useEditForm } from "../records/edit-form.tsx";
import { type Lead, useCreateLead, useReadLead, useUpdateLead } from "./data.ts";
import { bodyOf, LeadFields, valuesOf } from "./fields.tsx";
import { leadName } from "./status.tsx";

type Props = { account: Account; close(): void };

export function CreateLead(props: Props) {
  const fields = useCustomFields(props.account.id, "lead").data;
  return fields === undefined ? null : <CreatePanel {...props} fields={fields} />;
}

function CreatePanel({ account, close, fields }: Props & { fields: readonly CustomField[] }) {
  const create = useCreateLead();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(fields),
    async send(values, key) {
      const lead = await create.mutateAsync({ body: { ...bodyOf(fields, values), account_id: account.id }, key });
      toast(`${leadName(lead)} is created`);
      go(`/crm/${account.id}/leads/${lead.id}`);
    },
  });
  return (
    <Panel title="New lead" close={close} foot={<FormFoot form="new-lead" action="Create lead" busy={busy} close={close} />}>
      <Form id="new-lead" onSubmit={onSubmit} problem={problem}>
        <LeadFields form={form} fields={fields} />
        <Existing account={account} problem={problem} />
      </Form>
    </Panel>
  );
}

/** The lead that has this phone, address or id already. */
function Existing({ account, problem }: { account: Account; problem: Error | null }) {
  if (!(problem instanceof ApiError) || problem.code !== "duplicate_lead") return null;
  return (
    <p>
      The same person is there already:{" "}
      <Link className="link" to={`/crm/${account.id}/leads/${String(problem.problem.existing_id)}`}>
        open that lead
      </Link>
    </p>
  );
}

type EditProps = Props & { lead: Lead };

export function EditLead(props: EditProps) {
  const fields = useCustomFields(props.account.id, "lead").data;
  return fields === undefined ? null : <EditPanel {...props} fields={fields} />;
}

function EditPanel({ account, lead, close, fields }: EditProps & { fields: readonly CustomField[] }) {
  const update = useUpdateLead();
  const read = useReadLead();
  const { form, busy, problem, onSubmit, theirs, take } = useEditForm({
    record: lead,
    valuesOf: (record) => valuesOf(fields, record),
    bodyOf: (values) => bodyOf(fields, values, lead.source),
    read: () => read(lead.id),
    async save(before, body) {
      if (Object.keys(body).length > 0) {
        const saved = await update.mutateAsync({ lead: before, body });
        const back = bodyOf(fields, valuesOf(fields, before), before.source) as Record<string, unknown>;
        const undo = Object.fromEntries(Object.keys(body).map((name) => [name, back[name]]));
        toast(`${leadName(saved)} is saved`, () => {
          update.mutateAsync({ lead: saved, body: undo }).catch((error: Error) => toastError("Not undone", error));
        });
      }
      close();
    },
  });
  return (
    <Panel
      title={`Edit ${leadName(lead)}`}
      close={close}
      foot={<FormFoot form="edit-lead" action="Save" busy={busy} close={close} />}
    >
      <Form id="edit-lead" onSubmit={onSubmit} problem={problem}>
        <Changed theirs={theirs} take={take} />
        <LeadFields form={form} fields={fields} />
        <Existing account={account} problem={problem} />
      </Form>
    </Panel>
  );
}
