import { Button, Modal } from "@mantine/core";
import { GitMerge, Tag as TagIcon } from "lucide-react";
import { useState } from "react";
import { Bulk } from "../../../ui/bar.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { RecordTags } from "../tags/input.tsx";
import { type Contact, useBulkContacts } from "./data.ts";
import { RemoveContacts } from "./remove.tsx";

type Act = "tag" | "untag";

/** What can be done with the chosen contacts. */
export function BulkBar({ rows, clear }: { rows: readonly Contact[]; clear(): void }) {
  const [doing, setDoing] = useState<Act | "delete" | null>(null);
  const go = useGo();
  const [first, second] = rows;
  const close = () => setDoing(null);
  return (
    <>
      <Bulk count={rows.length} clear={clear}>
        <Button variant="subtle" leftSection={<TagIcon />} onClick={() => setDoing("tag")}>
          Tag
        </Button>
        <Button variant="subtle" className="only-desk" onClick={() => setDoing("untag")}>
          Untag
        </Button>
        {rows.length === 2 && first && second && (
          <Button
            variant="subtle"
            leftSection={<GitMerge />}
            onClick={() => go(`/crm/${first.account_id}/contacts/${first.id}/merge?with=${second.id}`)}
          >
            Merge…
          </Button>
        )}
        <Button variant="danger-subtle" onClick={() => setDoing("delete")}>
          Delete…
        </Button>
      </Bulk>
      {(doing === "tag" || doing === "untag") && <TagContacts contacts={rows} act={doing} close={close} done={clear} />}
      <RemoveContacts contacts={rows} opened={doing === "delete"} close={close} done={clear} />
    </>
  );
}

type TagProps = { contacts: readonly Contact[]; act: Act; close(): void; done(): void };

function TagContacts({ contacts, act, close, done }: TagProps) {
  const bulk = useBulkContacts();
  const ids = contacts.map(({ id }) => id);
  const known = [...new Set(contacts.flatMap(({ tags }) => tags))];
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { tags: [] as string[] },
    async send({ tags }) {
      const { data, succeeded } = await bulk.mutateAsync({ action: act, contact_ids: ids, tags });
      const changed = data.flatMap(({ status, id }) => (status === "ok" && id ? [id] : []));
      toast(`${succeeded} changed`, changed.length > 0 ? () => void undo(changed, tags) : undefined);
      close();
      done();
    },
  });
  const undo = (contact_ids: string[], tags: string[]) =>
    bulk
      .mutateAsync({ action: act === "tag" ? "untag" : "tag", contact_ids, tags })
      .catch((error: Error) => toastError("Not undone", error));
  return (
    <Modal opened onClose={close} title={`${act === "tag" ? "Tag" : "Untag"} ${contacts.length} contacts`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        <RecordTags {...(act === "untag" ? { data: known } : {})} data-autofocus {...form.getInputProps("tags")} />
        <FormFoot action={act === "tag" ? "Add tags" : "Remove tags"} busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
