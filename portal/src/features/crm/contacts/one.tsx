import { ActionIcon, Button, Menu } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Ellipsis, GitMerge, Pencil } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { InAccount, ReadOnly, useRightAccount } from "../records/account.tsx";
import type { Account } from "../records/data.ts";
import { Notes } from "../records/notes.tsx";
import { ContactPayments } from "../records/payments.tsx";
import { RecordTimeline } from "../records/timeline.tsx";
import { grantedOf } from "./columns.tsx";
import { Consent, EditConsent } from "./consent.tsx";
import { type Contact, useContact } from "./data.ts";
import { EditContact } from "./edit.tsx";
import { ContactDeals, ContactFacts } from "./facts.tsx";
import { RemoveContact } from "./remove.tsx";

export default function ContactPage() {
  return <InAccount title="Contact">{(account) => <OneContact account={account} />}</InAccount>;
}

function OneContact({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useContact(id);
  const contact = query.data;
  useRightAccount(account, contact, "contacts");
  if (contact === undefined)
    return <Waiting title="Contact" trail={[["Contacts", `/crm/${account.id}/contacts`]]} query={query} />;
  return <Shown account={account} contact={contact} />;
}

type Props = { account: Account; contact: Contact };

function Shown({ account, contact }: Props) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const writes = may("contacts:write") && account.readOnly === null;
  const granted = grantedOf(contact);
  return (
    <Page
      title={contact.name}
      trail={[["Contacts", `/crm/${account.id}/contacts`]]}
      api={`GET /v1/contacts/${contact.id}`}
      foot={
        <span>
          Version {contact.version}, changed <When at={contact.updated_at} as="since" />
        </span>
      }
      actions={may("contacts:write") && <Actions account={account} contact={contact} writes={writes} />}
      phoneAction={may("contacts:write") && <Actions account={account} contact={contact} writes={writes} phone />}
    >
      <ReadOnly account={account} />
      <Split
        side={
          <>
            <ContactFacts account={account} contact={contact} />
            <Consent contact={contact} edit={writes ? () => setUrl({ consent: "yes" }, true) : undefined} />
            <ContactDeals account={account} contact={contact} />
            <ContactPayments account={account} contact_id={contact.id} />
          </>
        }
      >
        <Answer
          sub={
            <>
              <span>
                {granted.length > 0 ? `May be written to by ${granted.join(", ")}` : "Has not agreed to any channel yet"}
              </span>
              <Id>{contact.id}</Id>
            </>
          }
        >
          <b>{contact.name}</b>
          {contact.company && ` of ${contact.company}`}
        </Answer>
        <Notes kind="contacts" id={contact.id} writes={writes} />
        <RecordTimeline kind="contacts" id={contact.id} account_id={contact.account_id} />
      </Split>
      {url.edit === "yes" && writes && (
        <EditContact key={contact.id} account={account} contact={contact} close={() => setUrl({ edit: undefined })} />
      )}
      {url.consent === "yes" && writes && <EditConsent contact={contact} close={() => setUrl({ consent: undefined })} />}
    </Page>
  );
}

function Actions({ account, contact, writes, phone = false }: Props & { writes: boolean; phone?: boolean }) {
  const [removes, setRemoves] = useState<"delete" | "erase" | null>(null);
  const [, setUrl] = useUrl();
  const go = useGo();
  const list = `/crm/${account.id}/contacts`;
  const edit = () => setUrl({ edit: "yes" }, true);
  const merge = () => go(`${list}/${contact.id}/merge`);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={phone ? 44 : 32} aria-label="More actions">
            <Ellipsis size={phone ? 20 : 16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {phone && writes && <Menu.Item onClick={edit}>Edit</Menu.Item>}
          {phone && writes && <Menu.Item onClick={merge}>Merge…</Menu.Item>}
          {writes && <Menu.Item onClick={() => setRemoves("delete")}>Delete…</Menu.Item>}
          <Menu.Item onClick={() => setRemoves("erase")}>Erase…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {!phone && writes && (
        <>
          <Button variant="default" leftSection={<GitMerge />} onClick={merge}>
            Merge…
          </Button>
          <Button leftSection={<Pencil />} onClick={edit}>
            Edit
          </Button>
        </>
      )}
      <RemoveContact
        contact={contact}
        erase={removes === "erase"}
        opened={removes !== null}
        close={() => setRemoves(null)}
        done={() => go(list, { replace: true })}
      />
    </>
  );
}
