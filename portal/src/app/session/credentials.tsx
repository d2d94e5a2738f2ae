import { Button, PasswordInput, TextInput } from "@mantine/core";
import { ApiError } from "@tributary/sdk";
import { useState } from "react";
import { type Session, signIn } from "../../api/session.ts";
import { Form, useApiForm } from "../../ui/form.tsx";

/** Address and password; then, if there is a second factor, its code. */
export function CredentialsForm({ email = "", done }: { email?: string; done(session: Session): unknown }) {
  const [asksCode, setAsksCode] = useState(false);
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { email, password: "", code: "" },
    async send({ code, ...rest }) {
      try {
        await done(await signIn(asksCode ? { ...rest, code: code.trim() } : rest));
      } catch (error) {
        if (!(error instanceof ApiError && (error.code as string) === "code_required")) throw error;
        setAsksCode(true);
      }
    },
  });
  return (
    <Form onSubmit={onSubmit} problem={problem}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        data-autofocus={email === "" || undefined}
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        data-autofocus={email !== "" || undefined}
        {...form.getInputProps("password")}
      />
      {asksCode && (
        <TextInput
          label="Code"
          description="Of your authenticator, or one of your recovery codes"
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          {...form.getInputProps("code")}
        />
      )}
      <Button type="submit" fullWidth loading={busy}>
        Sign in
      </Button>
    </Form>
  );
}
