import { Modal, Select, TextInput } from "@mantine/core";
import { Failure } from "../../../ui/failure.tsx";
import { Form, FormFoot, useApiForm } from "../../../ui/form.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Facts, Section } from "../../../ui/section.tsx";
import { State, type Tone } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { day, When } from "../../../ui/when.tsx";
import classes from "../crm.module.css";
import { CHANNELS, type Channel, type Consents, type Contact, useConsents, useSetConsents } from "./data.ts";

type Status = Contact["consent"][Channel];

export const CHANNEL_NAMES: Record<Channel, string> = { sms: "SMS", email: "Email", whatsapp: "WhatsApp", calls: "Calls" };
const TONES: Record<Status, Tone> = { granted: "live", denied: "bad", unknown: "ended" };
const STATUSES = ["granted", "denied", "unknown"] as const;

/** What a person has agreed to, per channel, and how that came about. */
export function Consent({ contact, edit }: { contact: Contact; edit?: (() => void) | undefined }) {
  const { data, error, refetch } = useConsents(contact.id);
  return (
    <Section
      title="Consent"
      aside={
        edit && (
          <button type="button" className="link" onClick={edit}>
            Change
          </button>
        )
      }
    >
      {error && <Failure small title="The consent did not load" error={error} retry={refetch} />}
      {!data && !error && <Loading rows={4} />}
      {data && (
        <>
          <Facts rows={CHANNELS.map((channel) => [CHANNEL_NAMES[channel], <Current key={channel} {...data[channel]} />])} />
          <History history={data.history} />
        </>
      )}
    </Section>
  );
}

function Current({ status, source, at }: Consents[Channel]) {
  return (
    <>
      <State tone={TONES[status]}>{status}</State>{" "}
      {at && (
        <span className="muted">
          {day(at)}
          {source && `, ${source}`}
        </span>
      )}
    </>
  );
}

function History({ history }: Pick<Consents, "history">) {
  if (history.length === 0) return null;
  return (
    <details className={classes.history}>
      <summary>History, {history.length === 1 ? "one record" : `${history.length} records`}</summary>
      <ol>
        {history.map(({ id, channel, status, source, at }) => (
          <li key={id}>
            {CHANNEL_NAMES[channel as Channel]} {status} <When at={at} as="day" />
            {source && `: ${source}`}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Records what the person has said. Nothing of the history is lost. */
export function EditConsent({ contact, close }: { contact: Contact; close(): void }) {
  const set = useSetConsents();
  const before = Object.fromEntries(CHANNELS.map((channel) => [channel, contact.consent[channel]])) as Record<Channel, Status>;
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { ...before, source: "" },
    async send({ source, ...statuses }) {
      const changed = CHANNELS.filter((channel) => statuses[channel] !== before[channel]);
      if (changed.length === 0) return close();
      const bodyOf = (values: Record<Channel, Status>, why: string | null) =>
        Object.fromEntries(changed.map((channel) => [channel, { status: values[channel], source: why }]));
      await set.mutateAsync({ id: contact.id, body: bodyOf(statuses, source.trim() || null) });
      toast("The consent is recorded", () => {
        set
          .mutateAsync({ id: contact.id, body: bodyOf(before, "Recorded by mistake") })
          .catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={`Consent of ${contact.name}`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        {CHANNELS.map((channel) => (
          <Select key={channel} label={CHANNEL_NAMES[channel]} data={[...STATUSES]} {...form.getInputProps(channel)} />
        ))}
        <TextInput
          label="Source"
          description="Where it was given or denied: the proof, if one is asked for"
          placeholder="Form on the website"
          {...form.getInputProps("source")}
        />
        <FormFoot action="Record" busy={busy} close={close} />
      </Form>
    </Modal>
  );
}
