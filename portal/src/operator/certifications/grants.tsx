import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { Listed } from "../../ui/brief.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { startOfDay } from "../../ui/days.ts";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { day } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Grant, useCertifications, useGrant, useGrants, useRevoke } from "./data.ts";

type Holder = { id: string; company: string };

/** What a partner holds, with the act to grant more. */
export function PartnerCertifications({ partner }: { partner: Holder }) {
  const list = useGrants(partner.id);
  const [grants, setGrants] = useState(false);
  const [revoked, setRevoked] = useState<Grant | null>(null);
  return (
    <Section
      title="Certifications"
      aside={
        <Button size="xs" variant="default" onClick={() => setGrants(true)}>
          Grant…
        </Button>
      }
    >
      <Listed list={list} what="certifications" none="It holds none.">
        {(rows) => (
          <ul className={classes.rows}>
            {rows.map((grant) => (
              <li key={grant.id} style={{ gridTemplateColumns: "minmax(0, 1fr) auto" }}>
                <span className={classes.two}>
                  <b className="cut">{grant.certification}</b>
                  <span className="muted">{heldText(grant)}</span>
                </span>
                {grant.ended_at === null && (
                  <Button
                    size="xs"
                    variant="subtle"
                    aria-label={`Revoke ${grant.certification}`}
                    onClick={() => setRevoked(grant)}
                  >
                    Revoke…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {grants && <GrantForm partner={partner} close={() => setGrants(false)} />}
      {revoked && <Revoke partner={partner} grant={revoked} close={() => setRevoked(null)} />}
    </Section>
  );
}

function heldText({ ended_at, end_reason, expires_at }: Grant): string {
  if (ended_at !== null) return `${end_reason} on ${day(ended_at)}`;
  return expires_at === null ? "without end" : `until ${day(expires_at)}`;
}

function GrantForm({ partner, close }: { partner: Holder; close(): void }) {
  const grant = useGrant();
  const { rows, loading } = useCertifications();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: { certification_id: "", expires_at: "" },
    async send({ certification_id, expires_at }, key) {
      const until = expires_at === "" ? {} : { expires_at: startOfDay(expires_at) };
      const saved = await grant.mutateAsync({ partner_id: partner.id, body: { certification_id, ...until }, key });
      toast(`${partner.company} holds ${saved.certification}`);
      close();
    },
  });
  const chosen = rows.find(({ id }) => id === form.values.certification_id);
  return (
    <Modal opened onClose={close} title={`Grant ${partner.company} a certification`} size={440}>
      <Form onSubmit={onSubmit} problem={problem}>
        {!loading && rows.length === 0 && (
          <p className="soft">
            There is none to grant.{" "}
            <Link className="link" to="/certifications?new=yes">
              Create the first
            </Link>
            .
          </p>
        )}
        <Select
          label="Certification"
          placeholder="Choose one"
          data={rows.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps("certification_id")}
        />
        <TextInput
          label="Until"
          description={chosen?.valid_days ? `Empty: for ${chosen.valid_days} days` : "Empty: without end"}
          type="date"
          {...form.getInputProps("expires_at")}
        />
        {chosen?.lifts_to && <p className="muted">It lifts the partner to {chosen.lifts_to} at least, as long as it is held.</p>}
        <FormFoot action="Grant" busy={busy} disabled={form.values.certification_id === ""} close={close} />
      </Form>
    </Modal>
  );
}

function Revoke({ partner, grant, close }: { partner: Holder; grant: Grant; close(): void }) {
  const revoke = useRevoke();
  return (
    <Confirm
      opened
      close={close}
      title={`Revoke ${grant.certification}?`}
      action="Revoke"
      danger
      onConfirm={async () => {
        await revoke.mutateAsync({ partner_id: partner.id, grant_id: grant.id });
        toast(`${partner.company} no longer holds ${grant.certification}`);
      }}
    >
      <p>
        {partner.company} no longer holds it from now on. A tier that it reached by it is kept for the days of grace. You can
        grant it again.
      </p>
    </Confirm>
  );
}
