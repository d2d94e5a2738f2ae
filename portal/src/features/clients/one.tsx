import { ActionIcon, Button, Menu } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Ellipsis, MessageSquare, Pencil } from "lucide-react";
import { useState } from "react";
import { useOwnLogo } from "../../api/logo.ts";
import { useMay } from "../../api/session.ts";
import { Answer } from "../../ui/answer.tsx";
import { Id } from "../../ui/copy.tsx";
import { useGo } from "../../ui/link.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Money } from "../../ui/money.tsx";
import { Page, Split } from "../../ui/page.tsx";
import { Facts, Section, Tags } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { day, When } from "../../ui/when.tsx";
import { ClientActivity } from "./activity.tsx";
import { ClientCharges } from "./charges.tsx";
import { type Client, useClient, useClientStatus } from "./data.ts";
import { EditClient } from "./edit.tsx";
import { ClientPayments } from "./payments.tsx";
import { ClientSnapshots } from "./snapshots.tsx";
import { ClientState } from "./status.tsx";
import { SuspendClients } from "./suspend.tsx";

const TRAIL = [["Clients", "/clients"]] as const;

export default function OneClient() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useClient(id);
  const client = query.data;
  if (client === undefined) return <Waiting title="Client" trail={TRAIL} query={query} />;
  return <Shown client={client} />;
}

function Shown({ client }: { client: Client }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const ownLogo = useOwnLogo();
  return (
    <Page
      title={
        <>
          <Logo src={ownLogo(client)} size={22} /> <span className="cut">{client.company}</span> <ClientState client={client} />
        </>
      }
      name={client.company}
      trail={TRAIL}
      api={`GET /v1/partners/clients/${client.id}`}
      foot={
        <span>
          Version {client.version}, changed <When at={client.updated_at} as="since" />
        </span>
      }
      actions={may("clients:write") && <Actions client={client} edit={() => setUrl({ edit: "yes" }, true)} />}
      phoneAction={may("clients:write") && <PhoneActions client={client} edit={() => setUrl({ edit: "yes" }, true)} />}
    >
      <Split side={<Side client={client} />}>
        <Answer
          sub={
            <>
              <span>{sinceOf(client)}</span>
              {client.branding.domain && <span>{client.branding.domain}</span>}
              <Id>{client.id}</Id>
            </>
          }
        >
          {client.status === "churned" ? "Paid" : "Pays"}{" "}
          <b>
            <Money cents={client.mrr_cents} currency={client.currency} />
          </b>{" "}
          a month
        </Answer>
        <Section title="Activity">
          <ClientActivity id={client.id} />
        </Section>
      </Split>
      {url.edit === "yes" && may("clients:write") && <EditClient client={client} close={() => setUrl({ edit: undefined })} />}
    </Page>
  );
}

function sinceOf({ plan, status, status_changed_at }: Client): string {
  return `${plan ? `${plan}, ` : ""}${status} since ${day(status_changed_at)}`;
}

function Side({ client }: { client: Client }) {
  const { contact, plan, external_id, tags, created_at, status_reason } = client;
  return (
    <>
      <Section title="Facts">
        <Facts
          rows={[
            ["Plan", plan],
            ["Contact", contact?.name],
            ["Email", contact?.email && <a href={`mailto:${contact.email}`}>{contact.email}</a>],
            ["Phone", contact?.phone && <a href={`tel:${contact.phone}`}>{contact.phone}</a>],
            ["External id", external_id && <span className="mono">{external_id}</span>],
            ["Reason", status_reason],
            ["Tags", tags.length > 0 ? <Tags key="tags" tags={tags} /> : null],
            ["Created", <When key="created" at={created_at} as="day" />],
          ]}
        />
      </Section>
      <ClientSnapshots id={client.id} />
      <ClientCharges id={client.id} />
      <ClientPayments id={client.id} />
      {client.branding_source === "override" && (
        <Section title="Branding">
          <Facts
            rows={[
              ["Product", client.branding.product_name],
              ["Domain", client.branding.domain],
              ["Support", client.branding.support_email],
            ]}
          />
        </Section>
      )}
    </>
  );
}

type ActionProps = { client: Client; edit(): void };

function useReactivate(client: Client) {
  const status = useClientStatus();
  const suspendAgain = (saved: Client) =>
    status.mutateAsync({ client: saved, to: "suspend" }).catch((error: Error) => toastError("Not suspended", error));
  return () =>
    status.mutateAsync({ client, to: "reactivate" }).then(
      (saved) => toast(`${saved.company} is active`, client.status === "suspended" ? () => void suspendAgain(saved) : undefined),
      (error: Error) => toastError(`${client.company} was not reactivated`, error),
    );
}

function Actions({ client, edit }: ActionProps) {
  const [suspends, setSuspends] = useState(false);
  const reactivate = useReactivate(client);
  const go = useGo();
  return (
    <>
      <Button variant="subtle" leftSection={<MessageSquare />} onClick={() => go(`/crm/${client.id}/contacts`)}>
        Open CRM
      </Button>
      {client.status === "active" ? (
        <Button variant="default" onClick={() => setSuspends(true)}>
          Suspend…
        </Button>
      ) : (
        <Button variant="default" onClick={() => void reactivate()}>
          {client.status === "pending" ? "Activate" : "Reactivate"}
        </Button>
      )}
      <Button leftSection={<Pencil />} onClick={edit}>
        Edit
      </Button>
      <SuspendClients clients={[client]} opened={suspends} close={() => setSuspends(false)} />
    </>
  );
}

function PhoneActions({ client, edit }: ActionProps) {
  const [suspends, setSuspends] = useState(false);
  const reactivate = useReactivate(client);
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={44} aria-label="Actions">
            <Ellipsis size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={edit}>Edit</Menu.Item>
          {client.status === "active" ? (
            <Menu.Item onClick={() => setSuspends(true)}>Suspend…</Menu.Item>
          ) : (
            <Menu.Item onClick={() => void reactivate()}>Reactivate</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SuspendClients clients={[client]} opened={suspends} close={() => setSuspends(false)} />
    </>
  );
}
