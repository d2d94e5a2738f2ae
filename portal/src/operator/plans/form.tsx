import { TextInput } from "@mantine/core";
import { type Amount, AmountsInput, amountsOf } from "../../ui/amounts.tsx";
import { Form, FormFoot, useApiForm } from "../../ui/form.tsx";
import { inCents } from "../../ui/money.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Plan, useCreatePlan, useUpdatePlan } from "./data.ts";

type Values = { name: string; prices: Amount[] };

const pricesOf = (prices: readonly Amount[]) =>
  Object.fromEntries(prices.map(({ currency, amount }) => [currency, inCents(amount, currency) ?? 0]));

const valuesOf = (plan: Plan | null): Values => ({
  name: plan?.name ?? "",
  prices: plan ? amountsOf(plan.prices) : [{ currency: "usd", amount: "" }],
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
        <AmountsInput form={form} name="prices" amounts={form.values.prices} legend="Price a month" one="Price" />
      </Form>
    </Panel>
  );
}
