import { Button } from "@mantine/core";
import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Blocker } from "../../ui/answer.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type User, useInviteAgain, useRemoveUser, useUpdateUser } from "./data.ts";
import { bodyOf, UserFields, type UserValues, valuesOf } from "./fields.tsx";
import type { Invitation } from "./invite.tsx";
import { isLess, roleName } from "./roles.ts";
import classes from "./users.module.css";

type Props = { user: User; close(): void; invited(invitation: Invitation): void };

/** What the change means for the person, before it is saved. */
function consequenceOf(user: User, { role, accounts }: UserValues): string | null {
  const less = isLess(user.role, role);
  const before = user.accounts === "all" ? null : user.accounts;
  const fewer = accounts !== null && (before === null || before.some((id) => !accounts.includes(id)));
  if (!less && !fewer) return null;
  const what = [
    less ? `may do only what ${roleName(role).toLowerCase()} may` : null,
    fewer ? "loses sight of the other accounts" : null,
  ];
  return `From that moment ${user.name} ${what.filter(Boolean).join(", and ")}. Work of theirs that goes on, such as an import, stops where it needs more.`;
}

export function OneUser({ user, close, invited }: Props) {
  const self = useSession().user.id === user.id;
  const update = useUpdateUser();
  const again = useInviteAgain();
  const [removes, setRemoves] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm<UserValues>({
    initial: valuesOf(user),
    async send(values) {
      const before = bodyOf(valuesOf(user));
      const saved = await update.mutateAsync({ user, body: changed(before, bodyOf(values)) });
      toast(`${saved.name} is saved`, () => {
        update
          .mutateAsync({ user: saved, body: changed(bodyOf(values), before) })
          .catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  const consequence = consequenceOf(user, form.values);
  const inviteAgain = () =>
    again.mutateAsync(user).then(invited, (error: Error) => toastError(`${user.name} was not invited`, error));
  return (
    <Panel
      title={user.name}
      close={close}
      foot={
        <>
          {!self && (
            <Button variant="danger" onClick={() => setRemoves(true)}>
              Remove…
            </Button>
          )}
          {user.state === "invited" && (
            <Button variant="default" loading={again.isPending} onClick={() => void inviteAgain()}>
              Invite again
            </Button>
          )}
          <Button type="submit" form="user" loading={busy} disabled={!form.isDirty()}>
            Save
          </Button>
        </>
      }
    >
      <Form id="user" onSubmit={onSubmit} problem={problem}>
        <UserFields form={form} self={self} />
        {self && <p className="muted">Your own role is changed by another owner.</p>}
        {consequence && <Blocker title="What they lose ends at once">{consequence}</Blocker>}
      </Form>
      <RemoveUser user={user} opened={removes} close={() => setRemoves(false)} done={close} />
    </Panel>
  );
}

/** Only what differs: a role that stays needs no right to give it. */
function changed<Body extends object>(before: Body, after: Body): Partial<Body> {
  const entries = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]),
  );
  return Object.fromEntries(entries) as Partial<Body>;
}

function RemoveUser({ user, opened, close, done }: { user: User; opened: boolean; close(): void; done(): void }) {
  const remove = useRemoveUser();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Remove ${user.name}?`}
      action="Remove"
      danger
      onConfirm={async () => {
        await remove.mutateAsync(user);
        toast(`${user.name} is removed`);
        done();
      }}
    >
      <p className={classes.consequence}>
        {user.state === "invited"
          ? "The invitation no longer works."
          : "Every session of theirs ends at once, and work that they started stops."}{" "}
        What they did stays, with their id. Keys that they created go on working.
      </p>
    </Confirm>
  );
}
