import { ActionIcon, Button, Select, Switch, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { Plus, X } from "lucide-react";
import { AmountInput, CountInput, CurrencyInput, PercentInput } from "../../ui/amount.tsx";
import { AmountsInput } from "../../ui/amounts.tsx";
import { Form, FormFoot, Pair, useApiForm } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import classes from "../operator.module.css";
import { type Requirement, type Tier, useCreateTier, useUpdateTier } from "./data.ts";
import { bodyOf, type TierValues, valuesOf } from "./values.ts";
import { METRICS } from "./words.ts";

type Props = { form: UseFormReturnType<TierValues> };

/** A new tier, or one that is there. */
export function TierForm({ tier, close, actions }: { tier: Tier | null; close(): void; actions?: React.ReactNode }) {
  const create = useCreateTier();
  const update = useUpdateTier();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(tier),
    async send(values, key) {
      if (tier === null) {
        const saved = await create.mutateAsync({ body: { grade: values.grade, ...bodyOf(values) }, key });
        toast(`${saved.name} is a tier`);
      } else {
        const saved = await update.mutateAsync({ tier, body: bodyOf(values) });
        toast(`${saved.name} is saved`, () => {
          const before = bodyOf(valuesOf(tier));
          update.mutateAsync({ tier: saved, body: before }).catch((error: Error) => toastError("Not undone", error));
        });
      }
      close();
    },
  });
  return (
    <Panel
      title={tier?.name ?? "New tier"}
      close={close}
      actions={actions}
      foot={<FormFoot form="tier" action={tier ? "Save" : "Create tier"} busy={busy} close={close} />}
    >
      <Form id="tier" onSubmit={onSubmit} problem={problem}>
        {tier === null && (
          <TextInput
            label="Grade"
            description="Its name in the API: lower-case letters, digits, - or _. It stays"
            placeholder="diamond"
            data-autofocus
            {...form.getInputProps("grade")}
          />
        )}
        <Pair wide="first">
          <TextInput label="Name" data-autofocus={tier !== null || undefined} {...form.getInputProps("name")} />
          <CountInput label="Rank" placeholder="Above all" min={1} {...form.getInputProps("rank")} />
        </Pair>
        <Requirements form={form} />
        <Benefits form={form} />
        <AmountsInput
          form={form}
          name="payout_minimums"
          amounts={form.values.payout_minimums}
          legend="Smallest payout"
          one="Minimum"
          add={form.values.payout_minimums.length === 0 ? "Minimum" : "Another currency"}
        >
          {form.values.payout_minimums.length === 0 && <p className="muted">As the programme.</p>}
        </AmountsInput>
        {tier !== null && (
          <p className="muted">
            After a change all partners are looked at again: who meets more is promoted at once, who meets less keeps the tier for
            the programme's days of grace.
          </p>
        )}
      </Form>
    </Panel>
  );
}

const CHOICES = (Object.keys(METRICS) as Requirement["metric"][]).map((value) => ({ value, label: METRICS[value] }));

function Requirements({ form }: Props) {
  const { requirements } = form.values;
  const free = CHOICES.find(({ value }) => !requirements.some(({ metric }) => metric === value));
  return (
    <fieldset className={classes.group}>
      <legend>Requirements, all of them</legend>
      {requirements.length === 0 && <p className="muted">None: every partner meets it.</p>}
      {requirements.map(({ metric }, index) => (
        <div key={metric} className={classes.requirement}>
          <Select
            aria-label={`Requirement ${index + 1}`}
            data={CHOICES}
            allowDeselect={false}
            {...form.getInputProps(`requirements.${index}.metric`)}
          />
          <Amount form={form} index={index} metric={metric} />
          <ActionIcon
            aria-label={`Take the requirement of ${METRICS[metric].toLowerCase()} away`}
            onClick={() => form.removeListItem("requirements", index)}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {free && (
        <div>
          <Button
            variant="subtle"
            leftSection={<Plus />}
            onClick={() =>
              form.insertListItem("requirements", { metric: free.value, value: "", window_days: 90, currency: "usd" })
            }
          >
            Requirement
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Amount({ form, index, metric }: Props & { index: number; metric: Requirement["metric"] }) {
  const at = `requirements.${index}`;
  const label = `${METRICS[metric]}, at least`;
  if (metric === "won_mrr_cents")
    return (
      <>
        <AmountInput aria-label={label} min={0} {...form.getInputProps(`${at}.value`)} />
        <CurrencyInput label={undefined} aria-label="Currency of the revenue" {...form.getInputProps(`${at}.currency`)} />
      </>
    );
  if (metric === "retention_bps")
    return (
      <>
        <PercentInput aria-label={label} {...form.getInputProps(`${at}.value`)} />
        <CountInput aria-label="Days looked at" suffix=" days" min={1} {...form.getInputProps(`${at}.window_days`)} />
      </>
    );
  return <CountInput aria-label={label} data-wide {...form.getInputProps(`${at}.value`)} />;
}

function Benefits({ form }: Props) {
  const field = (name: keyof TierValues) => ({ placeholder: "As the programme", ...form.getInputProps(name) });
  return (
    <fieldset className={classes.group}>
      <legend>Benefits</legend>
      <div className={classes.fields}>
        <Pair>
          <CountInput label="Hold, days" {...field("hold_days")} />
          <CountInput label="Protection, days" min={1} {...field("protection_days")} />
        </Pair>
        <CountInput label="Open registrations" description="At most, per partner" min={1} {...field("open_registrations_max")} />
        <Pair>
          <CountInput label="Requests a minute" min={1} {...field("rate_limit_per_minute")} />
          <CountInput label="Requests at once" min={1} {...field("rate_limit_burst")} />
        </Pair>
        <Switch
          label="Open the API"
          description="To a partner that is promoted to this tier"
          {...form.getInputProps("api_access", { type: "checkbox" })}
        />
      </div>
    </fieldset>
  );
}
