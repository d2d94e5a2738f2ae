import { Button, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ApiError } from "@tributary/sdk";
import { Id } from "../../../ui/copy.tsx";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Facts } from "../../../ui/section.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import type { Account } from "../records/data.ts";
import { type Tag, useCreateTag, useDeleteTag, useUpdateTag } from "./data.ts";

type Values = { name: string; description: string };

function Fields({ form, disabled = false }: { form: UseFormReturnType<Values>; disabled?: boolean }) {
  return (
    <>
      <TextInput label="Name" data-autofocus disabled={disabled} {...form.getInputProps("name")} />
      <Textarea label="What it stands for" autosize minRows={2} disabled={disabled} {...form.getInputProps("description")} />
    </>
  );
}

const sent = ({ name, description }: Values) => ({ name, description: description === "" ? null : description });
/** A name that is taken is about the name. */
const faultsOf = ({ code, problem }: ApiError): Record<string, string> =>
  code === "duplicate_tag" ? { name: problem.detail } : {};

export function CreateTag({ account, close }: { account: Account; close(): void }) {
  const create = useCreateTag();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { name: "", description: "" },
    faultsOf,
    async send(values, key) {
      const tag = await create.mutateAsync({ body: { account_id: account.id, ...sent(values) }, key });
      toast(`${tag.name} can be chosen now`);
      close();
    },
  });
  return (
    <Panel title="New tag" close={close} foot={<FormFoot form="new-tag" action="Create tag" busy={busy} close={close} />}>
      <Form id="new-tag" onSubmit={onSubmit} problem={problem}>
        <Fields form={form} />
      </Form>
    </Panel>
  );
}

export function EditTag({ tag: opened, writes, close }: { tag: Tag; writes: boolean; close(): void }) {
  const tag = useAsOpened(opened);
  const [create, update, remove] = [useCreateTag(), useUpdateTag(), useDeleteTag()];
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: { name: tag.name, description: tag.description ?? "" },
    faultsOf,
    async send(values) {
      const saved = await update.mutateAsync({ tag, body: sent(values) });
      toast(`${saved.name} is saved`, () => {
        const body = { name: tag.name, description: tag.description };
        update.mutateAsync({ tag: saved, body }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  const deleteIt = async () => {
    await remove.mutateAsync(tag);
    const { account_id, name, description } = tag;
    toast(`${name} is deleted`, () => {
      const body = { account_id, name, description };
      create.mutateAsync({ body, key: crypto.randomUUID() }).catch((error: Error) => toastError("Not undone", error));
    });
    close();
  };
  return (
    <Panel
      title={tag.name}
      close={close}
      foot={
        writes && (
          <>
            <Button variant="default" onClick={() => void deleteIt().catch((error: Error) => toastError("Not deleted", error))}>
              Delete
            </Button>
            <Button type="submit" form="edit-tag" loading={busy}>
              Save
            </Button>
          </>
        )
      }
    >
      <Form id="edit-tag" onSubmit={onSubmit} problem={problem}>
        <Facts
          rows={[
            ["Changed", <When key="changed" at={tag.updated_at} as="since" />],
            ["Id", <Id key="id">{tag.id}</Id>],
          ]}
        />
        <Fields form={form} disabled={!writes} />
        {writes && <p className="muted">Records that have the tag keep it as it is now, renamed or deleted.</p>}
      </Form>
    </Panel>
  );
}
