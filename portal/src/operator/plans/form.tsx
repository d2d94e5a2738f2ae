import { ActionIcon, Button, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { AmountInput, CurrencyInput } from "../../ui/amount.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { inCents, inUnits } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import classes from "../operator.module.css";
import { type Plan, useCreatePlan, useUpdatePlan } from "./data.ts";

type Price = { currency: string; amount: number | string };
type Values = { name: string; prices: Price[] };

const pricesOf = (prices: readonly Price[]) =>
  Object.fromEntries(prices.map(({ currency, amount }) => [currency, inCents(amount, currency) ?? 0]));

const valuesOf = (plan: Plan | null): Values => ({
  name: plan?.name ?? "",
  prices: plan
    ? Object.entries(plan.prices).map(([currency, cents]) => ({ currency, amount: inUnits(cents, currency) }))
    : [{ currency: "usd", amount: "" }],
});

/** A new plan, or one that is there. */
export function PlanForm({ plan, close, actions }: { plan: Plan | null; close(): void; actions?: React.ReactNode }) {
  const create = useCreatePlan();
  const update = useUpdatePlan();
  const { form, busy, problem, onSubmit } = useApiForm({
    initial: valuesOf(plan),
    async send({ name, prices }, key) {
      const body = { name, prices: pricesOf(prices) };
      const saved = plan ? await update.mutateAsync({ plan, body }) : await create.mutateAsync({ body, key });
      toast(plan ? `${saved.name} is saved` : `${saved.name} is on sale`);
      close();
    },
  });
  return (
    <Panel
      title={plan?.name ?? "New plan"}
      close={close}
      actions={actions}
      foot={<FormFoot form="plan" action={plan ? "Save" : "Create plan"} busy={busy} close={close} />}
    >
      <Form id="plan" onSubmit={onSubmit} problem={problem}>
        <TextInput
          label="Name"
          description={
            plan
              ? "Clients and sales that have it keep the name they were sold with"
              : "As partners write it in sales and clients"
          }
          data-autofocus
          {...form.getInputProps("name")}
        />
        <fieldset className={classes.group}>
          <legend>Price a month</legend>
          {form.values.prices.map((price, index) => (
            <div key={price.currency} className={classes.price}>
              <AmountInput min={0} aria-label={`Price in ${price.currency}`} {...form.getInputProps(`prices.${index}.amount`)} />
              <CurrencyInput
                label={undefined}
                aria-label={`Currency ${index + 1}`}
                {...form.getInputProps(`prices.${index}.currency`)}
              />
              <ActionIcon
                aria-label={`Take the price in ${price.currency} away`}
                onClick={() => form.removeListItem("prices", index)}
              >
                <X size={16} />
              </ActionIcon>
            </div>
          ))}
          <div>
            <Button
              variant="subtle"
              leftSection={<Plus />}
              onClick={() => form.insertListItem("prices", { currency: nextCurrency(form.values.prices), amount: "" })}
            >
              Another currency
            </Button>
          </div>
        </fieldset>
      </Form>
    </Panel>
  );
}

const USUAL = ["usd", "eur", "gbp", "cad", "aud", "chf", "sek", "jpy"];
const nextCurrency = (prices: readonly Price[]) =>
  USUAL.find((code) => !prices.some(({ currency }) => currency === code)) ?? "usd";
