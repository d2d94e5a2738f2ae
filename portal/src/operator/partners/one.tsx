import { Button, Switch, TextInput } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { Answer } from "../../ui/answer.tsx";
import { Bar, Tabs } from "../../ui/bar.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Id } from "../../ui/copy.tsx";
import { Form, FormFoot, useApiForm, useAsOpened } from "../../ui/form.tsx";
import { gradeName } from "../../ui/grade.ts";
import { Link } from "../../ui/link.tsx";
import { Page, PhoneActs, Split } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Facts, Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import { Waiting } from "../../ui/waiting.tsx";
import { day, When } from "../../ui/when.tsx";
import { Adjust } from "../money/commissions/adjust.tsx";
import classes from "../operator.module.css";
import { listRequest as payoutsRequest } from "../payouts/data.ts";
import { RegistrationRows } from "../registrations/rows.tsx";
import { PartnerCharges, PartnerCommissions, PartnerLedger } from "./book.tsx";
import { type Partner, usePartner, usePartnerStatus, useUpdatePartner } from "./data.ts";
import { PartnerMoney } from "./money.tsx";
import { ParentChoice } from "./parent.tsx";
import { PartnerPayouts } from "./payouts.tsx";
import { PartnerState } from "./status.tsx";
import { PartnerTier } from "./tier.tsx";

const TRAIL = [["Partners", "/partners"]] as const;

export default function OnePartner() {
  const { id = "" } = useParams({ strict: false }) as { id?: string };
  const query = usePartner(id);
  const partner = query.data;
  if (partner === undefined) return <Waiting title="Partner" trail={TRAIL} query={query} />;
  return <Shown partner={partner} />;
}

const TABS = [
  { value: "", name: "Overview" },
  { value: "commissions", name: "Commissions" },
  { value: "charges", name: "Charges" },
  { value: "payouts", name: "Payouts" },
  { value: "ledger", name: "Ledger" },
  { value: "tier", name: "Tier" },
];

/** What narrows one part is none of another's concern. */
const NOTHING = Object.fromEntries(
  ["status", "kind", "currency", "from", "to", "account", "commission"].map((name) => [name, undefined]),
);

/** The request behind each tab. */
const REQUESTS: Record<string, string> = {
  commissions: "/commissions",
  charges: "/charges",
  ledger: "/ledger/entries",
  tier: "/tier",
};

const VIEWS: Record<string, React.ComponentType<{ partner: Partner }>> = {
  commissions: PartnerCommissions,
  charges: PartnerCharges,
  payouts: PartnerPayouts,
  ledger: PartnerLedger,
  tier: PartnerTier,
};

function Shown({ partner }: { partner: Partner }) {
  const [url, setUrl] = useUrl();
  const tab = url.tab ?? "";
  const View = VIEWS[tab] ?? Overview;
  return (
    <Page
      title={
        <>
          <span className="cut">{partner.company}</span> <PartnerState partner={partner} />
        </>
      }
      name={partner.company}
      fill
      trail={TRAIL}
      api={
        tab === "payouts"
          ? payoutsRequest({ partner_id: partner.id })
          : `GET /v1/admin/partners/${partner.id}${REQUESTS[tab] ?? ""}`
      }
      foot={
        <span>
          Version {partner.version}, changed <When at={partner.updated_at} as="since" />
        </span>
      }
      actions={<Actions partner={partner} edit={() => setUrl({ edit: "yes" }, true)} />}
    >
      <Bar>
        <Tabs label="Part" value={tab} tabs={TABS} onChange={(next) => setUrl({ ...NOTHING, tab: next })} />
      </Bar>
      <View partner={partner} />
      {url.edit === "yes" && <EditPartner partner={partner} close={() => setUrl({ edit: undefined })} />}
      {url.adjust && (
        <Adjust partner={partner} returned={url.adjust === "returned"} close={() => setUrl({ adjust: undefined })} />
      )}
    </Page>
  );
}

function Overview({ partner }: { partner: Partner }) {
  const [, setUrl] = useUrl();
  return (
    <div className={classes.scroll}>
      <Split side={<Side partner={partner} />}>
        <Answer
          sub={
            <>
              <span>
                {partner.status === "active" ? "Active" : "Suspended"} since {day(partner.suspended_at ?? partner.created_at)}
              </span>
              {partner.suspension_reason && <span>{partner.suspension_reason}</span>}
              <Id>{partner.id}</Id>
            </>
          }
        >
          A <b>{gradeName(partner.grade)}</b> partner, API <b>{partner.api_access ? "open" : "closed"}</b>
        </Answer>
        <PhoneActs>
          <Actions partner={partner} edit={() => setUrl({ edit: "yes" }, true)} />
        </PhoneActs>
        <PartnerMoney partner={partner} adjust={() => setUrl({ adjust: "yes" }, true)} />
        <Section
          title="Registrations"
          aside={
            <Link className="link" to={`/registrations?partner=${partner.id}&state=all`}>
              All of them
            </Link>
          }
        >
          <RegistrationRows partner_id={partner.id} />
        </Section>
      </Split>
    </div>
  );
}

function Side({ partner }: { partner: Partner }) {
  const { owner, branding } = partner;
  const branded = [
    ["Product", branding.product_name],
    ["Domain", branding.domain],
    ["Support", branding.support_email],
  ].filter((row): row is [string, string] => Boolean(row[1]));
  return (
    <>
      <Section title="Facts">
        <Facts
          rows={[
            ["Owner", owner?.name],
            ["Email", owner && <a href={`mailto:${owner.email}`}>{owner.email}</a>],
            [
              "Tier",
              <Link key="tier" className="link" to={`/partners/${partner.id}?tab=tier`}>
                {gradeName(partner.grade)}
                {partner.pinned && ", set by hand"}
              </Link>,
            ],
            ["Currency", partner.currency.toUpperCase()],
            ["Parent", partner.parent_id && <ParentLink id={partner.parent_id} />],
            ["House account", <Id key="house">{partner.house_account_id}</Id>],
            ["Partner since", <When key="since" at={partner.created_at} as="day" />],
          ]}
        />
      </Section>
      {branded.length > 0 && (
        <Section title="Branding">
          <Facts rows={branded} />
        </Section>
      )}
      <Section title="More">
        <div className={classes.ways}>
          <Link className="link" to={`/programme/rules/new?partner=${partner.id}`}>
            Give it a commission rule of its own
          </Link>
          <Link className="link" to={`/links?state=all&partner=${partner.id}`}>
            Its affiliate links
          </Link>
          <Link className="link" to={`/audit-log?partner=${partner.id}`}>
            What its people and keys did
          </Link>
        </div>
      </Section>
    </>
  );
}

function ParentLink({ id }: { id: string }) {
  const { data } = usePartner(id);
  return (
    <Link className="link" to={`/partners/${id}`}>
      {data?.company ?? id}
    </Link>
  );
}

function Actions({ partner, edit }: { partner: Partner; edit(): void }) {
  const [suspends, setSuspends] = useState(false);
  const [reason, setReason] = useState("");
  const status = usePartnerStatus();
  const reactivate = (from: Partner) =>
    status.mutateAsync({ partner: from, to: "reactivate" }).then(
      ({ company }) => toast(`${company} is active`),
      (error: Error) => toastError(`${from.company} was not reactivated`, error),
    );
  const suspend = async () => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    const saved = await status.mutateAsync({ partner, to: "suspend", ...why });
    toast(`${saved.company} is suspended`, () => void reactivate(saved));
  };
  return (
    <>
      {partner.status === "active" ? (
        <Button variant="default" onClick={() => setSuspends(true)}>
          Suspend…
        </Button>
      ) : (
        <Button variant="default" onClick={() => void reactivate(partner)}>
          Reactivate
        </Button>
      )}
      <Button leftSection={<Pencil />} onClick={edit}>
        Edit
      </Button>
      <Confirm
        opened={suspends}
        close={() => setSuspends(false)}
        title={`Suspend ${partner.company}?`}
        action="Suspend"
        danger
        onConfirm={suspend}
      >
        <p>
          All of its people and keys are refused at once, and its running imports stop. Its data, its clients and its webhooks
          stay. You can reactivate it at any time.
        </p>
        <TextInput
          mt={16}
          label="Reason"
          description="Shown to you, not to the partner"
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </Confirm>
    </>
  );
}

function EditPartner({ partner: live, close }: { partner: Partner; close(): void }) {
  const partner = useAsOpened(live);
  const update = useUpdatePartner();
  const fields = ({ company, parent_id, api_access }: Partner) => ({ company, parent_id, api_access });
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: fields(partner),
    async send(body) {
      const saved = await update.mutateAsync({ partner, body });
      toast(`${saved.company} is saved`, () => {
        update.mutateAsync({ partner: saved, body: fields(partner) }).catch((error: Error) => toastError("Not undone", error));
      });
      close();
    },
  });
  return (
    <Panel
      title={`Edit ${partner.company}`}
      close={close}
      foot={<FormFoot form="edit-partner" action="Save" busy={busy} close={close} />}
    >
      <Form id="edit-partner" onSubmit={onSubmit} problem={problem}>
        <TextInput label="Company" {...form.getInputProps("company")} />
        <ParentChoice value={form.values.parent_id} not={partner.id} onChange={(id) => form.setFieldValue("parent_id", id)} />
        <Switch label="Open the API" {...form.getInputProps("api_access", { type: "checkbox" })} />
      </Form>
    </Panel>
  );
}
