import { Modal, PasswordInput, TextInput } from "@mantine/core";
import type { Ask } from "../../api/gate.ts";
import { confirmPassword, type Session } from "../../api/session.ts";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { CredentialsForm } from "./credentials.tsx";

type Props = { session: Session; ask: Ask; settle(passed: boolean): void };

export default function GateDialogs({ session, ask, settle }: Props) {
  return ask === "sign-in" ? (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      size={400}
    >
      <CredentialsForm
        email={session.user.email}
        done={(next) => (next.user.id === session.user.id ? settle(true) : location.reload())}
      />
    </Modal>
  ) : (
    <Modal opened onClose={() => settle(false)} title="Confirm that it is you" size={400}>
      <ConfirmForm totp={session.user.totp} done={settle} />
    </Modal>
  );
}

function ConfirmForm({ totp, done }: { totp: boolean; done(passed: boolean): void }) {
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { password: "", code: "" },
    async send({ password, code }) {
      await confirmPassword(totp ? { password, code: code.trim() } : { password });
      done(true);
    },
  });
  return (
    <Form onSubmit={onSubmit} problem={problem}>
      <PasswordInput label="Password" autoComplete="current-password" data-autofocus {...form.getInputProps("password")} />
      {totp && <TextInput label="Code" autoComplete="one-time-code" {...form.getInputProps("code")} />}
      <FormFoot action="Confirm" busy={busy} close={() => done(false)} />
    </Form>
  );
}
