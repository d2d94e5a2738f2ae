import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { CurrencyInput } from "../../../ui/amount.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useInviteSubPartner } from "./data.ts";

/** Who was invited. */
export type Invited = { company: string; email: string };

/** Admits a partner below one's own. Whether the programme allows it, and the depth of the tree, the API says. */
export function InviteSubPartner({ close, invited }: { close(): void; invited(one: Invited): void }) {
  const { partner } = useSession();
  const invite = useInviteSubPartner();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { company: "", owner: { name: "", email: "" }, currency: partner?.currency ?? "usd" },
    async send(values, key) {
      const { company } = await invite.mutateAsync({ body: values, key });
      invited({ company, email: values.owner.email });
    },
  });
  return (
    <Panel
      title="Invite sub-partner"
      close={close}
      foot={<FormFoot form="invite-sub-partner" action="Invite" busy={busy} close={close} />}
    >
      <Form id="invite-sub-partner" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Company" data-autofocus {...form.getInputProps("company")} />
        <TextInput label="Name of the owner" autoComplete="off" {...form.getInputProps("owner.name")} />
        <TextInput label="Email of the owner" type="email" autoComplete="off" {...form.getInputProps("owner.email")} />
        <CurrencyInput description="In which it earns by default" {...form.getInputProps("currency")} />
        <p className="muted">It begins in the lowest tier, and only its people see its clients, deals and books.</p>
      </Form>
    </Panel>
  );
}

/** What became of the invitation. The link is the new partner's own, so it never passes through the inviting one. */
export function Ready({ invited: { company, email }, close }: { invited: Invited; close(): void }) {
  const { smtp } = useSession();
  return (
    <Modal opened onClose={close} title={`${company} is invited`} size={480}>
      {smtp ? (
        <p>
          An email is on its way to <b>{email}</b>. Its link works once, for seven days.
        </p>
      ) : (
        <p>
          No email is sent from here: the operator of the programme passes the invitation on to <b>{email}</b>.
        </p>
      )}
      <Group justify="flex-end" mt={20}>
        <Button onClick={close} data-autofocus>
          Done
        </Button>
      </Group>
    </Modal>
  );
}
