import { actForOperator, findPartner } from "./acting.ts";
import { checked } from "./checked.ts";
import { LIST_OPTIONS, money, printList, shortTime } from "./listing.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

type Rate = { bps: number } | { flat_cents: number; currency: string };

type Rule = {
  id: string;
  name: string;
  scope: string;
  grade: string | null;
  partner_id: string | null;
  priority: number;
  active: boolean;
  plan: string | null;
  currency: string | null;
  min_mrr_cents: number | null;
  first: Rate;
  recurring: Rate;
  months: number | null;
  applies_to: string;
  created_by: string;
  created_at: string;
  version: number;
};

/** A rate as people write it: 15 %, or 50.00 usd. */
export const rateText = (rate: Rate) => ("bps" in rate ? `${rate.bps / 100} %` : money(rate.flat_cents, rate.currency));

const subjectOf = ({ scope, grade, partner_id }: Rule) => grade ?? partner_id ?? scope;

export const listRules = command({
  name: "rules list",
  summary: "List commission rules",
  options: {
    scope: { type: "list", value: "SCOPE", description: "Only rules of these scopes: programme, grade or partner." },
    grade: { type: "text", value: "GRADE", description: "Only rules of this grade." },
    partner: { type: "text", value: "PARTNER", description: "Only rules of this partner, by id or a unique part of its name." },
    ended: { type: "flag", description: "Ended rules instead of active ones." },
    ...LIST_OPTIONS,
  },
  examples: [{ title: "List the rules of the grades", run: "tributary rules list --scope grade" }],
  async run(call) {
    const { scope, grade, partner, ended, ...paging } = call.options;
    const { CommissionRuleListQuery, listRules } = await import("../features/programme/rules/index.ts");
    const fields = { scope, grade, active: !ended, limit: paging.limit };
    const filter = await checked("rules list", CommissionRuleListQuery, "query", fields);
    const services = await call.services();
    if (partner !== undefined) filter.partner_id = await findPartner(services, partner);
    const ctx = actForOperator(services);
    await printList<Rule>(call, {
      noun: "rules",
      options: paging,
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "name", of: ({ name }) => name },
        { title: "for", of: subjectOf },
        { title: "first", of: ({ first }) => rateText(first), right: true },
        { title: "recurring", of: ({ recurring }) => rateText(recurring), right: true },
        { title: "months", of: ({ months }) => months, right: true },
        { title: "priority", of: ({ priority }) => priority, right: true, spare: true },
        { title: "since", of: ({ created_at }) => shortTime(created_at), whole: true, spare: true },
      ],
      page: (query) => listRules(ctx, { ...filter, ...query }),
    });
  },
});

export const showRule = command({
  name: "rules show",
  summary: "Show a commission rule",
  args: { rule: { description: "The rule's id." } },
  examples: [
    { title: "Show the rule that gold partners begin with", run: "tributary rules show rul_00000000000000000000000003" },
  ],
  async run({ args, out, services }) {
    const { getRule } = await import("../features/programme/rules/index.ts");
    const { json } = await getRule(actForOperator(await services()), args.rule);
    const rule: Rule = JSON.parse(json);
    out.result(rule, () =>
      renderFields({
        id: rule.id,
        name: rule.name,
        for: subjectOf(rule),
        "first month": rateText(rule.first),
        "later months": rateText(rule.recurring),
        months: rule.months ?? "without end",
        plan: rule.plan,
        currency: rule.currency,
        "minimum MRR": rule.min_mrr_cents === null ? null : money(rule.min_mrr_cents, rule.currency ?? "usd"),
        priority: rule.priority,
        "applies to": rule.applies_to,
        active: rule.active ? "yes" : "no",
        version: rule.version,
        "changed by": rule.created_by,
        changed: rule.created_at,
      }),
    );
  },
});
