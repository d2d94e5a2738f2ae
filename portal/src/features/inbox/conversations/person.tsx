import { Select, TagsInput } from "@mantine/core";
import { useMay } from "../../../api/session.ts";
import { Failure } from "../../../ui/failure.tsx";
import { Link } from "../../../ui/link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Money } from "../../../ui/money.tsx";
import { Monogram } from "../../../ui/monogram.tsx";
import { spaced } from "../../../ui/phone.ts";
import { Facts, Section, Tags } from "../../../ui/section.tsx";
import { toastError } from "../../../ui/toast.tsx";
import { day, When } from "../../../ui/when.tsx";
import { type Contact, useContact, useDealsOf } from "../../crm/contacts/data.ts";
import { useLead } from "../../crm/leads/data.ts";
import type { Account } from "../../crm/records/data.ts";
import { ContactPayments } from "../../crm/records/payments.tsx";
import { usePersonName } from "../../crm/records/people.tsx";
import { useTagNames } from "../../crm/tags/data.ts";
import { useChannels } from "../channels/data.ts";
import { KINDS } from "../channels/kinds.ts";
import { type Conversation, useConversationAct } from "./data.ts";
import classes from "./person.module.css";
import { personOf } from "./words.tsx";
import { type ThreadProps, useWrites } from "./writes.ts";

/** Who the conversation is with, what else is known of them, and how the conversation is kept. */
export function Person({ account, conversation }: ThreadProps) {
  const may = useMay();
  const { contact_id, lead_id } = conversation;
  return (
    <div className={classes.person}>
      {contact_id !== null && may("contacts:read") ? (
        <OfContact account={account} id={contact_id} />
      ) : lead_id !== null && may("leads:read") ? (
        <OfLead account={account} id={lead_id} />
      ) : (
        <Card name={personOf(conversation)} note={spaced(conversation.address)} />
      )}
      {contact_id !== null && may("deals:read") && <Deals account={account} id={contact_id} />}
      {contact_id !== null && <ContactPayments account={account} contact_id={contact_id} />}
      <About account={account} conversation={conversation} />
    </div>
  );
}

function Card({ name, note, to }: { name: string; note: React.ReactNode; to?: string }) {
  return (
    <div className={classes.card}>
      <Monogram name={name} person size={40} />
      <div>
        <h2 className="cut">{to === undefined ? name : <Link to={to}>{name}</Link>}</h2>
        <p>{note}</p>
      </div>
    </div>
  );
}

const CHANNELS = ["sms", "email", "whatsapp"] as const;

/** "SMS, Email". */
const consentsOf = ({ consent }: Contact, status: string) =>
  CHANNELS.filter((channel) => consent[channel] === status)
    .map((channel) => KINDS[channel].name)
    .join(", ");

function OfContact({ account, id }: { account: Account; id: string }) {
  const { data: contact, error, refetch } = useContact(id);
  const nameOf = usePersonName();
  if (error && !contact) return <Failure small title="The contact did not load" error={error} retry={refetch} />;
  if (!contact) return <Loading rows={4} />;
  const { name, phone, email, company, owner_id, tags, notes, created_at } = contact;
  return (
    <>
      <Card name={name} note={`Contact since ${day(created_at)}`} to={`/crm/${account.id}/contacts/${id}`} />
      <Facts
        rows={[
          ["Phone", spaced(phone)],
          ["Email", email],
          ["Company", company],
          ["Consent", consentsOf(contact, "granted") || "none recorded"],
          ["Declined", consentsOf(contact, "denied") || null],
          ["Owner", owner_id && nameOf(owner_id)],
          ["Tags", tags.length > 0 ? <Tags key="tags" tags={tags} /> : null],
          ["About", notes],
        ]}
      />
    </>
  );
}

function OfLead({ account, id }: { account: Account; id: string }) {
  const { data: lead, error, refetch } = useLead(id);
  if (error && !lead) return <Failure small title="The lead did not load" error={error} retry={refetch} />;
  if (!lead) return <Loading rows={4} />;
  const { name, phone, email, company, status, created_at } = lead;
  return (
    <>
      <Card name={name ?? email ?? id} note={`Lead since ${day(created_at)}`} to={`/crm/${account.id}/leads/${id}`} />
      <Facts
        rows={[
          ["Status", status],
          ["Phone", spaced(phone)],
          ["Email", email],
          ["Company", company],
        ]}
      />
    </>
  );
}

const PRIORITIES = ["low", "normal", "high", "urgent"];

/** The conversation itself: its channel, its priority and its tags. */
function About({ account, conversation }: ThreadProps) {
  const writes = useWrites({ account, conversation });
  const act = useConversationAct();
  const offered = useTagNames(account.id);
  const channel = useChannels(account.id).data?.find(({ id }) => id === conversation.channel_id);
  const { tags, priority, previous_id, created_at } = conversation;
  const update = (body: { tags?: string[]; priority?: Conversation["priority"] }) =>
    void act.mutateAsync({ conversation, act: "update", body }).catch((error: Error) => toastError("Not saved", error));
  return (
    <Section title="Conversation">
      <Facts
        rows={[
          [
            "Channel",
            channel ? (
              <Link key="channel" className="link" to={`/crm/${account.id}/channels?open=${channel.id}`}>
                {channel.name}
              </Link>
            ) : null,
          ],
          ["Began", <When key="began" at={created_at} as="since" />],
          [
            "Before it",
            previous_id === null ? null : (
              <Link key="previous" className="link" to={`/crm/${account.id}/inbox/${previous_id}`}>
                the one that it goes on from
              </Link>
            ),
          ],
          ["Priority", writes ? null : priority],
          ["Tags", writes || tags.length === 0 ? null : <Tags key="tags" tags={tags} />],
        ]}
      />
      {writes && (
        <div className={classes.kept}>
          <Select
            label="Priority"
            data={PRIORITIES}
            allowDeselect={false}
            value={priority}
            onChange={(value) => value !== null && update({ priority: value as Conversation["priority"] })}
          />
          <TagsInput label="Tags of the conversation" data={offered} value={tags} onChange={(value) => update({ tags: value })} />
        </div>
      )}
    </Section>
  );
}

function Deals({ account, id }: { account: Account; id: string }) {
  const deals = useDealsOf(id, true).data ?? [];
  if (deals.length === 0) return null;
  return (
    <Section title="Deals" aside={deals.length === 20 ? "the latest 20" : deals.length}>
      <ul className={classes.deals}>
        {deals.map(({ id, name, stage, amount_cents, mrr_cents, currency }) => (
          <li key={id}>
            <Link to={account.house ? `/deals/${id}` : `/crm/${account.id}/deals/${id}`} className="cut">
              {name}
            </Link>
            <span className="muted">{stage}</span>
            <span className="num">
              {(amount_cents ?? mrr_cents) != null && <Money cents={amount_cents ?? mrr_cents ?? 0} currency={currency} />}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
