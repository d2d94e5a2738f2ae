import { Button, PasswordInput } from "@mantine/core";
import { useState } from "react";
import { completeReset } from "../../api/session.ts";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Frame } from "./frame.tsx";
import { useToken } from "./token.ts";

/** Sets a new password by the link of a mail. */
export default function Reset() {
  const token = useToken();
  const [done, setDone] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { password: "" },
    async send({ password }) {
      await completeReset(token, password);
      setDone(true);
    },
  });
  if (done) {
    return (
      <Frame title="Your password is set" lead="Every session has been ended. Sign in with the new one.">
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title="Set a new password">
      <Form onSubmit={onSubmit} problem={problem}>
        <PasswordInput label="New password" autoComplete="new-password" autoFocus {...form.getInputProps("password")} />
        <Button type="submit" fullWidth loading={busy}>
          Set password
        </Button>
      </Form>
    </Frame>
  );
}
