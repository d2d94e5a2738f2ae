import { Button, Modal } from "@mantine/core";
import { Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { Bulk } from "../../../ui/bar.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { RecordTags } from "../tags/input.tsx";
import { type Lead, useBulkLeads } from "./data.ts";

/** What can be done with the chosen leads. */
export function BulkLeads({ rows, clear }: { rows: readonly Lead[]; clear(): void }) {
  const [doing, setDoing] = useState<"tag" | "delete" | null>(null);
  const bulk = useBulkLeads();
  const close = () => setDoing(null);
  const lead_ids = rows.map(({ id }) => id);
  const remove = async () => {
    const { succeeded, failed } = await bulk.mutateAsync({ action: "delete", lead_ids });
    toast(`${succeeded} deleted${failed > 0 ? `, ${failed} could not be` : ""}`);
    clear();
  };
  return (
    <>
      <Bulk count={rows.length} clear={clear}>
        <Button variant="subtle" leftSection={<TagIcon />} onClick={() => setDoing("tag")}>
          Tag
        </Button>
        <Button variant="danger-subtle" onClick={() => setDoing("delete")}>
          Delete…
        </Button>
      </Bulk>
      {doing === "tag" && <TagLeads ids={lead_ids} close={close} done={clear} />}
      <Confirm
        opened={doing === "delete"}
        close={close}
        title={`Delete ${rows.length} leads?`}
        action="Delete"
        danger
        onConfirm={remove}
      >
        <p>
          They leave every list at once. <b>They cannot be brought back</b>, and after 30 days they are erased. Contacts and deals
          that came from them stay.
        </p>
      </Confirm>
    </>
  );
}

function TagLeads({ ids, close, done }: { ids: string[]; close(): void; done(): void }) {
  const bulk = useBulkLeads();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { tags: [] as string[] },
    async send({ tags }) {
      const { data, succeeded } = await bulk.mutateAsync({ action: "tag", lead_ids: ids, tags });
      const lead_ids = data.flatMap(({ status, id }) => (status === "ok" && id ? [id] : []));
      toast(`${succeeded} tagged ${tags.join(", ")}`, () => {
        bulk.mutateAsync({ action: "untag", lead_ids, tags }).catch((error: Error) => toastError("Still tagged", error));
      });
      close();
      done();
    },
  });
  return (
    <Modal opened onClose={close} title={`Tag ${ids.length} leads`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <RecordTags data-autofocus {...form.getInputProps("tags")} />
        <FormFoot action="Add tags" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
