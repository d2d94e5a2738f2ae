import { Button, Group, Modal, TextInput } from "@mantine/core";
import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useRefreshSession, useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { useCopy } from "../../ui/copy.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Secret } from "../../ui/once.tsx";
import { Section } from "../../ui/section.tsx";
import { State } from "../../ui/state.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { type TotpSecret, useConfirmTotp, useNewCodes, useRemoveTotp, useStartTotp } from "./data.ts";
import classes from "./sessions.module.css";

const Qr = lazy(() => import("../../ui/qr.tsx"));

/** A second factor: a code of an app besides the password. */
export function SecondFactor() {
  const { user } = useSession();
  const refresh = useRefreshSession();
  const start = useStartTotp();
  const renew = useNewCodes();
  const remove = useRemoveTotp();
  const [secret, setSecret] = useState<TotpSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [removes, setRemoves] = useState(false);
  const fails = (what: string) => (error: Error) => toastError(what, error);
  return (
    <Section title="Two-step sign-in" aside={<State tone={user.totp ? "live" : "ended"}>{user.totp ? "on" : "off"}</State>}>
      <p className={classes.text}>
        {user.totp
          ? "At sign-in a code of your authenticator app is asked for, after the password. A recovery code stands in for it once."
          : "A code of an app on your phone, besides the password. Who has only the password then does not get in."}
      </p>
      <Group gap={8}>
        {user.totp ? (
          <>
            <Button
              variant="default"
              loading={renew.isPending}
              onClick={() => renew.mutateAsync().then(setCodes, fails("The codes were not renewed"))}
            >
              New recovery codes
            </Button>
            <Button variant="danger" onClick={() => setRemoves(true)}>
              Turn off…
            </Button>
          </>
        ) : (
          <Button
            variant="default"
            loading={start.isPending}
            onClick={() => start.mutateAsync().then(setSecret, fails("It was not set up"))}
          >
            Set up
          </Button>
        )}
      </Group>
      {secret && (
        <SetUp
          secret={secret}
          close={() => setSecret(null)}
          done={(fresh) => {
            setSecret(null);
            setCodes(fresh);
            void refresh();
          }}
        />
      )}
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
      <Confirm
        opened={removes}
        close={() => setRemoves(false)}
        title="Turn off two-step sign-in?"
        action="Turn off"
        danger
        onConfirm={async () => {
          await remove.mutateAsync();
          await refresh();
          toast("Two-step sign-in is off");
        }}
      >
        <p>From then on the password alone lets in whoever has it. The recovery codes end.</p>
      </Confirm>
    </Section>
  );
}

function SetUp({ secret, close, done }: { secret: TotpSecret; close(): void; done(codes: readonly string[]): void }) {
  const confirm = useConfirmTotp();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { code: "" },
    async send({ code }) {
      done(await confirm.mutateAsync(code.trim()));
    },
  });
  return (
    <Modal opened onClose={close} title="Set up two-step sign-in" size={480} closeOnClickOutside={false}>
      <Form onSubmit={onSubmit} problem={problem}>
        <p className={classes.text}>Scan this with an authenticator app, then type the code that it shows.</p>
        <Suspense fallback={<div className={classes.qr} />}>
          <Qr text={secret.uri} label="QR code for your authenticator app" />
        </Suspense>
        <div>
          <p className="muted">Or type the secret into the app:</p>
          <Secret label="Secret" text={secret.secret} />
        </div>
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          data-autofocus
          {...form.getInputProps("code")}
        />
        <FormFoot action="Turn on" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}

/** Each lets in once without the app. They are shown now and never again. */
function RecoveryCodes({ codes, close }: { codes: readonly string[]; close(): void }) {
  const { copied, copy } = useCopy();
  const text = codes.join("\n");
  return (
    <Modal
      opened
      onClose={close}
      title="Your recovery codes"
      size={440}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p className={classes.text}>
        Store them where your phone is not. Each signs in once without the app. They are shown only now.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group justify="space-between">
        <Group gap={8}>
          <Button variant="default" onClick={() => copy(text)}>
            {copied ? "Copied" : "Copy"}
          </Button>
          <Button
            variant="default"
            leftSection={<Download />}
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="tributary-recovery-codes.txt"
          >
            Download
          </Button>
        </Group>
        <Button onClick={close}>I have stored them</Button>
      </Group>
    </Modal>
  );
}
