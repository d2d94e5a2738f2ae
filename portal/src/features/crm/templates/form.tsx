import { Button, Select, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ApiError } from "@tributary/sdk";
import { useRef } from "react";
import { Id } from "../../../ui/copy.tsx";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { CHANNELS, hasSubject, placeholdersOf } from "./channels.ts";
import { type Channel, type Template, useCreateTemplate, useUpdateTemplate } from "./data.ts";
import { TemplatePreview } from "./preview.tsx";
import classes from "./templates.module.css";

type Values = { name: string; channel: Channel; subject: string; text: string };

type FieldsProps = { account_id: string; form: UseFormReturnType<Values>; disabled?: boolean };

function Fields({ account_id, form, disabled = false }: FieldsProps) {
  const { data = [] } = useCustomFields(account_id, "contact");
  const text = useRef<HTMLTextAreaElement>(null);
  const placeholders = placeholdersOf(data.filter(({ archived }) => !archived).map(({ key }) => key));
  /** Puts a placeholder where the cursor is, and the cursor after it. */
  const insert = (placeholder: string) => {
    const field = text.current;
    if (field === null) return;
    field.focus();
    field.setRangeText(placeholder, field.selectionStart, field.selectionEnd, "end");
    form.setFieldValue("text", field.value);
  };
  return (
    <>
      <TextInput label="Name" data-autofocus disabled={disabled} {...form.getInputProps("name")} />
      <Select
        label="For"
        disabled={disabled}
        allowDeselect={false}
        data={Object.entries(CHANNELS).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("channel")}
      />
      {hasSubject(form.values.channel) && (
        <TextInput
          label="Subject"
          description={form.values.channel === "any" ? "Where it is sent as an email" : undefined}
          disabled={disabled}
          {...form.getInputProps("subject")}
        />
      )}
      <Textarea label="Text" ref={text} autosize minRows={6} maxRows={18} disabled={disabled} {...form.getInputProps("text")} />
      {!disabled && (
        <fieldset className={classes.placeholders}>
          <legend className="muted">Filled in for each contact</legend>
          {placeholders.map((placeholder) => (
            <button key={placeholder} type="button" className="mono" onClick={() => insert(placeholder)}>
              {placeholder}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

const sent = ({ subject, ...values }: Values) => ({
  ...values,
  subject: subject === "" || !hasSubject(values.channel) ? null : subject,
});
/** A name that is taken is about the name. */
const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_message_template" ? { name: problem.detail } : {};

export function CreateTemplate({ account, close }: { account: Account; close(): void }) {
  const create = useCreateTemplate();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { name: "", channel: "any", subject: "", text: "" },
    faultsOf,
    async send(values, key) {
      const template = await create.mutateAsync({ body: { account_id: account.id, ...sent(values) }, key });
      toast(`${template.name} is created`);
      close();
    },
  });
  return (
    <Panel
      title="New template"
      close={close}
      foot={<FormFoot form="new-template" action="Create template" busy={busy} close={close} />}
    >
      <Form id="new-template" onSubmit={onSubmit} problem={problem}>
        <Fields account_id={account.id} form={form} />
      </Form>
    </Panel>
  );
}

export function EditTemplate({ template: opened, writes, close }: { template: Template; writes: boolean; close(): void }) {
  const template = useAsOpened(opened);
  const update = useUpdateTemplate();
  const { name, channel, subject, text, archived } = template;
  const save = async (body: Parameters<typeof update.mutateAsync>[0]["body"], what: string) => {
    const saved = await update.mutateAsync({ template, body });
    toast(`${saved.name} ${what}`, () => {
      const before = { name, channel, subject, text, archived };
      update.mutateAsync({ template: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
    });
    close();
  };
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { name, channel, subject: subject ?? "", text },
    faultsOf,
    send: (values) => save(sent(values), "is saved"),
  });
  const archive = () => save({ archived: !archived }, archived ? "is in use again" : "is archived");
  return (
    <Panel
      title={name}
      close={close}
      foot={
        writes && (
          <>
            <Button variant="default" onClick={() => void archive().catch((error: Error) => toastError("Not changed", error))}>
              {archived ? "Use it again" : "Archive"}
            </Button>
            <Button type="submit" form="edit-template" loading={busy}>
              Save
            </Button>
          </>
        )
      }
    >
      <Form id="edit-template" onSubmit={onSubmit} problem={problem}>
        <Facts
          rows={[
            ["Changed", <When key="changed" at={template.updated_at} as="since" />],
            ["Id", <Id key="id">{template.id}</Id>],
          ]}
        />
        <Fields account_id={template.account_id} form={form} disabled={!writes} />
        {writes && !archived && (
          <p className="muted">Archived, it is no longer offered, and its name is free. That can be undone.</p>
        )}
      </Form>
      <TemplatePreview template={opened} />
    </Panel>
  );
}
