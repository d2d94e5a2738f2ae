import { useParams } from "@tanstack/react-router";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Id } from "../../../ui/copy.tsx";
import { Link } from "../../../ui/link.tsx";
import { Page, Split } from "../../../ui/page.tsx";
import { spaced } from "../../../ui/phone.ts";
import { Facts, Section, Tags } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { Waiting } from "../../../ui/waiting.tsx";
import { When } from "../../../ui/when.tsx";
import { useLinkCode } from "../../money/links/data.ts";
import { InAccount, ReadOnly, useRightAccount } from "../records/account.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { Notes } from "../records/notes.tsx";
import { usePersonName } from "../records/people.tsx";
import { RecordTimeline } from "../records/timeline.tsx";
import { CustomFacts } from "../records/values.tsx";
import { LeadActions, TakeBack } from "./actions.tsx";
import { ConvertLead } from "./convert.tsx";
import { EditLead } from "./create.tsx";
import { type Lead, useLead } from "./data.ts";
import { Score } from "./score.tsx";
import { LeadState, leadName } from "./status.tsx";

export default function LeadPage() {
  return <InAccount title="Lead">{(account) => <OneLead account={account} />}</InAccount>;
}

function OneLead({ account }: { account: Account }) {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = useLead(id);
  const lead = query.data;
  useRightAccount(account, lead, "leads");
  if (lead === undefined) return <Waiting title="Lead" trail={[["Leads", `/crm/${account.id}/leads`]]} query={query} />;
  return <Shown account={account} lead={lead} />;
}

function Shown({ account, lead }: { account: Account; lead: Lead }) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const writes = may("leads:write") && account.readOnly === null;
  const actions = (phone: boolean) =>
    may("leads:write") && <LeadActions account={account} lead={lead} writes={writes} phone={phone} />;
  return (
    <Page
      title={
        <>
          <span className="cut">{leadName(lead)}</span> <LeadState lead={lead} />
        </>
      }
      name={leadName(lead)}
      trail={[["Leads", `/crm/${account.id}/leads`]]}
      api={`GET /v1/leads/${lead.id}`}
      foot={
        <span>
          Version {lead.version}, changed <When at={lead.updated_at} as="since" />
        </span>
      }
      actions={actions(false)}
      phoneAction={actions(true)}
    >
      <ReadOnly account={account} />
      <Split side={<Side account={account} lead={lead} />}>
        <Answer
          sub={
            <>
              <span>
                Came by {lead.source.name ?? lead.source.kind}, last active <When at={lead.last_activity_at} as="since" />
              </span>
              <Id>{lead.id}</Id>
            </>
          }
        >
          <b>{leadName(lead)}</b>
          {lead.company && ` of ${lead.company}`} scores <b>{lead.score}</b> of 100
        </Answer>
        {lead.converted && (
          <Blocker
            title={
              <>
                Converted <When at={lead.converted.at} as="since" />
              </>
            }
            action={writes && may("contacts:write") && <TakeBack lead={lead} />}
          >
            It became{" "}
            <Link className="link" to={`/crm/${account.id}/contacts/${lead.converted.contact_id}`}>
              a contact
            </Link>
            {lead.converted.deal_id && (
              <>
                {" "}
                and{" "}
                <Link
                  className="link"
                  to={account.house ? `/deals/${lead.converted.deal_id}` : `/crm/${account.id}/deals/${lead.converted.deal_id}`}
                >
                  a deal
                </Link>
              </>
            )}
            . Notes and timeline are shown there too.
          </Blocker>
        )}
        <Notes kind="leads" id={lead.id} writes={writes} />
        <RecordTimeline kind="leads" id={lead.id} account_id={lead.account_id} />
      </Split>
      {writes && url.edit === "yes" && <EditLead account={account} lead={lead} close={() => setUrl({ edit: undefined })} />}
      {writes && url.convert === "yes" && lead.converted === null && (
        <ConvertLead account={account} lead={lead} close={() => setUrl({ convert: undefined })} />
      )}
    </Page>
  );
}

function Side({ account, lead }: { account: Account; lead: Lead }) {
  const nameOf = usePersonName();
  const fields = useCustomFields(account.id, "lead").data ?? [];
  const link = useLinkCode(lead.affiliate_link_id);
  const { phone, email, company, title, country, owner_id, source, tags, notes, external_id, disqualified_reason } = lead;
  return (
    <>
      <Score account={account} lead={lead} />
      <Section title="Facts">
        <Facts
          rows={[
            ["Phone", phone && <a href={`tel:${phone}`}>{spaced(phone)}</a>],
            ["Email", email && <a href={`mailto:${email}`}>{email}</a>],
            ["Company", company],
            ["Title", title],
            ["Country", country],
            ["Owner", owner_id && nameOf(owner_id)],
            ["Tags", tags.length > 0 ? <Tags key="tags" tags={tags} /> : null],
            ["Reason", disqualified_reason],
            ["About", notes],
            ["External id", external_id && <span className="mono">{external_id}</span>],
            ["Created", <When key="created" at={lead.created_at} as="day" />],
          ]}
        />
      </Section>
      <Section title="Source">
        <Facts
          rows={[
            ["Kind", source.kind],
            ["Name", source.name],
            [
              "Link",
              link && (
                <Link key="link" className="link" to={`/earn/links/${lead.affiliate_link_id}`}>
                  {link}
                </Link>
              ),
            ],
            ["Page", source.url],
            ["Referrer", source.referrer],
            ["Click id", source.click_id && <span className="mono">{source.click_id}</span>],
            ["Campaign", source.utm.campaign],
            ["Medium", source.utm.medium],
            ["Search", source.utm.source],
          ]}
        />
      </Section>
      {fields.some(({ key }) => lead.custom[key] !== undefined) && (
        <Section title="Custom fields">
          <CustomFacts fields={fields} custom={lead.custom} />
        </Section>
      )}
    </>
  );
}
