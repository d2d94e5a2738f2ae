import { useMay } from "../../../api/session.ts";
import { Link } from "../../../ui/link.tsx";
import { Money } from "../../../ui/money.tsx";
import { spaced } from "../../../ui/phone.ts";
import { Facts, Section, Tags } from "../../../ui/section.tsx";
import { When } from "../../../ui/when.tsx";
import classes from "../crm.module.css";
import { type Account, useCustomFields } from "../records/data.ts";
import { usePersonName } from "../records/people.tsx";
import { CustomFacts } from "../records/values.tsx";
import { type Contact, useDealsOf, useLeadsOf } from "./data.ts";

/** Who a person is. */
export function ContactFacts({ account, contact }: { account: Account; contact: Contact }) {
  const nameOf = usePersonName();
  const fields = useCustomFields(account.id, "contact").data ?? [];
  const { phone, email, company, owner_id, external_id, tags, notes, created_at } = contact;
  return (
    <>
      <Section title="Facts">
        <Facts
          rows={[
            [
              "Phone",
              <a key="phone" href={`tel:${phone}`}>
                {spaced(phone)}
              </a>,
            ],
            ["Email", email && <a href={`mailto:${email}`}>{email}</a>],
            ["Company", company],
            ["Owner", owner_id && nameOf(owner_id)],
            ["Tags", tags.length > 0 ? <Tags key="tags" tags={tags} /> : null],
            ["About", notes],
            ["External id", external_id && <span className="mono">{external_id}</span>],
            ["Created", <When key="created" at={created_at} as="day" />],
          ]}
        />
      </Section>
      {fields.some(({ key }) => contact.custom[key] !== undefined) && (
        <Section title="Custom fields">
          <CustomFacts fields={fields} custom={contact.custom} />
        </Section>
      )}
    </>
  );
}

/** The deals and the leads of a person. */
export function ContactDeals({ account, contact }: { account: Account; contact: Contact }) {
  const may = useMay();
  const deals = useDealsOf(contact.id, may("deals:read")).data ?? [];
  const leads = useLeadsOf(contact.id, may("leads:read")).data ?? [];
  const dealAddress = (id: string) => (account.house ? `/deals/${id}` : `/crm/${account.id}/deals/${id}`);
  return (
    <>
      {deals.length > 0 && (
        <Section title="Deals" aside={deals.length === 20 ? "the latest 20" : deals.length}>
          <ul className={classes.rows}>
            {deals.map(({ id, name, stage, amount_cents, mrr_cents, currency }) => (
              <li key={id}>
                <Link to={dealAddress(id)} className="cut">
                  {name}
                </Link>
                <span className="muted">{stage}</span>
                <span className="strong">
                  {(amount_cents ?? mrr_cents) != null && <Money cents={amount_cents ?? mrr_cents ?? 0} currency={currency} />}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {leads.length > 0 && (
        <Section title="Leads" aside={leads.length}>
          <ul className={classes.rows}>
            {leads.map(({ id, name, email, source, created_at }) => (
              <li key={id}>
                <Link to={`/crm/${account.id}/leads/${id}`} className="cut">
                  {name ?? email ?? id}
                </Link>
                <span className="muted">{source.name ?? source.kind}</span>
                <When muted at={created_at} as="day" />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
