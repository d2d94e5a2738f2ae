import { Button, PasswordInput, SegmentedControl, TextInput, useMantineColorScheme } from "@mantine/core";
import { isPartnerWide, useRefreshSession, useSession } from "../../api/session.ts";
import { Form, useApiForm } from "../../ui/form.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { useChangePassword, useRename } from "./data.ts";
import classes from "./sessions.module.css";
import { SignIns } from "./sign-ins.tsx";
import { SecondFactor } from "./totp.tsx";

const ROLES = { owner: "Owner", admin: "Administrator", member: "Member", read_only: "Read only", operator: "Operator" } as const;

export default function You() {
  const session = useSession();
  const { email, role } = session.user;
  return (
    <Page title="You" trail={isPartnerWide(session) ? [["Settings", "/settings/company"]] : []}>
      <Content>
        <div className={classes.columns}>
          <div className={classes.column}>
            <Section title="Profile">
              <Name />
              <Facts
                rows={[
                  ["Email", email],
                  ["Role", ROLES[role]],
                  ["Company", session.partner?.company],
                ]}
              />
            </Section>
            <Password />
            <Appearance />
          </div>
          <div className={classes.column}>
            <SecondFactor />
            <SignIns />
          </div>
        </div>
      </Content>
    </Page>
  );
}

function Name() {
  const { user } = useSession();
  const refresh = useRefreshSession();
  const rename = useRename();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { name: user.name },
    async send({ name }) {
      await rename.mutateAsync(name);
      await refresh();
      toast("Your name is saved");
    },
  });
  return (
    <Form onSubmit={onSubmit} problem={problem}>
      <div className={classes.inline}>
        <TextInput label="Name" autoComplete="name" {...form.getInputProps("name")} />
        <Button type="submit" variant="default" loading={busy} disabled={form.values.name === user.name}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function Password() {
  const change = useChangePassword();
  const { email } = useSession().user;
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { current_password: "", password: "" },
    async send(values) {
      await change.mutateAsync(values);
      form.reset();
      toast("Your password is changed; your other sessions have ended");
    },
  });
  return (
    <Section title="Password">
      <Form onSubmit={onSubmit} problem={problem}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput label="Current password" autoComplete="current-password" {...form.getInputProps("current_password")} />
        <PasswordInput
          label="New password"
          description="10 characters or more; ends your other sessions"
          autoComplete="new-password"
          {...form.getInputProps("password")}
        />
        <div>
          <Button type="submit" variant="default" loading={busy} disabled={form.values.password === ""}>
            Change password
          </Button>
        </div>
      </Form>
    </Section>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance">
      <SegmentedControl
        aria-label="Appearance"
        data={[
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
          { value: "auto", label: "Like the system" },
        ]}
        value={colorScheme}
        onChange={(to) => setColorScheme(to as "light" | "dark" | "auto")}
      />
      <p className={`${classes.text} muted`}>In this browser.</p>
    </Section>
  );
}
