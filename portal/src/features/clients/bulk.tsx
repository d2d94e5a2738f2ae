import { Modal, TagsInput } from "@mantine/core";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type Client, useBulkClients } from "./data.ts";

type Props = { clients: readonly Client[]; opened: boolean; close(): void; done(): void };

/** Adds tags to the chosen clients. */
export function TagClients({ clients, opened, close, done }: Props) {
  const bulk = useBulkClients();
  const client_ids = clients.map(({ id }) => id);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { tags: [] as string[] },
    async send({ tags }) {
      const { data, succeeded } = await bulk.mutateAsync({ action: "tag", client_ids, tags });
      const changed = data.filter(({ status }) => status === "ok").map(({ client_id }) => client_id);
      toast(`${succeeded} tagged ${tags.join(", ")}`, () => void untag(changed, tags));
      close();
      done();
    },
  });
  const untag = (ids: string[], tags: string[]) =>
    bulk.mutateAsync({ action: "untag", client_ids: ids, tags }).catch((error: Error) => toastError("Still tagged", error));
  return (
    <Modal opened={opened} onClose={close} title={`Tag ${clients.length} clients`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <TagsInput label="Tags" description="Enter adds one" data-autofocus {...form.getInputProps("tags")} />
        <FormFoot action="Add tags" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
