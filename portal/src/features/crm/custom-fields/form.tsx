import { Button, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Blocker } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import type { Account, Resource } from "../records/data.ts";
import {
  type CustomField,
  LOOKED_AT,
  type Patch,
  type Type,
  useCreateField,
  useFieldUse,
  useOptionUse,
  useUpdateField,
} from "./data.ts";
import { RESOURCES, TYPES } from "./types.ts";

const hasOptions = (type: Type) => type === "select" || type === "multi_select";
/** "Shoe size" is shoe_size. */
const keyOf = (label: string) =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[^a-z]+|_+$/g, "")
    .slice(0, 40);

type CreateProps = { account: Account; resource: Resource; close(): void };

export function CreateField({ account, resource, close }: CreateProps) {
  const create = useCreateField();
  const [ownKey, setOwnKey] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { resource, label: "", key: "", type: "text" as Type, options: [] as string[], required: false },
    async send({ options, ...values }, key) {
      const body = { account_id: account.id, ...values, ...(hasOptions(values.type) ? { options } : {}) };
      const field = await create.mutateAsync({ body, key });
      toast(`${field.label} is created`);
      close();
    },
  });
  const { type, required } = form.values;
  return (
    <Panel title="New field" close={close} foot={<FormFoot form="new-field" action="Create field" busy={busy} close={close} />}>
      <Form id="new-field" onSubmit={onSubmit} problem={problem}>
        <Select
          label="Of"
          data={Object.entries(RESOURCES).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps("resource")}
        />
        <TextInput
          label="Name"
          data-autofocus
          {...form.getInputProps("label")}
          onChange={(event) => {
            form.setFieldValue("label", event.currentTarget.value);
            if (!ownKey) form.setFieldValue("key", keyOf(event.currentTarget.value));
          }}
        />
        <TextInput
          label="Key"
          description="What programs and files call it. It cannot change later"
          {...form.getInputProps("key")}
          onChange={(event) => {
            setOwnKey(true);
            form.setFieldValue("key", event.currentTarget.value);
          }}
        />
        <Select
          label="Holds"
          description={`${TYPES[type].rule}. It cannot change later`}
          data={Object.entries(TYPES).map(([value, { name }]) => ({ value, label: name }))}
          {...form.getInputProps("type")}
        />
        {hasOptions(type) && <TagsInput label="Options" description="Enter adds one" {...form.getInputProps("options")} />}
        <Switch label="Required" {...form.getInputProps("required", { type: "checkbox" })} />
        {required && <Required resource={form.values.resource} />}
      </Form>
    </Panel>
  );
}

const nounOf = (resource: Resource) => RESOURCES[resource].toLowerCase();

function Required({ resource }: { resource: Resource }) {
  return (
    <Blocker title={`New ${nounOf(resource)} need a value from now on`}>
      Those without one stay as they are, until somebody changes one of their custom fields. Imports and programs that send none
      are refused.
    </Blocker>
  );
}

type EditProps = { field: CustomField; writes: boolean; close(): void };

export function EditField({ field, writes, close }: EditProps) {
  const update = useUpdateField();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { label: field.label, options: field.options, required: field.required },
    async send({ options, ...values }) {
      await save({ ...values, ...(hasOptions(field.type) ? { options } : {}) }, "is saved");
    },
  });
  const save = async (body: Patch, what: string) => {
    const saved = await update.mutateAsync({ field, body });
    const before = { label: field.label, required: field.required, archived: field.archived };
    toast(`${saved.label} ${what}`, () => {
      update
        .mutateAsync({ field: saved, body: { ...before, ...(hasOptions(field.type) ? { options: field.options } : {}) } })
        .catch((error: Error) => toastError("Not undone", error));
    });
    close();
  };
  const { options, required } = form.values;
  const archive = () => save({ archived: !field.archived }, field.archived ? "is in use again" : "is archived");
  return (
    <Panel
      title={field.label}
      close={close}
      foot={
        writes && (
          <>
            <Button variant="default" onClick={() => void archive().catch((error: Error) => toastError("Not changed", error))}>
              {field.archived ? "Use it again" : "Archive"}
            </Button>
            <Button type="submit" form="edit-field" loading={busy}>
              Save
            </Button>
          </>
        )
      }
    >
      <Form id="edit-field" onSubmit={onSubmit} problem={problem}>
        <Facts
          rows={[
            ["Of", RESOURCES[field.resource]],
            ["Key", <span key="key" className="mono">{`custom.${field.key}`}</span>],
            ["Holds", `${TYPES[field.type].name}: ${TYPES[field.type].rule.toLowerCase()}`],
            ["Used", <Use key="use" field={field} />],
            ["Id", <Id key="id">{field.id}</Id>],
          ]}
        />
        <TextInput label="Name" disabled={!writes} {...form.getInputProps("label")} />
        {hasOptions(field.type) && (
          <TagsInput label="Options" description="Enter adds one" disabled={!writes} {...form.getInputProps("options")} />
        )}
        <Switch label="Required" disabled={!writes} {...form.getInputProps("required", { type: "checkbox" })} />
        <RemovedOptions field={field} removed={field.options.filter((option) => !options.includes(option))} />
        {required && !field.required && <Required resource={field.resource} />}
        {writes && !field.archived && (
          <p className="muted">
            Archived, it keeps its key and its values, takes no new ones, and leaves the forms. That can be undone.
          </p>
        )}
      </Form>
    </Panel>
  );
}

/** How many records have a value, as far as one look tells. */
function Use({ field }: { field: CustomField }) {
  const { data } = useFieldUse(field);
  if (data === undefined) return <span className="muted">looking</span>;
  const noun = nounOf(field.resource);
  return data.all
    ? `by ${data.used} of ${data.looked_at} ${noun}`
    : `by ${data.used} of the ${LOOKED_AT} ${noun} that changed last`;
}

/** What taking options away means for the records that have them. */
function RemovedOptions({ field, removed }: { field: CustomField; removed: readonly string[] }) {
  const { data = [] } = useOptionUse(field, removed);
  if (removed.length === 0) return null;
  return (
    <Blocker title={`Without ${removed.join(", ")}`}>
      {data.map(({ option, used, more }) => `${used}${more ? "+" : ""} ${nounOf(field.resource)} have ${option}`).join(", ")}
      {data.length > 0 && ". "}
      They keep it until it is changed; nobody can choose it any more.
    </Blocker>
  );
}
