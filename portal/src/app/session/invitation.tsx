import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { acceptInvitation, type Invitation, lookAtInvitation } from "../../api/session.ts";
import { reasonOf } from "../../ui/failure.tsx";
import { Form, useApiForm } from "../../ui/form.tsx";
import { useGo } from "../../ui/link.tsx";
import { useEnter } from "./enter.ts";
import { Frame } from "./frame.tsx";
import { useToken } from "./token.ts";

/** Accepts an invitation by choosing a password. */
export default function AcceptInvitation() {
  const token = useToken();
  const { data, error } = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => lookAtInvitation(token),
    staleTime: Infinity,
  });
  if (error) return <Frame title="This invitation does not work" lead={reasonOf(error)} />;
  if (data === undefined) return <Frame title="Your invitation" />;
  return <Accept token={token} invitation={data} />;
}

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const enter = useEnter();
  const go = useGo();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: invitation.name, password: "" },
    async send(values) {
      const session = await acceptInvitation({ token, ...values });
      go("/", { replace: true });
      await enter(session);
    },
  });
  return (
    <Frame title={`Join ${invitation.company}`} lead={`You will sign in as ${invitation.email}.`}>
      <Form onSubmit={onSubmit} problem={problem}>
        <TextInput label="Name" autoComplete="name" {...form.getInputProps("name")} />
        <PasswordInput label="Password" autoComplete="new-password" autoFocus {...form.getInputProps("password")} />
        <Button type="submit" fullWidth loading={busy}>
          Accept
        </Button>
      </Form>
    </Frame>
  );
}
