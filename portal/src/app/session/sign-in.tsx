import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { requestReset } from "../../api/session.ts";
import { Form, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { CredentialsForm } from "./credentials.tsx";
import { useEnter } from "./enter.ts";
import { Frame } from "./frame.tsx";
import classes from "./session.module.css";

export default function SignIn() {
  const [forgotten, setForgotten] = useState(false);
  const enter = useEnter();
  const go = useGo();
  if (forgotten) return <Forgotten back={() => setForgotten(false)} />;
  return (
    <Frame title="Sign in">
      <CredentialsForm
        done={async (session) => {
          if (location.pathname.endsWith("/sign-in")) go("/", { replace: true });
          await enter(session);
        }}
      />
      <p className={classes.after}>
        <button type="button" className="link" onClick={() => setForgotten(true)}>
          Forgot your password?
        </button>
      </p>
    </Frame>
  );
}

function Forgotten({ back }: { back(): void }) {
  const [sent, setSent] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { email: "" },
    async send({ email }) {
      await requestReset(email);
      setSent(true);
    },
  });
  return (
    <Frame
      title={sent ? "Look into your mail" : "Reset your password"}
      lead={
        sent
          ? `If ${form.values.email} has an account here, a link is on its way. It is valid for one hour.`
          : "You get a link by mail that sets a new one."
      }
    >
      {!sent && (
        <Form onSubmit={onSubmit} problem={problem}>
          <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.getInputProps("email")} />
          <Button type="submit" fullWidth loading={busy}>
            Send the link
          </Button>
        </Form>
      )}
      <p className={classes.after}>
        <button type="button" className="link" onClick={back}>
          Back to sign-in
        </button>
      </p>
    </Frame>
  );
}
