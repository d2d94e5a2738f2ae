import { Autocomplete, SegmentedControl, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { AmountInput, CountInput, CurrencyInput, PercentInput } from "../../ui/amount.tsx";
import { Pair } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "../operator.module.css";
import { PartnerChoice } from "../partners/choice.tsx";
import { usePlans } from "../plans/data.ts";
import { useGrades } from "../tiers/data.ts";
import type { RuleValues } from "./values.ts";

type Props = { form: UseFormReturnType<RuleValues> };

/** Whose sales the rule is for. It stays as it was created. */
export function Subject({ form }: Props) {
  const grades = useGrades();
  const { scope } = form.values;
  return (
    <Section title="For whom">
      <div className={classes.fields}>
        <SegmentedControl
          aria-label="For whom"
          data={[
            { value: "programme", label: "All partners" },
            { value: "grade", label: "A tier" },
            { value: "partner", label: "One partner" },
            { value: "link", label: "One link" },
          ]}
          {...form.getInputProps("scope")}
        />
        {scope === "grade" && <Select label="Tier" data={grades} placeholder="Choose a tier" {...form.getInputProps("grade")} />}
        {scope === "link" && (
          <TextInput
            label="Affiliate link"
            description="Its id, which begins with lnk_"
            {...form.getInputProps("link_id")}
            value={form.values.link_id ?? ""}
          />
        )}
        {scope === "partner" && (
          <PartnerChoice
            label="Partner"
            value={form.values.partner_id}
            error={form.errors.partner_id}
            onChange={(id) => form.setFieldValue("partner_id", id)}
          />
        )}
      </div>
    </Section>
  );
}

export function Earnings({ form }: Props) {
  return (
    <Section title="What it earns">
      <div className={classes.fields}>
        <RateFields form={form} field="first" label="First month" />
        <RateFields form={form} field="recurring" label="Every further month" />
        <CountInput
          label="For how many months"
          description="After the first charge; empty: as long as the client pays"
          placeholder="Without end"
          min={1}
          {...form.getInputProps("months")}
        />
      </div>
    </Section>
  );
}

function RateFields({ form, field, label }: Props & { field: "first" | "recurring"; label: string }) {
  const flat = form.values[field].kind === "flat";
  return (
    <div className={classes.rate} data-flat={flat || undefined}>
      {flat ? (
        <>
          <AmountInput label={label} min={0} {...form.getInputProps(`${field}.flat_cents`)} />
          <CurrencyInput {...form.getInputProps(`${field}.currency`)} />
        </>
      ) : (
        <PercentInput label={label} {...form.getInputProps(`${field}.bps`)} />
      )}
      <SegmentedControl
        aria-label={`${label}: share or amount`}
        data={[
          { value: "bps", label: "Share" },
          { value: "flat", label: "Amount" },
        ]}
        {...form.getInputProps(`${field}.kind`)}
      />
    </div>
  );
}

export function Conditions({ form }: Props) {
  const plans = usePlans({ state: ["active"] });
  return (
    <Section title="Only sales of" aside="Empty: of anything">
      <div className={classes.fields}>
        <Pair>
          <Autocomplete
            label="Plan"
            placeholder="Any"
            data={plans.rows.map(({ name }) => name)}
            {...form.getInputProps("plan")}
            value={form.values.plan ?? ""}
          />
          <CurrencyInput placeholder="Any" clearable allowDeselect {...form.getInputProps("currency")} />
        </Pair>
        <AmountInput
          label="Monthly revenue of at least"
          description={form.values.currency === null ? "Needs a currency" : `In ${form.values.currency.toUpperCase()}`}
          placeholder="Any"
          min={0}
          disabled={form.values.currency === null}
          {...form.getInputProps("min_mrr_cents")}
        />
      </div>
    </Section>
  );
}

export function Handling({ form }: Props) {
  const anew = form.values.applies_to === "all_charges";
  return (
    <Section title="Name and effect">
      <div className={classes.fields}>
        <Pair wide="first">
          <TextInput label="Name" description="Partners see it in what explains a commission" {...form.getInputProps("name")} />
          <CountInput
            label="Priority"
            description="The highest wins"
            min={-1000}
            max={1000}
            {...form.getInputProps("priority")}
          />
        </Pair>
        <div>
          <SegmentedControl
            aria-label="Effect"
            data={[
              { value: "new_deals", label: "New sales" },
              { value: "all_charges", label: "All further charges" },
            ]}
            {...form.getInputProps("applies_to")}
          />
          <p className="muted" style={{ marginTop: 8 }}>
            {anew
              ? "The rule is chosen again for each charge: a change applies to sales that were won before."
              : "A sale keeps the terms that it was won with, for its whole life."}{" "}
            What has been earned is never changed.
          </p>
        </div>
      </div>
    </Section>
  );
}
