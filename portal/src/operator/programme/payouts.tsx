import { Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useState } from "react";
import { AmountsInput } from "../../ui/amounts.tsx";
import { money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import classes from "../operator.module.css";
import type { ProgrammeValues } from "./values.ts";

type Props = { form: UseFormReturnType<ProgrammeValues> };

/** When, from which amount on, and from which account partners are paid. */
export function Payouts({ form }: Props) {
  const { payout_minimums, default_currency } = form.values;
  return (
    <Section title="Payouts">
      <div className={classes.fields}>
        <Schedule form={form} />
        <AmountsInput
          form={form}
          name="payout_minimums"
          amounts={payout_minimums}
          legend="Smallest payout"
          one="Minimum"
          add={payout_minimums.length === 0 ? "Minimum" : "Another currency"}
        >
          <p className="muted">
            What is below is carried over to the next run. A currency without a minimum is paid from{" "}
            {money(5_000, default_currency)} on; a tier may have its own.
          </p>
        </AmountsInput>
        <fieldset className={classes.group}>
          <legend>Account that SEPA files pay from</legend>
          <div className={classes.fields}>
            <TextInput label="Holder" {...form.getInputProps("payout_debtor.name")} />
            <TextInput label="IBAN" {...form.getInputProps("payout_debtor.iban")} />
            <TextInput label="BIC" placeholder="If your bank asks for one" {...form.getInputProps("payout_debtor.bic")} />
          </div>
        </fieldset>
      </div>
    </Section>
  );
}

const BY_HAND = "by hand";
const OTHER = "other";

const SCHEDULES = [
  { value: "0 6 15 * *", label: "On the 15th of each month, 6:00" },
  { value: "0 6 1 * *", label: "On the 1st of each month, 6:00" },
  { value: "0 6 L * *", label: "On the last day of each month, 6:00" },
  { value: "0 6 1,15 * *", label: "On the 1st and the 15th of each month, 6:00" },
  { value: "0 6 * * FRI", label: "Every Friday, 6:00" },
  { value: BY_HAND, label: "Only when you start a run" },
  { value: OTHER, label: "Another schedule…" },
];

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

function Schedule({ form }: Props) {
  const { payout_cron, payout_time_zone } = form.values;
  const usual = payout_cron === "" ? BY_HAND : (SCHEDULES.find(({ value }) => value === payout_cron)?.value ?? OTHER);
  const [other, setOther] = useState(usual === OTHER);
  const choose = (value: string | null) => {
    setOther(value === OTHER);
    if (value !== OTHER) form.setFieldValue("payout_cron", value === BY_HAND || value === null ? "" : value);
  };
  return (
    <>
      <Select label="Runs start" data={SCHEDULES} allowDeselect={false} value={other ? OTHER : usual} onChange={choose} />
      {other && (
        <TextInput
          label="Cron expression"
          description="Minute, hour, day of the month, month, day of the week"
          placeholder="0 6 15 * *"
          {...form.getInputProps("payout_cron")}
        />
      )}
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        limit={50}
        data={ZONES.includes(payout_time_zone) ? ZONES : [payout_time_zone, ...ZONES]}
        {...form.getInputProps("payout_time_zone")}
      />
    </>
  );
}
