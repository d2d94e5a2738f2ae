import { Id } from "../../ui/copy.tsx";
import { Link } from "../../ui/link.tsx";
import { Money } from "../../ui/money.tsx";
import { Facts, Section, Tags } from "../../ui/section.tsx";
import { day, When } from "../../ui/when.tsx";
import { useLinkCode } from "../money/links/data.ts";
import type { Pipeline } from "../pipelines/data.ts";
import { worthOf } from "./board-model.ts";
import { type Deal, useDealFields, useOwners } from "./data.ts";
import classes from "./deals.module.css";
import { Earned } from "./earned.tsx";
import { DealHistory } from "./history.tsx";
import { daysOver, Track } from "./track.tsx";
import { RegistrationState } from "./value.tsx";

/** The answer about a deal: what it is worth, and how it stands. */
export function Lead({ deal, pipeline }: { deal: Deal; pipeline: Pipeline | undefined }) {
  const value = worthOf(deal);
  const over = daysOver(deal, pipeline);
  return (
    <>
      {value && (
        <>
          <b>
            <Money cents={value.cents} currency={value.currency} />
          </b>
          {value.monthly ? " a month" : ""}
        </>
      )}
      {deal.status === "won" && `${value ? ", won" : "Won"} on ${day(deal.won_at ?? deal.stage_entered_at)}`}
      {deal.status === "lost" && `${value ? ", lost" : "Lost"} on ${day(deal.lost_at ?? deal.stage_entered_at)}`}
      {deal.status === "open" && (
        <>
          {value ? ", " : ""}
          {deal.days_in_stage === 0 ? "since today" : `${deal.days_in_stage} d`} in <b>{deal.stage}</b>
          {over > 0 && <span className={classes.late}>, {over} d over</span>}
        </>
      )}
    </>
  );
}

export function DealFacts({ deal, house }: { deal: Deal; house: boolean }) {
  const { data: owners = [] } = useOwners(deal.owner_id !== null && house);
  const { data: own = [] } = useDealFields(deal.account_id);
  const link = useLinkCode(deal.affiliate_link_id);
  const custom = own.filter(({ key }) => deal.custom[key] !== undefined);
  return (
    <Facts
      rows={[
        ["Name", deal.name === deal.company ? null : deal.name],
        ["Company", deal.company && deal.company !== deal.name ? deal.company : null],
        ["Domain", deal.company_domain],
        ["Plan", deal.plan],
        ["Closes", deal.expected_close_on && <When key="closes" at={deal.expected_close_on} as="day" />],
        ["Client", deal.client_id && <ClientLink key="client" id={deal.client_id} house={house} />],
        ["Contact", deal.contact && (deal.contact.name ?? deal.contact.email ?? deal.contact.phone)],
        ["Email", deal.contact?.email && <a href={`mailto:${deal.contact.email}`}>{deal.contact.email}</a>],
        ["Phone", deal.contact?.phone && <a href={`tel:${deal.contact.phone}`}>{deal.contact.phone}</a>],
        [
          "Person",
          deal.contact_id && (
            <Link key="person" className="link" to={`/crm/${deal.account_id}/contacts/${deal.contact_id}`}>
              Open the contact
            </Link>
          ),
        ],
        ["Owner", deal.owner_id && (owners.find(({ id }) => id === deal.owner_id)?.name ?? <Id key="owner">{deal.owner_id}</Id>)],
        [
          "Came by",
          link && (
            <Link key="link" className="link" to={`/earn/links/${deal.affiliate_link_id}`}>
              {link}
            </Link>
          ),
        ],
        ["Lost because", deal.lost_reason],
        ["Tags", deal.tags.length > 0 ? <Tags key="tags" tags={deal.tags} /> : null],
        ["Notes", deal.notes && <span className={classes.noteText}>{deal.notes}</span>],
        ["External id", deal.external_id && <span className="mono">{deal.external_id}</span>],
        ...custom.map(({ key, label }) => [label, shown(deal.custom[key])] as const),
      ]}
    />
  );
}

const shown = (value: unknown) =>
  Array.isArray(value) ? value.join(", ") : value === true ? "yes" : value === false ? "no" : String(value);

function ClientLink({ id, house }: { id: string; house: boolean }) {
  return house ? (
    <Link className="link" to={`/clients/${id}`}>
      Open the client
    </Link>
  ) : (
    <Id>{id}</Id>
  );
}

/** The registration of a sale, and what it protects. */
export function Registration({ deal }: { deal: Deal }) {
  const { registration } = deal;
  if (registration === null) return null;
  const ends = new Date(registration.protected_until).getTime() > Date.now() ? "until" : "ended on";
  const holds = registration.status === "approved" || registration.status === "submitted" || registration.status === "needs_info";
  return (
    <Section title="Registration">
      <Facts
        rows={[
          ["State", <RegistrationState key="state" registration={registration} />],
          ["Protected", holds && deal.status === "open" ? `${ends} ${day(registration.protected_until)}` : null],
          ["Meaning", meaning(deal)],
          ["Reason", registration.reason],
        ]}
      />
    </Section>
  );
}

function meaning({ registration, status, company }: Deal): string | null {
  if (registration === null) return null;
  if (status === "won") return `${company ?? "The company"} is your client; no other partner can register it.`;
  if (status === "lost") return "The company can be registered by others again.";
  switch (registration.status) {
    case "approved":
      return "No other partner can register this company meanwhile.";
    case "submitted":
      return "The operator reviews it. The company is held for you meanwhile.";
    case "needs_info":
      return "The operator asks for more. A change of the deal answers it.";
    case "rejected":
      return "It earns no commission, and the company is free.";
    case "withdrawn":
      return "The company is free, and the deal can no longer be moved.";
    case "expired":
      return "The company is free. You can still win it, unless somebody else registers it.";
  }
}

/** All about a deal, one below the other: beside the board, and on a phone. */
export function DealView({ deal, pipeline, house }: { deal: Deal; pipeline: Pipeline | undefined; house: boolean }) {
  return (
    <div className={classes.view}>
      <div>
        <h3 className={classes.name}>{deal.company ?? deal.name}</h3>
        <p className={classes.lead}>
          <Lead deal={deal} pipeline={pipeline} />
        </p>
      </div>
      {pipeline && <Track deal={deal} pipeline={pipeline} />}
      <DealFacts deal={deal} house={house} />
      <Registration deal={deal} />
      <Earned deal={deal} />
      <Section title="History">
        <DealHistory deal={deal} />
      </Section>
    </div>
  );
}
