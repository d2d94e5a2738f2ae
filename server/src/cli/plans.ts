import { isId } from "../kernel/ids.ts";
import { OPERATOR_TENANT } from "../kernel/principal.ts";
import type { Services } from "../platform/record/context.ts";
import { actForOperator, createOnce, IDEMPOTENCY_OPTION } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command, type Option } from "./shell/command.ts";
import { CommandRefusal, UsageError } from "./shell/errors.ts";
import { renderFields } from "./shell/table.ts";

type Plan = { id: string; name: string; prices: Record<string, number>; state: string; updated_at: string };

const pricesOf = ({ prices }: Plan) =>
  Object.entries(prices)
    .map(([currency, cents]) => money(cents, currency))
    .join(", ");

const describePlan = (plan: Plan) =>
  renderFields({ id: plan.id, name: plan.name, prices: pricesOf(plan), state: plan.state, changed: plan.updated_at });

const PRICE_OPTION = {
  price: { type: "texts", value: "CODE=CENTS", description: "Monthly price in minor units of a currency, such as usd=49900." },
} as const satisfies Record<string, Option>;

function readPrices(prices: readonly string[] | undefined): Record<string, number> | undefined {
  if (prices === undefined || prices.length === 0) return undefined;
  return Object.fromEntries(
    prices.map((price) => {
      const [, code = "", cents = ""] = /^([a-z]{3})=(\d{1,15})$/.exec(price) ?? [];
      if (code === "") throw new UsageError(`--price must be a currency and minor units, such as usd=49900, not ${price}.`);
      return [code, Number(cents)];
    }),
  );
}

export const listPlans = command({
  name: "plans list",
  summary: "List plans",
  options: {
    state: { type: "list", value: "STATE", description: "Only plans in this state: active, archived or legacy." },
    ...LIST_OPTIONS,
  },
  examples: [{ title: "List the plans that partners sell", run: "tributary plans list --state active" }],
  async run(call) {
    const { state, ...paging } = call.options;
    const { listPlans, PlanListQuery } = await import("../features/accounts/plans/index.ts");
    const filter = await checked("plans list", PlanListQuery, "query", { state, limit: paging.limit });
    const ctx = actForOperator(await call.services());
    await printList<Plan>(call, {
      noun: "plans",
      options: paging,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "name", of: ({ name }) => name },
        { title: "prices", of: pricesOf },
        { title: "state", of: ({ state }) => state },
        { title: "changed", of: ({ updated_at }) => shortTime(updated_at), whole: true, spare: true },
      ],
      page: (query) => listPlans(ctx, { ...filter, ...query }),
    });
  },
});

export const createPlan = command({
  name: "plans create",
  summary: "Create a plan",
  description: "With the first active plan, clients and sales accept only plans of the catalogue.",
  options: {
    name: { type: "text", value: "NAME", required: true, description: "The plan's name." },
    ...PRICE_OPTION,
    ...IDEMPOTENCY_OPTION,
  },
  examples: [
    {
      title: "Create a plan with prices in two currencies",
      run: "tributary plans create --name Enterprise --price usd=299000 --price eur=275000",
    },
  ],
  async run(call) {
    const { createPlan, PlanCreate } = await import("../features/accounts/plans/index.ts");
    const fields = { name: call.options.name, prices: readPrices(call.options.price) };
    const input = await checked("plans create", PlanCreate, "body", fields);
    const services = await call.services();
    const made = await createOnce<Plan>(call, services, { operation: "plans.create", partner_id: OPERATOR_TENANT }, (ctx) =>
      createPlan(ctx, input),
    );
    call.out.result(made, () => describePlan(made));
  },
});

export const updatePlan = command({
  name: "plans update",
  summary: "Update a plan",
  description: "Prices are replaced as a whole. An archived plan is no longer sold; what was sold keeps it.",
  args: { plan: { description: "The plan's id or name." } },
  options: {
    name: { type: "text", value: "NAME", description: "A new name." },
    ...PRICE_OPTION,
    state: { type: "text", value: "STATE", choices: ["active", "archived"], description: "The new state: active or archived." },
  },
  examples: [{ title: "Archive a plan", run: "tributary plans update enterprise --state archived" }],
  async run({ args, options, out, services }) {
    const { PlanPatch, updatePlan } = await import("../features/accounts/plans/index.ts");
    const fields = { name: options.name, state: options.state, prices: readPrices(options.price) };
    const patch = await checked("plans update", PlanPatch, "body", fields);
    const opened = await services();
    const { json } = await updatePlan(actForOperator(opened), await findPlan(opened, args.plan), patch);
    const plan: Plan = JSON.parse(json);
    out.result(plan, () => describePlan(plan));
  },
});

async function findPlan({ db }: Services, plan: string): Promise<string> {
  if (isId("plan", plan)) return plan;
  const { planIdByNameOrNull } = await import("../features/accounts/plans/index.ts");
  const id = await planIdByNameOrNull(db, plan);
  return (
    id ?? Promise.reject(new CommandRefusal("not_found", `There is no plan ${plan}.`, "tributary plans list shows all plans."))
  );
}
