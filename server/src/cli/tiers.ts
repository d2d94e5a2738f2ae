import { actForOperator } from "./acting.ts";
import { amountsText, printList } from "./listing.ts";
import { rateText } from "./rules.ts";
import { command } from "./shell/command.ts";
import { renderFields } from "./shell/table.ts";

type Rate = Parameters<typeof rateText>[0];
type Requirement = { metric: string; value: number; window_days?: number; currency?: string };

type Tier = {
  grade: string;
  name: string;
  rank: number;
  requirements: Requirement[];
  hold_days: number | null;
  protection_days: number | null;
  open_registrations_max: number | null;
  rate_limit_per_minute: number | null;
  rate_limit_burst: number | null;
  payout_minimums: Record<string, number>;
  api_access: boolean;
  rate: { first: Rate; recurring: Rate; months: number | null } | null;
};

/** A requirement in one line: retention_bps 8500 in 365 days. */
function requirementText({ metric, value, window_days, currency }: Requirement): string {
  return [metric, value, currency, window_days === undefined ? undefined : `in ${window_days} days`].filter(Boolean).join(" ");
}

const requirementsOf = ({ requirements }: Tier) => requirements.map(requirementText).join(", ");
const rateOf = ({ rate }: Tier) => (rate === null ? null : rateText(rate.recurring));

export const listTiers = command({
  name: "tiers list",
  summary: "List tiers",
  examples: [{ title: "List the tiers of the programme", run: "tributary tiers list" }],
  async run(call) {
    const { listTiers } = await import("../features/programme/tiers/index.ts");
    const ctx = actForOperator(await call.services());
    await printList<Tier>(call, {
      noun: "tiers",
      options: { limit: 100, cursor: undefined, all: false },
      columns: [
        { title: "grade", of: ({ grade }) => grade },
        { title: "name", of: ({ name }) => name },
        { title: "rank", of: ({ rank }) => rank, right: true },
        { title: "rate", of: rateOf, right: true },
        { title: "requires", of: requirementsOf },
      ],
      page: () => listTiers(ctx),
    });
  },
});

export const showTier = command({
  name: "tiers show",
  summary: "Show a tier",
  args: { grade: { description: "The grade, such as gold." } },
  examples: [{ title: "Show what gold partners have", run: "tributary tiers show gold" }],
  async run({ args, out, services }) {
    const { getTier } = await import("../features/programme/tiers/index.ts");
    const { json } = await getTier(actForOperator(await services()), args.grade);
    const tier: Tier = JSON.parse(json);
    const programme = "as the programme says";
    out.result(tier, () =>
      renderFields({
        grade: tier.grade,
        name: tier.name,
        rank: tier.rank,
        rate: rateOf(tier),
        requires: requirementsOf(tier),
        "hold, days": tier.hold_days ?? programme,
        "protection, days": tier.protection_days ?? programme,
        "open registrations": tier.open_registrations_max ?? programme,
        "requests a minute": tier.rate_limit_per_minute ?? programme,
        "requests at once": tier.rate_limit_burst ?? programme,
        "payout minimums": amountsText(tier.payout_minimums) || programme,
        "API access": tier.api_access ? "granted by a promotion" : "on request",
      }),
    );
  },
});
