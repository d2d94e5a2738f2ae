import { Button } from "@mantine/core";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { Failure } from "../../../ui/failure.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Panel } from "../../../ui/panel.tsx";
import classes from "../crm.module.css";
import type { Account } from "../records/data.ts";
import { Notes } from "../records/notes.tsx";
import { ContactPayments } from "../records/payments.tsx";
import { RecordTimeline } from "../records/timeline.tsx";
import { Consent, EditConsent } from "./consent.tsx";
import { useContact } from "./data.ts";
import { ContactDeals, ContactFacts } from "./facts.tsx";

type Props = { account: Account; id: string; writes: boolean; close(): void };

/** A contact beside the list. */
export function ContactPanel({ account, id, writes, close }: Props) {
  const { data: contact, error, refetch } = useContact(id);
  const [consents, setConsents] = useState(false);
  const go = useGo();
  const full = `/crm/${account.id}/contacts/${id}`;
  return (
    <Panel
      title={contact?.name ?? "Contact"}
      close={close}
      full={full}
      actions={
        contact &&
        writes && (
          <Button variant="subtle" leftSection={<Pencil />} onClick={() => go(`${full}?edit=yes`)}>
            Edit
          </Button>
        )
      }
    >
      {error && !contact && <Failure title="The contact did not load" error={error} retry={refetch} />}
      {!contact && !error && <Loading />}
      {contact && (
        <div className={classes.stack}>
          <ContactFacts account={account} contact={contact} />
          <Consent contact={contact} edit={writes ? () => setConsents(true) : undefined} />
          <ContactDeals account={account} contact={contact} />
          <ContactPayments account={account} contact_id={contact.id} />
          <Notes kind="contacts" id={id} writes={writes} />
          <RecordTimeline kind="contacts" id={id} account_id={account.id} />
          {consents && <EditConsent contact={contact} close={() => setConsents(false)} />}
        </div>
      )}
    </Panel>
  );
}
