import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { CountInput, CurrencyInput, PercentInput } from "../../ui/amount.tsx";
import { Form, Pair, useApiForm } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import classes from "../operator.module.css";
import { type Programme, useUpdateProgramme } from "./data.ts";
import { AffiliateLinks } from "./links.tsx";
import { Marketplace } from "./marketplace.tsx";
import { Payouts } from "./payouts.tsx";
import { bodyOf, type ProgrammeValues, valuesOf } from "./values.ts";

type Props = { form: UseFormReturnType<ProgrammeValues> };

/** What all partners share, in one form. */
export function Settings({ programme }: { programme: Programme }) {
  const update = useUpdateProgramme();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(programme),
    async send(values) {
      const saved = await update.mutateAsync({ programme, body: bodyOf(values) });
      toast("The programme is saved", () => {
        update
          .mutateAsync({ programme: saved, body: bodyOf(valuesOf(programme)) })
          .catch((error: Error) => toastError("Not undone", error));
      });
    },
  });
  return (
    <div className={classes.form}>
      <Form onSubmit={onSubmit} problem={problem}>
        <ForPartners form={form} />
        <Registrations form={form} />
        <Commissions form={form} />
        <Overrides form={form} />
        <Payouts form={form} />
        <AffiliateLinks form={form} />
        <Marketplace form={form} />
        <Section
          title="Tiers"
          aside={
            <Link className="link" to="/programme/tiers">
              The tiers
            </Link>
          }
        >
          <CountInput
            label="Grace, days"
            description="How long a partner keeps a tier whose requirements it no longer meets"
            {...form.getInputProps("tier_grace_days")}
          />
        </Section>
        <div className={classes.save}>
          <Button type="submit" loading={busy} disabled={!form.isDirty()}>
            Save
          </Button>
        </div>
      </Form>
    </div>
  );
}

function ForPartners({ form }: Props) {
  return (
    <Section title="For partners">
      <div className={classes.fields}>
        <TextInput label="Name" description="Partners see it in the portal and in emails" {...form.getInputProps("name")} />
        <Pair>
          <TextInput label="Support email" type="email" {...form.getInputProps("support_email")} />
          <CurrencyInput label="Default currency" {...form.getInputProps("default_currency")} />
        </Pair>
      </div>
    </Section>
  );
}

function Registrations({ form }: Props) {
  const reviewed = form.values.registration_review === "review";
  return (
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
          <CountInput label="Protection, days" description="Of a registered company" {...form.getInputProps("protection_days")} />
          <CountInput
            label="Open registrations"
            description="At most, per partner"
            {...form.getInputProps("open_registrations_max")}
          />
        </Pair>
      </div>
    </Section>
  );
}

function Commissions({ form }: Props) {
  return (
    <Section
      title="Commissions"
      aside={
        <Link className="link" to="/programme/rules">
          The rules
        </Link>
      }
    >
      <div className={classes.fields}>
        <Pair>
          <CountInput
            label="Hold, days"
            description="After the charge, before it is approved"
            {...form.getInputProps("hold_days")}
          />
          <CountInput
            label="First charge within, days"
            description="Otherwise a won sale earns nothing"
            {...form.getInputProps("first_charge_days")}
          />
        </Pair>
        <p className="muted">Both are for sales won from now on: what is won keeps the terms it was won with.</p>
      </div>
    </Section>
  );
}

const EXAMPLE_CENTS = 100_00;
const LEVELS = ["Parent", "Above it", "Third level"];

function Overrides({ form }: Props) {
  const { override_bps, default_currency } = form.values;
  const shares = override_bps.map((share) => Math.round((Number(share) * EXAMPLE_CENTS) / 100));
  return (
    <Section title="Overrides and sub-partners">
      <div className={classes.fields}>
        <div>
          <div className={classes.triple}>
            {LEVELS.map((label, level) => (
              <PercentInput key={label} label={label} {...form.getInputProps(`override_bps.${level}`)} />
            ))}
          </div>
          <p className="muted" style={{ marginTop: 8 }}>
            Of a charge of {money(EXAMPLE_CENTS, default_currency)}, the partners above the seller earn{" "}
            {shares.map((share) => money(share, default_currency)).join(", ")}: beside the seller's commission, not out of it.
          </p>
        </div>
        <Pair>
          <PercentInput
            label="Cap of all levels"
            description="Of a charge. The farthest is cut first, the seller never"
            {...form.getInputProps("total_cap_bps")}
          />
          <CountInput
            label="Active clients needed"
            description="Of its own, for a partner to earn overrides"
            {...form.getInputProps("override_gate")}
          />
        </Pair>
        <Switch
          label="Partners may add sub-partners"
          description="Otherwise only you do"
          {...form.getInputProps("sub_partner_invites", { type: "checkbox" })}
        />
      </div>
    </Section>
  );
}
