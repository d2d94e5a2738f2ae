import { Button, NumberInput, SegmentedControl, TextInput } from "@mantine/core";
import { Failure } from "../../ui/failure.tsx";
import { type ApiForm, Form, Pair, useApiForm } from "../../ui/form.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { When } from "../../ui/when.tsx";
import classes from "../operator.module.css";
import { type Programme, useProgramme, useUpdateProgramme } from "./data.ts";

export default function ProgrammePage() {
  const { data, error, refetch } = useProgramme();
  return (
    <Page
      title="Programme"
      api="GET /v1/admin/programme"
      foot={
        data && (
          <span>
            Version {data.version}, changed <When at={data.updated_at} />
          </span>
        )
      }
    >
      <Content>
        {error && <Failure title="The programme did not load" error={error} retry={refetch} />}
        {data ? <Settings key={data.version} programme={data} /> : !error && <Loading rows={6} />}
      </Content>
    </Page>
  );
}

const fields = (programme: Programme) => ({
  name: programme.name,
  default_currency: programme.default_currency,
  support_email: programme.support_email ?? "",
  registration_review: programme.registration_review,
  protection_days: programme.protection_days,
  open_registrations_max: programme.open_registrations_max,
  hold_days: programme.hold_days,
  first_charge_days: programme.first_charge_days,
  override_bps: programme.override_bps.map((bps) => bps / 100).join(", "),
  override_gate: programme.override_gate,
  total_cap_bps: programme.total_cap_bps / 100,
  tier_grace_days: programme.tier_grace_days,
  sub_partner_invites: programme.sub_partner_invites,
});

/** Rates are shown in percent and sent in basis points. */
const bps = (percent: number | string) => Math.round(Number(percent) * 100);

const bodyOf = (values: ReturnType<typeof fields>) => ({
  ...values,
  support_email: values.support_email.trim() || null,
  override_bps: values.override_bps
    .split(/[\s,;%]+/)
    .filter(Boolean)
    .map(bps),
  total_cap_bps: bps(values.total_cap_bps),
});

function Settings({ programme }: { programme: Programme }) {
  const update = useUpdateProgramme();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: fields(programme),
    async send(values) {
      const saved = await update.mutateAsync({ programme, body: bodyOf(values) });
      toast("The programme is saved", () => {
        update
          .mutateAsync({ programme: saved, body: bodyOf(fields(programme)) })
          .catch((error: Error) => toastError("Not undone", error));
      });
    },
  });
  const reviewed = form.values.registration_review === "review";
  return (
    <div style={{ maxWidth: 560 }}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Section title="For partners">
          <div className={classes.fields}>
            <TextInput label="Name" description="Partners see it in the portal and in e-mails" {...form.getInputProps("name")} />
            <Pair>
              <TextInput label="Support email" type="email" {...form.getInputProps("support_email")} />
              <TextInput label="Default currency" {...form.getInputProps("default_currency")} />
            </Pair>
          </div>
        </Section>
        <Section title="Registrations">
          <div className={classes.fields}>
            <div>
              <SegmentedControl
                aria-label="Registrations"
                data={[
                  { value: "auto", label: "Approved at once" },
                  { value: "review", label: "Decided by you" },
                ]}
                {...form.getInputProps("registration_review")}
              />
              <p className="muted" style={{ marginTop: 8 }}>
                {reviewed
                  ? "A registered sale waits under Registrations until you decide. The company is kept for the partner meanwhile."
                  : "A registered sale is protected as soon as it is registered, unless somebody else has the company."}{" "}
                Registrations that stand are not changed.
              </p>
            </div>
            <Pair>
              <NumberInput
                label="Protection, days"
                description="Of a registered company"
                hideControls
                {...form.getInputProps("protection_days")}
              />
              <NumberInput
                label="Open registrations"
                description="At most, per partner"
                hideControls
                {...form.getInputProps("open_registrations_max")}
              />
            </Pair>
          </div>
        </Section>
        <CommissionFields form={form} />
        <TierFields form={form} />
        <div>
          <Button type="submit" loading={busy} disabled={!form.isDirty()}>
            Save
          </Button>
        </div>
      </Form>
    </div>
  );
}

type FieldsProps = { form: ApiForm<ReturnType<typeof fields>>["form"] };

function CommissionFields({ form }: FieldsProps) {
  return (
    <Section title="Commissions">
      <div className={classes.fields}>
        <Pair>
          <NumberInput
            label="Hold, days"
            description="After the charge, before it is approved"
            hideControls
            {...form.getInputProps("hold_days")}
          />
          <NumberInput
            label="First charge, days"
            description="A win without one by then is void"
            hideControls
            {...form.getInputProps("first_charge_days")}
          />
        </Pair>
        <Pair>
          <TextInput
            label="Overrides, percent"
            description="Of the levels above the seller, nearest first"
            {...form.getInputProps("override_bps")}
          />
          <NumberInput
            label="Cap, percent"
            description="All levels together, of a charge"
            hideControls
            {...form.getInputProps("total_cap_bps")}
          />
        </Pair>
      </div>
    </Section>
  );
}

function TierFields({ form }: FieldsProps) {
  return (
    <Section title="Tiers and sub-partners">
      <div className={classes.fields}>
        <Pair>
          <NumberInput
            label="Grace, days"
            description="Before a grade that no longer fits is lost"
            hideControls
            {...form.getInputProps("tier_grace_days")}
          />
          <NumberInput
            label="Own clients"
            description="That a partner needs to earn overrides"
            hideControls
            {...form.getInputProps("override_gate")}
          />
        </Pair>
        <SegmentedControl
          aria-label="Sub-partners"
          data={[
            { value: "on", label: "Partners may add partners" },
            { value: "off", label: "Only you add partners" },
          ]}
          {...form.getInputProps("sub_partner_invites")}
        />
      </div>
    </Section>
  );
}
