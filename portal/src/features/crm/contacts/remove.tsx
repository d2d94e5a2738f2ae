import { Confirm } from "../../../ui/confirm.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Contact, useBulkContacts, useDeleteContact } from "./data.ts";

type Props = { contact: Contact; erase: boolean; opened: boolean; close(): void; done(): void };

/** Deletes or erases one contact, after saying what that means. */
export function RemoveContact({ contact, erase, opened, close, done }: Props) {
  const remove = useDeleteContact();
  const act = async () => {
    await remove.mutateAsync({ contact, erase });
    toast(`${contact.name} is ${erase ? "erased" : "deleted"}`);
    done();
  };
  if (erase) {
    return (
      <Confirm
        opened={opened}
        close={close}
        title={`Erase ${contact.name}?`}
        action="Erase"
        danger
        type={contact.name}
        onConfirm={act}
      >
        <p>
          Every personal value of this person is removed for good: name, phone, address, notes, custom fields, and those of
          contacts that were merged into it. Their leads and deals follow within a day; stages and amounts stay.{" "}
          <b>Nothing can undo it.</b>
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm opened={opened} close={close} title={`Delete ${contact.name}?`} action="Delete" danger onConfirm={act}>
      <p>
        The contact leaves every list at once, and its phone and address can be used again. Its deals stay.{" "}
        <b>It cannot be brought back</b>, and after 30 days it is erased.
      </p>
    </Confirm>
  );
}

type ManyProps = { contacts: readonly Contact[]; opened: boolean; close(): void; done(): void };

export function RemoveContacts({ contacts, opened, close, done }: ManyProps) {
  const bulk = useBulkContacts();
  const act = async () => {
    const { succeeded, failed } = await bulk.mutateAsync({ action: "delete", contact_ids: contacts.map(({ id }) => id) });
    toast(`${succeeded} deleted${failed > 0 ? `, ${failed} could not be` : ""}`);
    done();
  };
  return (
    <Confirm opened={opened} close={close} title={`Delete ${contacts.length} contacts?`} action="Delete" danger onConfirm={act}>
      <p>
        They leave every list at once, and their phones can be used again. Their deals stay. <b>They cannot be brought back</b>,
        and after 30 days they are erased.
      </p>
    </Confirm>
  );
}
