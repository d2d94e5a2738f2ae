import { Button, Group, Modal } from "@mantine/core";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Secret } from "../../ui/once.tsx";
import { Panel } from "../../ui/panel.tsx";
import { day, time } from "../../ui/when.tsx";
import { type Invited, type User, useInvite } from "./data.ts";
import { bodyOf, UserFields, valuesOf } from "./fields.tsx";

export type Invitation = Invited & { user: User };

export function InviteUser({ close, invited }: { close(): void; invited(invitation: Invitation): void }) {
  const invite = useInvite();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(),
    async send(values, key) {
      invited(await invite.mutateAsync({ body: bodyOf(values), key }));
    },
  });
  return (
    <Panel title="Invite" close={close} foot={<FormFoot form="invite" action="Invite" busy={busy} close={close} />}>
      <Form id="invite" onSubmit={onSubmit} problem={problem}>
        <UserFields form={form} />
      </Form>
    </Panel>
  );
}

/** What became of the invitation: sent, or a link that somebody has to pass on. */
export function InvitationReady({ invitation, close }: { invitation: Invitation; close(): void }) {
  const { user, url, sent, expires_at } = invitation;
  const until = expires_at === null ? "" : `, until ${day(expires_at)}, ${time(expires_at)}`;
  return (
    <Modal opened onClose={close} title={`${user.name} is invited`} size={520}>
      {sent || url === null ? (
        <p>
          An email is on its way to <b>{user.email}</b>. Its link works once{until}.
        </p>
      ) : (
        <>
          <p>
            No email is sent from here, so pass this link on to {user.email}. It works once{until}.
          </p>
          <Secret label="Link" text={url} />
        </>
      )}
      <Group justify="flex-end" mt={20}>
        <Button onClick={close}>Done</Button>
      </Group>
    </Modal>
  );
}
